"""Observe `move_optimizer`: net, states and gradients after the move, and further training."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text

from ..observing import places


class MoveOptimizer(Observer):
    """Facts after the move: `held`, names of the parameters that the optimizer holds; `net`, the
    device of each tensor of the net; `counters` and other `states`; and `stayed`, the number
    of these that should have moved and did not, by parameter.

    no_gradient: names of parameters that have lost their gradient. trained: the parameters after
    two further steps; or `raised`, the error of a step.
    """

    def prepare(
        self, data: Mapping[str, Any]
    ) -> tuple[nn.Module, torch.optim.Optimizer, torch.device, Mapping[str, Any]]:
        """The net and its optimizer in the state of the case, the device, and the data."""
        net, optimizer = make(data, data["start"])
        for _ in range(data["steps_before"]):
            fill_gradients(net, data["x"])
            optimizer.step()
        if data["pending"]:
            fill_gradients(net, data["x"])
        if data["cleared"]:
            optimizer.zero_grad()
        return net, optimizer, torch.device(data["device"]), data

    def observe(
        self,
        answer: Callable[..., Any],
        inputs: tuple[nn.Module, torch.optim.Optimizer, torch.device, Mapping[str, Any]],
    ) -> Facts:
        """The facts of one call, and of the training after it."""
        net, optimizer, device, data = inputs
        before = _states(net, optimizer)
        answer(net, optimizer, device)
        after = _states(net, optimizer)
        names = {id(parameter): name for name, parameter in net.named_parameters()}
        held = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        facts = {
            "held": [names.get(id(parameter), "not a parameter of the net") for parameter in held],
            "net": dict(places(net)),
            "stayed": _stayed(before, after, data["device"]),
            "counters": {label: after[label] for label in after if label.endswith(".step")},
            "states": {label: after[label] for label in after if not label.endswith(".step")},
            "no_gradient": [
                n for n, p in net.named_parameters() if data["pending"] and p.grad is None
            ],
        }
        try:
            if data["pending"]:
                optimizer.step()
            for _ in range(2):
                fill_gradients(net, data["x"])
                optimizer.step()
        except Exception as error:  # of torch, after an answer that left things apart
            return facts | {"raised": raised_text(error)}
        return facts | {"trained": [p.tolist() for p in net.parameters()]}


def make(data: Mapping[str, Any], device: str) -> tuple[nn.Module, torch.optim.Optimizer]:
    """A net of two layers with given weights and a buffer, and its optimizer, of two groups."""
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    with torch.no_grad():
        for parameter, values in zip(net.parameters(), data["weights"], strict=True):
            parameter.copy_(torch.tensor(values))
    net.register_buffer("scale", torch.ones(2))
    # Before the optimizer is made: Adagrad makes its states at once.
    net.to(device, getattr(torch, data["dtype"]))
    first, second = ({"params": layer.parameters()} for layer in net.children())
    # One tensor after another: the order of the sums is then the same on every device.
    options = {"lr": 0.125, "foreach": False, **data["options"]}
    kind = getattr(torch.optim, data["optimizer"])
    return net, kind([first, second | {"lr": options["lr"] / 2}], **options)


def fill_gradients(net: nn.Module, x: list[list[float]]) -> None:
    """Give each parameter the gradient of the batch `x`."""
    weight = next(net.parameters())
    net.zero_grad()
    net(torch.tensor(x, device=weight.device, dtype=weight.dtype)).square().mean().backward()


def _states(net: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """The optimizer's states of the net's parameters, described, by names as "0.weight.step"."""
    return {
        f"{name}.{entry}": describe(value)
        for name, parameter in net.named_parameters()
        for entry, value in optimizer.state.get(parameter, {}).items()
    }


def _stayed(before: Facts, after: Facts, device: str) -> dict[str, str]:
    found: dict[str, list[bool]] = {}
    for label, old in before.items():
        if old["shape"] and old["device"] != device:
            stayed = after.get(label, {}).get("device") == old["device"]
            found.setdefault(label.rpartition(".")[0], []).append(stayed)
    return {name: f"{sum(states)} of {len(states)}" for name, states in found.items()}
