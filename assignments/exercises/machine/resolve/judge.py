"""Judge `resolve`: names are taken apart by a pattern, and GPUs counted."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.oracle import OracleJudge, WrongModel
from exercise_kit.contract import Case, Facts, Finding, Raise
from exercise_kit.facts import brief
from exercise_kit.text import clip

from ..described import named

_NAME = re.compile(r"cuda(?::(0|[1-9]\d*))?")


def resolved(name: str, current: int, count: int) -> str | None:
    """The device, or None where there is none of this name."""
    if name == "cpu":
        return name
    match = _NAME.fullmatch(name)
    index = int(match[1] or current) if match else count
    return f"cuda:{index}" if index < count else None


class Resolve(OracleJudge):
    form, types, otherwise = "a device", ("str",), "other-device"
    rivals = (
        WrongModel("index-left-out", lambda name, **data: name),
        WrongModel("current-ignored", lambda name, **data: f"{name}:0"),
    )

    def oracle(self, **data: Any) -> str | None:
        return resolved(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        count = rng.randint(3, 6)
        current = rng.randint(1, count - 1)
        other = rng.choice([index for index in range(1, count) if index != current])
        rows = [
            ("an index", f"cuda:{other}", current, count),
            ("index 0", "cuda:0", current, count),
            ("no index", "cuda", current, count),
            ("no index, and nothing was chosen", "cuda", 0, count),
            ("the CPU", "cpu", current, count),
            ("the CPU, where there is no GPU", "cpu", 0, 0),
            ("the last GPU", f"cuda:{count - 1}", 0, count),
            ("one GPU too many", f"cuda:{count}", 0, count),
            ("far too many", f"cuda:{rng.randint(20, 90)}", 0, count),
            ("no index, where there is no GPU", "cuda", 0, 0),
            ("an index, where there is no GPU", "cuda:0", 0, 0),
            ("two digits", f"cuda:{rng.randint(11, 14)}", 3, 16),
            ("two digits, one GPU too many", "cuda:16", 3, 16),
            ("a word that is no type", "gpu", current, count),
            ("capitals", "CUDA", current, count),
            ("a list of indices", f"cuda:[0,{other}]", current, count),
            ("a negative index", "cuda:-1", current, count),
            ("a leading zero", f"cuda:0{other}", current, count),
            ("a space", f"cuda: {other}", current, count),
            ("nothing after the colon", "cuda:", current, count),
            ("an index alone", f"{other}", current, count),
            ("an empty string", "", current, count),
            ("a type that does not exist here", "mps", current, count),
            ("another type, with an index", "xpu:0", current, count),
            ("the task's example without an index", "cuda", 2, 4),
            ("the task's example of a missing GPU", "cuda:4", 0, 4),
        ]
        names = ("name", "current", "count")
        return [Case(title, dict(zip(names, values, strict=True))) for title, *values in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, right, refused = case.data, resolved(**case.data), facts.get("refused")
        if right is None:
            if refused is not None:
                return None
            seen = facts["result"]
            return Finding(_accepted(seen, data), brief(seen), _for("a raised ValueError", data))
        if refused is not None:
            return Finding(
                "refused-needlessly", f"ValueError: {clip(refused, 80)}", _for(right, data)
            )
        return super().judge(case, {**facts, "result": named(facts["result"])})

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if resolved(**case.data) is None:
            return Finding("other-error", clip(str(raised), 100), _for("a ValueError", case.data))
        return None

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return _for(brief(described), data)


def _accepted(seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """What became of a name that had to be refused, or why it had to be."""
    if seen["type"] in ("other", "NoneType"):
        return "not-raised"
    if named(seen).get("value") == "cpu":
        return "cpu-instead"
    if _NAME.fullmatch(data["name"]):
        return "missing-gpu" if data["count"] else "no-gpu"
    return "other-type" if re.fullmatch(r"(mps|xpu)(:\d+)?", data["name"]) else "no-name"


def _for(what: str, data: Mapping[str, Any]) -> str:
    return f"{what} for {data['name']!r}, current {data['current']}, {data['count']} GPUs"
