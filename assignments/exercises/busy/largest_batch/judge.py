"""Judge `largest_batch`: the number, how it was found, and what became of other exceptions."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge
from course_utils.checking.facts import brief


class LargestBatch(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        many, few = rng.randint(700, 4000), rng.randint(9, 15)
        power = 2 ** rng.randint(7, 10)
        rows = [
            ("a limit between two powers of two", many, rng.randint(270, 500)),
            ("a limit that is a power of two", many, 2 ** rng.randint(6, 9)),
            ("one less than a power of two", many, 2 ** rng.randint(6, 9) - 1),
            ("everything fits", many, many + rng.randint(1, 50)),
            ("the largest size is the last that fits", power, power),
            ("all but the largest size fit", many, many - 1),
            ("only a batch of one fits", many, 1),
            ("nothing fits", many, 0),
            ("a few sizes", few, rng.randint(3, few - 2)),
            ("one size, and it fits", 1, 1),
            ("one size, and it does not fit", 1, 0),
        ]
        cases = [Case("the task's example", _data(1000, 300))]
        cases += [Case(title, _data(most, limit)) for title, most, limit in rows]
        error = ("RuntimeError", "shape '[8, 3]' is invalid for input of size 23")
        cases.append(
            Case(
                "another RuntimeError from some size on",
                _data(many, many, rng.randint(5, 60), error),
            )
        )
        error = ("RuntimeError", "a worker that decodes images is out of memory")
        cases.append(
            Case(
                "a RuntimeError that speaks of memory",
                _data(many, many, rng.randint(5, 60), error),
            )
        )
        error = ("ValueError", "Expected more than 1 value per channel when training")
        cases.append(Case("a ValueError at every size", _data(many, many, 1, error)))
        error = ("MemoryError", "")
        cases.append(
            Case("the computer's own memory runs out", _data(many, many, rng.randint(5, 60), error))
        )
        return cases

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, calls = case.data, facts["calls"]
        most_calls = 2 * data["most"].bit_length()
        odd = next((size for size in calls if not _is_a_size(size, data["most"])), None)
        if odd is not None:
            wanted = f"whole numbers from 1 to {data['most']}"
            return Finding("size-out-of-range", f"step({brief(odd)})", wanted)
        if facts["stopped"]:
            return Finding("never-ends", f"{facts['count']} calls", f"{most_calls} at most")
        if data["breaks_at"] is not None:
            return _of_another_error(data, facts)
        if "left" in facts:
            return Finding("memory-error-left", facts["left"], str(_right(data)))
        seen = facts["result"]
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", str(_right(data)))
        if seen["type"] != "int":
            return Finding("other-form", brief(seen), "a whole number")
        if seen["value"] != _right(data):
            tried = [size["value"] for size in calls]
            name = _misjudged(seen["value"], _right(data), tried, data)
            return Finding(name, str(seen["value"]), str(_right(data)))
        if facts["count"] > most_calls:
            return Finding("too-many-calls", f"{facts['count']} calls", f"{most_calls} at most")
        return None


def _data(
    most: int, limit: int, breaks_at: int | None = None, error: tuple[str, str] = ("", "")
) -> dict[str, Any]:
    return {
        "most": most,
        "limit": limit,
        "breaks_at": breaks_at,
        "error": error[0],
        "text": error[1],
    }


def _right(data: Mapping[str, Any]) -> int:
    return min(data["limit"], data["most"])


def _is_a_size(size: Mapping[str, Any], most: int) -> bool:
    return size["type"] == "int" and 1 <= size["value"] <= most


def _misjudged(seen: int, right: int, tried: Sequence[int], data: Mapping[str, Any]) -> str:
    if not tried:
        return "nothing-tried"
    if not right:
        return "nothing-fits-not-zero"
    if seen > data["limit"]:
        return "too-large"
    powers = {2**n for n in range(data["most"].bit_length())}
    if seen in powers and set(tried) <= powers:
        return "powers-of-two-only"
    if any(seen < size <= right for size in tried):
        return "fit-not-noticed"
    if right == data["most"] and right not in tried:
        return "largest-not-tried"
    return "stopped-too-early"


def _of_another_error(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    reached = any(size["value"] >= data["breaks_at"] for size in facts["calls"])
    if facts.get("left") == data["error"] or not reached:
        return None if reached else Finding("nothing-tried", "no call", data["error"])
    return Finding("other-error-caught", brief(facts["result"]), f"the {data['error']} itself")


judge = LargestBatch()
