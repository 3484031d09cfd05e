"""Observe `train_epoch` in train.py: one run, its losses, and how often it waits for the GPU."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_utils.program.observer import HoleObserver
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun

COMPANY = Path(__file__).parents[1].joinpath("company.py").read_text("utf-8")
MAIN = 'if __name__ == "__main__":\n'


class TrainEpoch(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`, `steps`; `mode`, that of the model while it
    was trained; `losses`, one per epoch, as multiples of the right ones; `weights`; `early`,
    whether numbers were read before their copy was there; `waits`; `pinned`, the number of copies
    from pinned memory; and `parts`, how the program's other functions were called.

    A run with `twin` is one of two processes, see `company.py`; in others, `parts` is empty.
    """

    def __init__(self) -> None:
        super().__init__("tensors.train_epoch")

    def run(
        self, folder: Path, words: Sequence[str], *args: Any, twin: bool = False, **given: Any
    ) -> ProgramRun:
        """A run of the program; with `twin`, as one of two processes."""
        if twin:
            file = folder / "train.py"
            join = "import company\n\ncompany.join(globals(), 'parts.json')\n"
            (folder / "company.py").write_text(COMPANY, "utf-8")
            before, _, after = file.read_text("utf-8").rpartition(MAIN)
            file.write_text(f"{before}{join}{MAIN}{after}", "utf-8")
        return super().run(folder, words, *args, **given)

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of the one run in `runs`."""
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

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts with weights compared, and with losses as multiples of the right ones."""
        losses = facts["losses"]
        if isinstance(losses, list):
            pairs = zip(losses, references["losses"], strict=False)
            losses = [round(one / other, 3) for one, other in pairs]
        return {**super().told(facts, references), "losses": losses}


def _losses(file: Path) -> list[float] | str:
    if not file.exists():
        return "no checkpoint"
    log = torch.load(file, map_location="cpu", weights_only=True)["log"]
    losses = [epoch["loss"] for epoch in log]
    if not all(isinstance(loss, float) for loss in losses):
        return f"objects of type {type(losses[0]).__name__}"
    return losses


observer = TrainEpoch()
