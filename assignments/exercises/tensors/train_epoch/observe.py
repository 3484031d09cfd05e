"""Observe `train_epoch` in train.py: one run, its losses, and how often it waits for the GPU."""

import json
from pathlib import Path

import torch

from course_utils.program.observer import HoleObserver

COMPANY = Path(__file__).parents[1].joinpath("company.py").read_text("utf-8")
MAIN = 'if __name__ == "__main__":\n'


class TrainEpoch(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`, `steps`, and `mode`, whether a model was
    trained in evaluation mode; `losses`, those of its epochs, as multiples of what they should be;
    `weights`; `early`, whether something was read before its copy was there; `waits`; `pinned`, how
    many copies were from pinned memory; and `parts`, how the program's other functions were called.

    A run with `twin` is one of two processes, see `company.py`; in others, `parts` is empty.
    """

    def __init__(self):
        super().__init__("tensors.train_epoch")

    def run(self, folder, words, *args, twin=False, **given):
        if twin:
            file = folder / "train.py"
            join = "import company\n\ncompany.join(globals(), 'parts.json')\n"
            (folder / "company.py").write_text(COMPANY, "utf-8")
            before, _, after = file.read_text("utf-8").rpartition(MAIN)
            file.write_text(f"{before}{join}{MAIN}{after}", "utf-8")
        return super().run(folder, words, *args, **given)

    def look(self, folder, runs, data):
        (run,) = runs
        seen = super().look(folder, runs, data)
        copies = [counts.get("copies", {}) for counts in run.counts]
        parts = folder / "parts.json"
        return {
            "error": run.error,
            "ends": run.end,
            "devices": seen["devices"][0] if run.counts else None,
            "mode": "evaluation" if any(c["evaluating"] for c in run.counts) else "training",
            "losses": _losses(folder / "run.pt"),
            "steps": seen.get("steps", 0),
            "early": any(counts.get("hazards") for counts in run.counts),
            "waits": sum(counts.get("waits", 0) for counts in run.counts),
            "pinned": sum(of.get("H2D pinned", 0) for of in copies),
            "parts": json.loads(parts.read_text("utf-8")) if parts.exists() else {},
            "weights": seen["weights"],
        }

    def told(self, facts, references):
        losses = facts["losses"]
        if isinstance(losses, list):
            pairs = zip(losses, references["losses"], strict=False)
            losses = [round(one / other, 3) for one, other in pairs]
        return {**super().told(facts, references), "losses": losses}


def _losses(file):
    if not file.exists():
        return "no checkpoint"
    log = torch.load(file, map_location="cpu", weights_only=True)["log"]
    losses = [epoch["loss"] for epoch in log]
    if not all(isinstance(loss, float) for loss in losses):
        return f"objects of type {type(losses[0]).__name__}"
    return losses


observer = TrainEpoch()
