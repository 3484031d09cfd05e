"""Observe `best_settings`: what it measures, in which order, and what it returns."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

_MOST_CALLS = 200


class BestSettings(Observer):
    """Facts: `calls` (the candidates in the order of measuring), `result` and `changed`.

    A case gives the times of three runs for each candidate. Later runs give the last one again, and
    so does a number of workers that is no candidate, with the last candidate's times.
    """

    parameters = ("measure", "candidates", "tolerance")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        runs = {workers: list(times) for workers, times in inputs["runs"]}
        candidates = list(runs)
        calls: list[Any] = []

        def measure(workers: Any) -> int:
            calls.append(describe(workers))
            times = runs.get(workers, runs[candidates[-1]])
            return times.pop(0) if len(times) > 1 else times[0]

        given = list(candidates)
        result = answer(measure, given, inputs["tolerance"])
        changed = [] if given == candidates else ["candidates"]
        return {"calls": calls[:_MOST_CALLS], "result": describe(result), "changed": changed}


observer = BestSettings()
