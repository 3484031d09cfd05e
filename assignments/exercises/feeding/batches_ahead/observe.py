"""Observe `batches_ahead` in train.py: one run, and what its GPU was told to do."""

from course_utils.program.observer import HoleObserver


class BatchesAhead(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`, `steps`, `weights`, and those of
    `counts.py`, which are counted in it where it has a GPU."""

    def look(self, folder, runs, data):
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
