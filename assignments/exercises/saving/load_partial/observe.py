"""Observe `load_partial`: the report, and every tensor of the model afterwards."""

import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import save_tagged


@dataclass
class Inputs:
    folder: tempfile.TemporaryDirectory[str]
    path: Path
    model: torch.nn.Module


class LoadPartial(Observer):
    """Facts: `result`, `state` (what is in the model, buffers that are not saved included), `same`
    (whether the parameters are the same objects) and `file` (whether its bytes are as before)."""

    parameters = ("model", "path")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "weights.pt"
        content = OrderedDict((key, torch.full(shape, n)) for key, shape, n in data["file"])
        save_tagged(content, path, lambda storage: data["tag"])
        model = model_of(data["model"]).to(data["device"], getattr(torch, data["dtype"]))
        return Inputs(folder, path, model)

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        model, path = inputs.model, inputs.path
        with inputs.folder:
            before, parameters = path.read_bytes(), [*model.parameters()]
            result = answer(model, str(path))
            kept = path.exists() and path.read_bytes() == before
        pairs = zip(parameters, model.parameters(), strict=False)
        tensors = {**dict(model.named_buffers()), **model.state_dict()}
        return {
            "result": describe(result),
            "state": {key: describe(tensor) for key, tensor in tensors.items()},
            "same": all(old is new for old, new in pairs),
            "file": kept,
        }


def model_of(entries: Sequence[Sequence[Any]]) -> torch.nn.Module:
    """A module with these entries: `(key, shape, number that fills it, kind)`.

    kind: "parameter", "buffer", or "unsaved buffer", which a state dict does not contain.
    """
    root = torch.nn.Module()
    for key, shape, number, kind in entries:
        *path, name = key.split(".")
        module = root
        for part in path:
            if part not in dict(module.named_children()):
                module.add_module(part, torch.nn.Module())
            module = module.get_submodule(part)
        tensor = torch.full(shape, number)
        if kind == "parameter":
            module.register_parameter(name, torch.nn.Parameter(tensor))
        else:
            module.register_buffer(name, tensor, persistent=kind == "buffer")
    return root


observer = LoadPartial()
