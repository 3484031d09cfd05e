"""Observe `pick_device` in train.py: one run on a machine with so many GPUs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from course_utils.program.observer import HoleObserver
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun


class PickDevice(HoleObserver):
    """Facts of the one run: `error`; `ends`, its end and the devices on which it trained; then the
    `weights` of its checkpoint, or `refusal`, the kind of message that it printed without one."""

    processor = 4

    def __init__(self) -> None:
        super().__init__("machine.pick_device", plain=("--epochs", "1"))

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of the one run in `runs`."""
        (run,), (asked,) = runs, data["runs"]
        seen = super().look(folder, runs, data)
        if seen["weights"] != "no checkpoint":
            ran = {place for counts in run.counts for place in counts["ran"]}
            where = ", ".join(sorted({*seen["devices"][0]} | ran)).replace("cpu", "the CPU")
            ends = f"after training on {where}" if run.end == 0 else run.end
            return {"error": run.error, "ends": ends, "weights": seen["weights"]}
        ends = run.end
        if isinstance(ends, int):
            ends = "at once, with an error code" if ends else "at once, with code 0"
        named = asked["words"][-1] in run.printed
        with_name = "a sentence with the name" if named else "a sentence without the name"
        refusal = with_name if run.printed.strip() else "nothing"
        return {"error": run.error, "ends": ends, "refusal": refusal}


observer = PickDevice()
