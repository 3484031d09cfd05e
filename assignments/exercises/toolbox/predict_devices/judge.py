"""Judge `predict_devices` by playing the program with a stack of current devices."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Program = Sequence[Sequence[Any]]
GPUS = 4


@dataclass(frozen=True)
class Rules:
    """How a program is played; the defaults are torch's rules."""

    sets: bool = True  # `set` has an effect
    blocks: bool = True  # `with` has an effect
    restores: bool = True  # the end of a block brings back what was before it
    to_zero: bool = False  # it brings back cuda:0 instead
    outermost: bool = False  # it brings back what was before the outermost open block
    set_survives: bool = False  # a `set` inside a block holds after it, too
    results_follow: bool = False  # results are on the current device
    index_ignored: bool = False  # "cuda:3" means the current device
    moves_existing: bool = False  # tensors on GPUs move along with the current device


def devices(program: Program, rules: Rules) -> list[str]:
    current, outside, places = 0, [], []
    for step, *values in program:
        if step == "set" and rules.sets:
            current = values[0]
            if rules.set_survives:
                outside = [current for _ in outside]
        elif step == "with":
            outside.append(current)
            current = values[0] if rules.blocks else current
        elif step == "end":
            before = outside[0] if rules.outermost else outside[-1]
            outside.pop()
            if rules.restores:
                current = 0 if rules.to_zero else before
        elif step == "new":
            named = values[0] != "cuda" and not (rules.index_ignored and values[0] != "cpu")
            places.append(values[0] if named else f"cuda:{current}")
        elif step == "double":
            places.append(f"cuda:{current}" if rules.results_follow else places[values[0]])
        if rules.moves_existing:
            places = [place if place == "cpu" else f"cuda:{current}" for place in places]
    return places


_RIVALS = (
    ("set-without-effect", Rules(sets=False)),
    ("block-without-effect", Rules(blocks=False)),
    ("block-not-ended", Rules(restores=False)),
    ("back-to-zero", Rules(to_zero=True)),
    ("back-to-the-outermost", Rules(outermost=True)),
    ("set-survives-the-block", Rules(set_survives=True)),
    ("results-follow-the-current-device", Rules(results_follow=True)),
    ("index-ignored", Rules(index_ignored=True)),
    ("existing-tensors-moved", Rules(moves_existing=True)),
)


class PredictDevices(OracleJudge):
    form, types, otherwise = "a list of strings", ("list", "tuple"), "other-devices"
    rivals = tuple(
        Rival(name, lambda program, rules=rules: devices(program, rules)) for name, rules in _RIVALS
    )

    def oracle(self, program: Program) -> list[str]:
        return devices(program, Rules())

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, pattern: str, *findings: str) -> Case:
            def draw() -> dict[str, Any]:
                return {"program": list(_filled_in(rng, pattern))}

            return Case(title, self.telling(draw, *findings))

        return [
            drawn(
                "tensors here and there",
                "new set new cpu named",
                "set-without-effect",
                "index-ignored",
                "existing-tensors-moved",
            ),
            drawn("results", "new set double new double", "results-follow-the-current-device"),
            drawn(
                "a result of a tensor on the CPU",
                "cpu set double new",
                "results-follow-the-current-device",
            ),
            drawn("one block", "new with new end new", "block-without-effect", "block-not-ended"),
            drawn(
                "a block after another device was set",
                "set new with new end new",
                "back-to-zero",
                "block-not-ended",
            ),
            drawn("an index inside a block", "with named new end named new", "index-ignored"),
            drawn(
                "a block in a block",
                "set with new with new end new end new",
                "back-to-the-outermost",
                "back-to-zero",
                "block-without-effect",
            ),
            drawn(
                "a device set inside a block",
                "set with new end new with set new end new",
                "set-survives-the-block",
                "set-without-effect",
                "back-to-zero",
            ),
            drawn(
                "a device set inside two blocks",
                "with new end new set with with set new end new end new",
                "set-survives-the-block",
                "back-to-the-outermost",
            ),
            drawn(
                "results inside and after a block",
                "set new with double new end double new",
                "results-follow-the-current-device",
                "back-to-zero",
            ),
            drawn(
                "two blocks, one after the other",
                "with new end set new with new end new",
                "back-to-zero",
                "block-not-ended",
            ),
            Case("nothing is made", {"program": [["set", 2], ["with", 1], ["end"]]}),
            Case(
                "the task's example",
                {"program": [["new", "cuda"], ["set", 1], ["new", "cuda"], ["double", 0]]},
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, {**facts, "result": _in_words(facts["result"])})
        if found is None or found.name == "input-changed":
            return found
        steps = " · ".join(" ".join(map(str, step)) for step in case.data["program"])
        return replace(found, seen=clip(f"{found.seen} for: {steps}", 260))

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        items = described.get("items", ())
        if any(item["type"] != "str" for item in items) or described["type"] not in self.types:
            return clip(brief(described), 100)
        return ", ".join(item["value"] for item in items) or "no device"


def _in_words(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """A list in which devices are as good as their names."""
    if result["type"] not in ("list", "tuple"):
        return result
    items = [
        {**item, "type": "str"} if item["type"] == "device" else item for item in result["items"]
    ]
    return {**result, "items": items}


def _filled_in(rng: random.Random, pattern: str) -> Iterator[list[Any]]:
    """Steps with drawn indices; a `set` or a block never names the device that is current."""
    current, outside, made = 0, [], 0
    for word in pattern.split():
        if word in ("set", "with"):
            if word == "with":
                outside.append(current)
            current = rng.choice([gpu for gpu in range(1, GPUS) if gpu != current])
            yield [word, current]
        elif word == "end":
            current = outside.pop()
            yield ["end"]
        elif word == "double":
            yield ["double", rng.randrange(made)]
        else:
            index = rng.choice([gpu for gpu in range(GPUS) if gpu != current])
            yield ["new", {"new": "cuda", "cpu": "cpu"}.get(word, f"cuda:{index}")]
        made += word in ("double", "new", "cpu", "named")


judge = PredictDevices()
