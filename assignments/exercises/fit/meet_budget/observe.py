"""Observe `meet_budget`: what it measures where the peaks are known, and what it returns."""

from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe

from ..peaks import PEAKS

_MOST_RUNS = 100


class MeetBudget(Observer):
    """Facts: `result`; how many `runs` were measured; `again`, what was measured twice; `others`,
    what was measured and is no list of remedies. The peak of anything else is that of no remedy.
    """

    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        peaks = {frozenset(key.split()): peak for key, peak in PEAKS[inputs["machine"]].items()}
        calls: list[Any] = []

        def measure(remedies: Any) -> float:
            known = isinstance(remedies, list | tuple | set | frozenset)
            asked = frozenset(map(str, remedies)) if known else None
            calls.append(asked if asked in peaks else str(describe(remedies).get("value")))
            return peaks.get(asked or frozenset(), peaks[frozenset()])

        result = answer(measure, inputs["budget"])
        names = [each if isinstance(each, str) else " ".join(sorted(each)) for each in calls]
        return {
            "result": describe(result),
            "runs": len(calls),
            "again": sorted({name for name in names if names.count(name) > 1})[:_MOST_RUNS],
            "others": sorted({each for each in calls if isinstance(each, str)})[:_MOST_RUNS],
        }


observer = MeetBudget()
