"""Observe `modules.forward_from_anywhere`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.modules.material import places
from course_utils.experiments.copies import count_copies


class Shift(nn.Module):
    """A module that holds a buffer and no parameter."""

    def __init__(self, shift: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("shift", shift)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.shift


class ForwardFromAnywhere(Observer):
    """Facts: the result, the copies between devices, and input and module afterwards."""

    name = "modules.forward_from_anywhere"
    parameters = ("module", "x", "back")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        module = _build(data["module"])
        x = torch.tensor(data["x"], device=data["device"], requires_grad=data["grad"])
        before, was = places(module), describe(x)
        with count_copies() as copies:
            result = answer(module, x, data["back"])
        return {
            "copies": sorted([*route, n] for route, n in copies.by_route.items() if n),
            "result": describe(result),
            "tracked": isinstance(result, torch.Tensor) and result.requires_grad,
            "module_kept": places(module) == before,
            "input_kept": describe(x) == was,
        }


def _build(described: Mapping[str, Any]) -> nn.Module:
    """A `Linear`, a module with a buffer only, or one that holds no tensor at all."""
    if described["kind"] == "relu":
        return nn.ReLU()
    if described["kind"] == "shift":
        return Shift(torch.tensor(described["shift"], device=described["device"]))
    weight = torch.tensor(described["weight"])
    layer = nn.Linear(*reversed(weight.shape), bias=False)
    with torch.no_grad():
        layer.weight.copy_(weight)
    return layer.to(described["device"])
