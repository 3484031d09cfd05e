"""Observe `ShapeNet` in shapes.py: one run, its checkpoint, and what was copied."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_utils.program.observer import HoleObserver, digests
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun


class WholeNetwork(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`. Of its checkpoint: `trained`, the
    number of tensors that the optimizer was given; `keys` of the model; `fixed`, the values of
    `mean` and `std`; `weights`, and `loss` as a multiple of that of a run without the exercise's
    part. Where it has a GPU: the numbers of `copies` to it and `waits` for it in the whole run.

    In a run with `widths`, train.py gives them to `ShapeNet`; its facts are the layers' `shapes`.
    """

    processor = 4

    def __init__(self) -> None:
        super().__init__("modules.shape_net")
        three = {file.replace("shapes", "three", 1): data for file, data in self._pictures.items()}
        third = {file.replace("light", "other"): data for file, data in three.items()}
        self._pictures |= three | third

    def run(
        self,
        folder: Path,
        words: Sequence[str],
        *args: Any,
        widths: Sequence[int] | None = None,
        **given: Any,
    ) -> ProgramRun:
        """A run of the program, in which `ShapeNet` gets these widths, if any."""
        if widths:
            file = folder / "train.py"
            made = "ShapeNet(len(train_set.classes)"
            source = file.read_text("utf-8").replace(made, f"{made}, widths={tuple(widths)}")
            file.write_text(source, "utf-8")
        return super().run(folder, words, *args, **given)

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of the one run in `runs`."""
        (run,) = runs
        (counted,) = run.counts or [{}]
        facts: dict[str, Any] = {"error": run.error, "ends": run.end}
        if (file := folder / "run.pt").exists():
            state = torch.load(file, map_location="cpu", weights_only=True)
            facts |= {"devices": counted.get("used"), **_content(state)}
            facts |= _trained(state) if "plain" in data else _shapes(state)
        if "copies" in counted:
            facts |= {"copies": sum(counted["copies"].values()), "waits": counted["waits"]}
        return facts

    def references(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """`weights` and `losses` of a run without the part; none where widths differ."""
        return super().references(data) if "plain" in data else {}

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts with weights and loss compared."""
        if "weights" not in facts:
            return facts
        wanted, seen = references["weights"], facts["weights"]
        alike = all(seen.get(name) == wanted[name] for name in wanted)
        loss = facts["loss"] / references["losses"][-1]
        weights = "as they should be" if alike else "others"
        return {**facts, "weights": weights, "loss": round(loss, 5)}


def _trained(state: Mapping[str, Any]) -> dict[str, Any]:
    return {"weights": digests(state), "loss": state["log"][-1]["loss"]}


def _content(state: Mapping[str, Any]) -> dict[str, Any]:
    model = state["model"]
    return {
        "trained": sum(len(group["params"]) for group in state["optimizer"]["param_groups"]),
        "keys": sorted(model, key=lambda name: (len(name), name)),  # the short ones are shown
        "fixed": [model[name].flatten().tolist() for name in ("mean", "std") if name in model],
    }


def _shapes(state: Mapping[str, Any]) -> dict[str, Any]:
    layers = {name: tensor for name, tensor in state["model"].items() if "." in name}
    return {"shapes": {name: list(tensor.shape) for name, tensor in layers.items()}}


observer = WholeNetwork()
