"""Observe `batches_ahead` in train.py: one run, and what its GPU was told to do."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from course_utils.program.observer import HoleObserver
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun


class BatchesAhead(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`, `steps`, `weights`, and those of
    `counts.py`, which are counted in it where it has a GPU."""

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of the only run."""
        (run,) = runs
        seen = super().look(folder, runs, data)
        counted = {name: fact for counts in run.counts for name, fact in counts.items()}
        for name in ("used", "ran", "evaluating"):
            counted.pop(name, None)
        return {
            "error": run.error,
            "ends": run.end,
            "devices": seen["devices"][0],
            "steps": seen.get("steps"),
            "weights": seen["weights"],
            **counted,
        }


observer = BatchesAhead("feeding.batches_ahead")
