"""Observe `best_settings`: what it measures, in which order, and what it returns."""

from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe

from .. import played

_MOST_CALLS = 200


class BestSettings(Observer):
    """Facts: `result`, `changed`, and of the runs `others`, `counts` and `rounds`.

    others: what was measured and is no candidate. counts: how often each candidate was. rounds:
    what was measured in each of three rounds, sorted. Both are texts.

    A case has the times of three runs for each candidate, or a machine, whose runs are played on
    the virtual clock. Later runs give the last time again, and so does a number of workers that is
    no candidate, with the last candidate's times.
    """

    gpus = 0

    def prepare(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """`runs`, the number of workers and the ms of three runs of each candidate; `tolerance`."""
        if "machine" not in data:
            return super().prepare(data)
        times = played.on_virtual_gpus("epochs", data["machine"], data["candidates"])
        runs = [[round(time * slower) for slower in data["slower"]] for time in times]
        pairs = zip(data["candidates"], runs, strict=True)
        return {"runs": [*map(list, pairs)], "tolerance": data["tolerance"]}

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        runs = {workers: list(times) for workers, times in inputs["runs"]}
        candidates, calls = list(runs), []

        def measure(workers: int) -> int:
            calls.append(describe(workers).get("value"))
            times = runs.get(workers, runs[candidates[-1]])
            return times.pop(0) if len(times) > 1 else times[0]

        given, size = list(candidates), len(candidates)
        result = answer(measure, given, inputs["tolerance"])
        rounds = [calls[size * n : size * (n + 1)] for n in range(3)]
        return {
            "result": describe(result),
            "changed": [] if given == candidates else ["candidates"],
            "others": [call for call in calls[:_MOST_CALLS] if call not in candidates],
            "counts": ", ".join(f"{calls.count(workers)} of {workers}" for workers in candidates),
            "rounds": " | ".join(", ".join(sorted(map(str, each))) for each in rounds),
        }
