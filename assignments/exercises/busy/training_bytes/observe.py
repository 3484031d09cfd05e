"""Observe `training_bytes`: the dict that comes back, and what was copied or changed for it."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies


class _Model(nn.Module):
    """Layers on devices of their own, with a norm, a tied head or a frozen layer where asked."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        dtype = getattr(torch, data["dtype"])
        width = data["width"]
        self.layers = nn.ModuleList(
            nn.Linear(width, width, dtype=dtype, device=device) for device in data["devices"]
        )
        self.norm = (
            nn.BatchNorm1d(width, dtype=dtype, device=data["devices"][-1])
            if data["norm"]
            else nn.Identity()
        )
        unsaved = torch.ones(width, dtype=dtype, device=data["devices"][-1])
        self.register_buffer("scale", unsaved if data["unsaved"] else None, persistent=False)
        self.head = nn.Linear(width, width, dtype=dtype, device=data["devices"][-1])
        if data["tied"]:
            self.head.weight = self.layers[-1].weight
        if data["frozen"]:
            self.layers[0].requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x.to(layer.weight.device))
        return self.head(self.norm(x))


def _optimizer(model: _Model, data: Mapping[str, Any]) -> torch.optim.Optimizer:
    parameters = list((model.head if data["head_only"] else model).parameters())
    if data["optimizer"] == "Adam":
        return torch.optim.Adam(parameters)
    return torch.optim.SGD(parameters, lr=0.01, momentum=data["momentum"])


class TrainingBytes(Observer):
    """Facts: `result`, `copies` between devices, `numbers_read` from GPUs, and `kept`: model and
    optimizer are as before.
    """

    parameters = ("model", "optimizer", "device")

    def prepare(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        model = _Model(data)
        optimizer = _optimizer(model, data)
        rows = torch.randn(4, data["width"], dtype=getattr(torch, data["dtype"]))

        for _ in range(data["steps"]):
            optimizer.zero_grad()
            model(rows).square().mean().backward()
            optimizer.step()
        if data["cleared"]:
            optimizer.zero_grad()
        if data["frozen_since"]:
            model.layers[0].requires_grad_(False)
        for state in optimizer.state.values() if data["numbers"] else ():
            state |= {"updates": data["steps"], "last_error": None}
        return model, optimizer, torch.device(data["device"])

    def observe(self, answer: Callable[..., Any], inputs: tuple[Any, ...]) -> Facts:
        model, optimizer, device = inputs
        before = _state(model, optimizer)
        with count_copies() as copies:
            result = answer(model, optimizer, device)
        kept = before == _state(model, optimizer)
        return {
            "result": describe(result),
            "copies": copies.total,
            "numbers_read": copies.numbers_read,
            "kept": kept,
        }


def _state(model: nn.Module, optimizer: torch.optim.Optimizer) -> list[str]:
    """Where everything is, its numbers, and which states there are.

    A look-up in `optimizer.state` leaves an empty dict behind, which changes nothing.
    """
    parameters = list(model.parameters())
    tensors = [*parameters, *(p.grad for p in parameters), *model.buffers()]
    told = [str(t if t is None else (t.device, t.dtype, t.tolist())) for t in tensors]
    return told + [str(sorted(state)) for state in optimizer.state.values() if state]


observer = TrainingBytes()
