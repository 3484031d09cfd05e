"""Judge `rank_device`: the device with the number of the process on its machine, or a refusal."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise, Raises
from exercise_kit.facts import brief
from exercise_kit.text import clip


class RankDevice(Judge):
    raises = (Raises("local-rank-missing", "KeyError", "LOCAL_RANK"),)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few = rng.randint(3, 8)
        last, late = few - 1, rng.randint(1, few - 1)
        rows: list[tuple[str, dict[str, str], str, int]] = [
            ("one machine", _environ(late, late, few), "cuda", few),
            ("the first process", _environ(0, 0, few), "cuda", few),
            ("the last process", _environ(last, last, few), "cuda", few),
            ("the second of two machines", _environ(few + late, late, 2 * few), "cuda", few),
            ("another accelerator", _environ(late, late, few), "xpu", few),
            ("started without torchrun", {}, "cuda", few),
            ("more processes than devices", _environ(few, few, 2 * few), "cuda", few),
            (
                "many more processes than devices",
                _environ(few + 10, few + 10, few + 11),
                "xpu",
                few,
            ),
            ("no accelerator", _environ(late, late, few), "cuda", 0),
            ("no accelerator, without torchrun", {}, "cuda", 0),
            ("the task's example", _environ(6, 2, 8), "cuda", 4),
        ]
        return [
            Case(title, {"environ": environ, "kind": kind, "count": count})
            for title, environ, kind, count in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        right = _right(case.data)
        expected = "a ValueError" if right is None else f"device('{right}')"
        if not facts["asked"]:
            return Finding("not-asked", "no call that tells what there is", "one at least")
        if "refused" in facts:
            if right is None:
                return None
            seen = clip(f"ValueError: {facts['refused']}", 150)
            return Finding(_wrongly_refused(case.data), seen, expected)
        seen = facts["result"]
        if facts["changed"]:
            return Finding("input-changed", "another environ", "the same as before")
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", expected)
        if right is None:
            return Finding("no-device-left", clip(brief(seen), 100), expected)
        if seen["type"] == "device" and seen["value"] == right:
            return None
        return Finding(_wrong(seen, right, case.data), clip(brief(seen), 100), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if _right(case.data) is None:
            return Finding("another-exception", clip(str(raised), 150), "a ValueError")
        return super().on_raise(case, raised)


def _environ(rank: int, local: int, world: int) -> dict[str, str]:
    return {"RANK": str(rank), "LOCAL_RANK": str(local), "WORLD_SIZE": str(world)}


def _right(data: Mapping[str, Any]) -> str | None:
    number = int(data["environ"].get("LOCAL_RANK", 0))
    if not data["count"]:
        return "cpu"
    return f"{data['kind']}:{number}" if number < data["count"] else None


def _wrongly_refused(data: Mapping[str, Any]) -> str:
    environ = data["environ"]
    if not data["count"]:
        return "cpu-refused"
    if environ.get("RANK") != environ.get("LOCAL_RANK"):
        return "counted-over-all-machines"
    return "refused"


def _wrong(seen: Mapping[str, Any], right: str, data: Mapping[str, Any]) -> str:
    if seen["type"] != "device":
        return "not-a-device"
    kind, _, index = seen["value"].partition(":")
    if right == "cpu":
        return "accelerator-not-there" if kind == data["kind"] else "other-device"
    if kind != data["kind"]:
        return "type-fixed" if kind == "cuda" else "other-device"
    if not index:
        return "no-index"
    rank = data["environ"].get("RANK")
    if index == rank:
        return "rank-of-all-machines"
    return "always-the-first" if index == "0" else "other-device"
