"""Observe `forward_from_anywhere`: the result, where the module ran, copies and gradients."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

from ..observing import places, routes

Inputs = tuple[nn.Module, torch.Tensor, bool]


class Shift(nn.Module):
    """A module that holds one buffer and no parameter."""

    def __init__(self, shift: torch.Tensor, persistent: bool) -> None:
        super().__init__()
        self.register_buffer("shift", shift, persistent=persistent)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.shift


class ForwardFromAnywhere(Observer):
    """Facts: `result`, `copies`, `ran_on` (the module's devices in each call), `no_gradient`.

    no_gradient: which of x and the module's parameters got none from a backward pass.
    kept, input_kept: whether module and input are as before.
    """

    parameters = ("module", "x", "back")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        x = torch.tensor(data["x"], device=data["device"], requires_grad=data["grad"])
        return build(data["module"]), x, data["back"]

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        module, x, back = inputs
        before, was = places(module), describe(x)
        ran_on: list[list[str]] = []
        # Copies of the module take the hook along.
        module.register_forward_pre_hook(
            lambda called, arguments: ran_on.append(sorted({p for _, p in places(called)}))
        )
        with count_copies() as copies:
            result = answer(module, x, back)
        return {
            "result": describe(result),
            "copies": routes(copies.by_route),
            "ran_on": ran_on[:20],
            "kept": places(module) == before,
            "input_kept": describe(x) == was,
            "no_gradient": _without_gradient(module, x, result),
        }


def build(described: Mapping[str, Any]) -> nn.Module:
    """A `Linear`, a module with a buffer only, or one that holds no tensor at all."""
    kind, device = described["kind"], described["device"]
    if kind == "relu":
        return nn.ReLU()
    if kind in ("shift", "temporary"):
        return Shift(torch.tensor(described["shift"], device=device), kind == "shift")
    weight = torch.tensor(described["weight"])
    layer = nn.Linear(*reversed(weight.shape))
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(torch.tensor(described["bias"]))
    return layer.to(device)


def _without_gradient(module: nn.Module, x: torch.Tensor, result: Any) -> list[str]:
    asked = {**dict(module.named_parameters()), **({"x": x} if x.requires_grad else {})}
    if isinstance(result, torch.Tensor) and result.requires_grad:
        result.sum().backward()
    return [name for name, tensor in asked.items() if tensor.grad is None]


observer = ForwardFromAnywhere()
