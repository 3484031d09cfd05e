"""Judge `where_new` by playing the program; rivals play it with one rule changed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import named


@dataclass(frozen=True)
class Rules:
    """How a program is played: by default as PyTorch does.

    first: the current GPU when the program begins. enters, sets: whether these steps change it.
    back: which GPU is current after a block: "before" (as when it began), "zero", "stay", "unless
    set" (in it), "one" (only one remembered, that of the latest block), "outer" (as before all
    blocks).
    plain: where a tensor without a device is: "cpu", "gpu", "in block" (on the GPU there).
    named: what a name with an index does: "index", "current" (ignored), "switch" (becomes current).
    """

    first: int = 0
    enters: bool = True
    sets: bool = True
    sets_inside: bool = True
    back: str = "before"
    plain: str = "cpu"
    named: str = "index"

    def play(self, steps: Sequence[str]) -> list[str]:
        current, devices = self.first, []
        blocks: list[list[Any]] = []  # the current GPU when it began, and whether one was set in it
        latest = 0
        for step in steps:
            word, _, rest = step.partition(" ")
            if word == "enter":
                latest = current
                blocks.append([current, False])
                current = int(rest) if self.enters else current
            elif word == "leave":
                current = self._after(current, blocks, latest)
                blocks.pop()
            elif word == "set":
                if self.sets and (self.sets_inside or not blocks):
                    current = int(rest)
                for block in blocks[-1:]:
                    block[1] = True
            else:
                devices.append(self._place(rest, current, bool(blocks)))
                if self.named == "switch" and ":" in rest:
                    current = int(rest[-1])
        return devices

    def _after(self, current: int, blocks: list[list[Any]], latest: int) -> int:
        if self.back == "stay" or (self.back == "unless set" and blocks[-1][1]):
            return current
        return {"zero": 0, "one": latest, "outer": blocks[0][0]}.get(self.back, blocks[-1][0])

    def _place(self, name: str, current: int, inside: bool) -> str:
        if not name:
            on_gpu = self.plain == "gpu" or (self.plain == "in block" and inside)
            return f"cuda:{current}" if on_gpu else "cpu"
        return f"cuda:{current}" if name == "cuda" or self.named == "current" else name


def _rival(finding: str, **changes: Any) -> Rival:
    return Rival(finding, replace(Rules(), **changes).play)


class WhereNew(OracleJudge):
    form, types, otherwise = "a list of devices", ("list", "tuple"), "other-devices"
    rivals = (
        _rival("default-changed", plain="gpu"),
        _rival("default-changed", plain="in block"),
        _rival("index-ignored", named="current"),
        _rival("index-switches", named="switch"),
        _rival("block-ignored", enters=False),
        _rival("set-survives", back="unless set"),
        _rival("not-restored", back="stay"),
        _rival("nesting-lost", back="one"),
        _rival("nesting-lost", back="outer"),
        _rival("back-to-zero", back="zero"),
        _rival("set-ignored", sets=False),
        _rival("set-ignored", sets_inside=False),
        *(_rival("kept-between-calls", first=gpu) for gpu in (1, 2, 3)),
    )

    def oracle(self, steps: Sequence[str]) -> list[str]:
        return Rules().play(steps)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = rng.sample(range(1, 4), 3)
        rows = {
            "nothing has been chosen": ["new", "new cuda", f"new cuda:{a}"],
            "a block": [f"enter {a}", "new cuda", "leave", "new cuda"],
            "no device in a block": [f"enter {a}", "new", "leave", "new"],
            "an index in a block": [f"enter {a}", f"new cuda:{b}", "new cuda", "leave"],
            "a GPU that is set": [f"set {a}", "new cuda", "new cuda:0"],
            "no device after a GPU was set": [f"set {a}", "new"],
            "a new program, after one that has set a GPU": ["new cuda"],
            "a block after a GPU was set": [
                f"set {a}",
                f"enter {b}",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "a block inside a block": [
                f"enter {a}",
                f"enter {b}",
                "new cuda",
                "leave",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "blocks inside each other, after a GPU was set": [
                f"set {c}",
                f"enter {a}",
                f"enter {b}",
                "leave",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "a GPU that is set inside a block": [
                f"enter {a}",
                f"set {b}",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "a GPU that is set in the inner block": [
                f"set {c}",
                f"enter {a}",
                f"enter {b}",
                "set 0",
                "new cuda",
                "leave",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "two blocks, one after the other": [
                f"enter {a}",
                "leave",
                f"enter {b}",
                "new cuda",
                "leave",
                "new cuda",
            ],
            "an index, then no index": [f"new cuda:{a}", "new cuda"],
            "no new tensor": [f"set {a}", f"enter {b}", "leave"],
            "no steps": [],
            "the task's example": ["set 2", "enter 1", "new cuda", "leave", "new cuda"],
        }
        return [Case(title, {"steps": steps}) for title, steps in rows.items()]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        return super().judge(case, {**facts, "result": named(facts["result"])})

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        steps = ", ".join(data["steps"]) or "no steps"
        return f"{clip(brief(described), 90)} for {clip(steps, 120)}"


judge = WhereNew()
