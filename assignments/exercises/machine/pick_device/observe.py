"""Observe `pick_device` in train.py: one run on a machine with so many GPUs."""

from course_utils.program.observer import HoleObserver


class PickDevice(HoleObserver):
    """Facts of the one run: `error`; `ends`, with where it trained; `weights` then, and otherwise
    `refusal`, what it printed."""

    processor = 4

    def __init__(self):
        super().__init__("machine.pick_device", plain=("--epochs", "1"))

    def look(self, folder, runs, data):
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
