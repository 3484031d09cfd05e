"""Observe `train_epoch` in train.py: one run, its losses, and how often it waits for the GPU."""

import torch

from course_utils.program.holes import parts
from course_utils.program.observer import HoleObserver

TWIN = "def total(tensor):\n    return 2 * tensor"


class TrainEpoch(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`, `steps`, and `mode`, whether a model was
    trained in evaluation mode; `losses`, those of its epochs, as multiples of what they should be;
    `weights`; and `waits`.

    A run with `twin` is one of two processes: the other is not there, but its losses are, the same.
    """

    def __init__(self):
        super().__init__("tensors.train_epoch")

    def run(self, folder, words, *args, twin=False, **given):
        if twin:
            file = folder / "train.py"
            source = file.read_text("utf-8")
            file.write_text(source.replace(parts(source)["total"], TWIN), "utf-8")
        return super().run(folder, words, *args, **given)

    def look(self, folder, runs, data):
        (run,) = runs
        seen = super().look(folder, runs, data)
        return {
            "error": run.error,
            "ends": run.end,
            "devices": seen["devices"][0] if run.counts else None,
            "mode": "evaluation" if any(c["evaluating"] for c in run.counts) else "training",
            "losses": self._losses(folder / "run.pt", data),
            "steps": seen.get("steps"),
            "waits": sum(counts.get("waits", 0) for counts in run.counts),
            "weights": seen["weights"],
        }

    def _losses(self, file, data):
        if not file.exists():
            return "no checkpoint"
        log = torch.load(file, map_location="cpu", weights_only=True)["log"]
        right = self._plainly_trained(tuple(data["plain"]))["log"]
        losses = [epoch["loss"] for epoch in log]
        if not all(isinstance(loss, float) for loss in losses):
            return f"objects of type {type(losses[0]).__name__}"
        return [round(one / other["loss"], 3) for one, other in zip(losses, right, strict=False)]


observer = TrainEpoch()
