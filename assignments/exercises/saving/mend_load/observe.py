"""Observe `mend_load`: the outputs, where they and the model lie, and the copies between devices.

The machine that is made believe here has fewer GPUs than the one that saved the file.
"""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies
from course_utils.experiments.visible import visible

from ..observing import fill, gpus_of, save_tagged


@dataclass
class Inputs:
    folder: tempfile.TemporaryDirectory[str]
    path: Path
    model: torch.nn.Module
    batches: list[torch.Tensor]
    device: torch.device
    gpus: int


class MendLoad(Observer):
    """Facts: `result`, `model` (its devices), `copies` (how many), `gpus` (those touched)."""

    parameters = ("path", "model", "batches", "device")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "checkpoint.pt"
        trained, model = model_of(data["trained"]), model_of(data["own"])
        content = {
            "model": torch.nn.DataParallel(trained).state_dict(),
            "mean": torch.tensor(data["mean"]),
            "std": torch.tensor(data["std"]),
        }
        save_tagged(content, path, lambda storage: data["tag"])
        batches = [torch.tensor(batch) for batch in data["batches"]]
        return Inputs(folder, path, model, batches, torch.device(data["device"]), data["gpus"])

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        model = inputs.model
        with inputs.folder, count_copies() as copies, visible(inputs.gpus, answer):
            result = answer(str(inputs.path), model, inputs.batches, inputs.device)
        return {
            "result": describe(result),
            "model": sorted({str(tensor.device) for tensor in model.state_dict().values()}),
            "copies": copies.total,
            "gpus": gpus_of(copies),
        }


def model_of(values: list[float]) -> torch.nn.Module:
    """Two inputs, two hidden units, one output."""
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    fill(model.state_dict().values(), values)
    return model


observer = MendLoad()
