"""Observe `load_partial`: the report, and every tensor of the model afterwards."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.facts import describe

from ..observing import Loading

LISTS = ("missing", "unexpected", "mismatched")


class LoadPartial(Loading):
    """Facts: `report`, each list sorted, or else `form`; `parameters` and `buffers`, those that are
    not saved included, with their numbers; and `places`, the dtype and device of each."""

    def content(self, data: Mapping[str, Any]) -> OrderedDict[str, torch.Tensor]:
        """The state dict that is in the file; each tensor is full of one number."""
        return OrderedDict((key, torch.full(shape, n)) for key, shape, n in data["file"])

    def model(self, data: Mapping[str, Any]) -> torch.nn.Module:
        """The model with the entries of the case, in its dtype and on its device."""
        return model_of(data["model"]).to(data["device"], getattr(torch, data["dtype"]))

    def facts(self, result: Any, model: torch.nn.Module) -> Facts:
        """The report, and the parameters and buffers of the model."""
        parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
        places = {
            key: f"{one.dtype} on {one.device}" for key, one in (parameters | buffers).items()
        }
        return {
            **_report(result),
            "places": places,
            "parameters": {key: one.flatten().tolist() for key, one in parameters.items()},
            "buffers": {key: one.flatten().tolist() for key, one in buffers.items()},
        }


def _report(result: Any) -> dict[str, Any]:
    is_right = isinstance(result, dict) and set(result) == set(LISTS)
    if not is_right or not all(isinstance(one, list | tuple | set) for one in result.values()):
        return {"form": describe(result)}
    return {"report": {name: sorted(map(str, result[name])) for name in LISTS}}


def model_of(entries: Iterable[tuple[str, list[int], float, str]]) -> torch.nn.Module:
    """A module with these entries: `(key, shape, number that fills it, kind)`.

    kind: "parameter", "buffer", or "unsaved buffer", which a state dict does not contain.
    """
    root = torch.nn.Module()
    for key, shape, number, kind in entries:
        part, _, name = key.rpartition(".")
        if part not in dict(root.named_modules()):
            root.add_module(part, torch.nn.Module())
        module = root.get_submodule(part)
        tensor = torch.full(shape, number)
        if kind == "parameter":
            module.register_parameter(name, torch.nn.Parameter(tensor))
        else:
            module.register_buffer(name, tensor, persistent=kind == "buffer")
    return root
