"""Observe `move_optimizer`: net, states and gradients after the move, and further training."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.optim import SGD, Adagrad, Adam, Optimizer

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import places, raised_text

OPTIMIZERS = {"SGD": SGD, "Adam": Adam, "Adagrad": Adagrad}

Inputs = tuple[nn.Module, Optimizer, torch.device, Mapping[str, Any]]


class MoveOptimizer(Observer):
    """Facts: `net` (places), `same_parameters`, `before` and `after` (the states), `no_gradient`

    (parameters that had one before), and `trained` (the parameters after further steps) or
    `raised`.
    """

    parameters = ("net", "optimizer", "device")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        net, optimizer = make(data, data["start"])
        for _ in range(data["steps_before"]):
            step(net, optimizer, data["x"])
        if data["pending"]:
            optimizer.zero_grad()
            backward(net, data["x"])
        return net, optimizer, torch.device(data["device"]), data

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        net, optimizer, device, data = inputs
        before, had_gradient = _states(net, optimizer), _with_gradient(net)
        answer(net, optimizer, device)
        facts = {
            "net": places(net),
            "same_parameters": _holds_parameters_of(net, optimizer),
            "before": before,
            "after": _states(net, optimizer),
            "no_gradient": [name for name in had_gradient if name not in _with_gradient(net)],
        }
        try:
            if data["pending"]:
                optimizer.step()
            for _ in range(data["steps_after"]):
                step(net, optimizer, data["x"])
        except Exception as error:  # of torch, after an answer that left things apart
            return facts | {"raised": raised_text(error)}
        return facts | {"trained": [p.tolist() for p in net.parameters()]}


def make(data: Mapping[str, Any], device: str) -> tuple[nn.Module, Optimizer]:
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
    options = {"foreach": False, **data["options"]}
    groups = [first, second | {"lr": options["lr"] / 2}]
    return net, OPTIMIZERS[data["optimizer"]](groups, **options)


def backward(net: nn.Module, x: Sequence[Sequence[float]]) -> None:
    """Fill the gradients of `net`."""
    weight = next(net.parameters())
    inputs = torch.tensor(x, device=weight.device, dtype=weight.dtype)
    net(inputs).square().mean().backward()


def step(net: nn.Module, optimizer: Optimizer, x: Sequence[Sequence[float]]) -> None:
    """One whole step of training."""
    optimizer.zero_grad()
    backward(net, x)
    optimizer.step()


def _holds_parameters_of(net: nn.Module, optimizer: Optimizer) -> bool:
    held = [p for group in optimizer.param_groups for p in group["params"]]
    mine = list(net.parameters())
    return len(held) == len(mine) and all(a is b for a, b in zip(held, mine, strict=True))


def _states(net: nn.Module, optimizer: Optimizer) -> list[list[Any]]:
    """Parameter, entry and description of every state, of the parameters that `net` has."""
    return [
        [name, str(entry), describe(value)]
        for name, parameter in net.named_parameters()
        for entry, value in optimizer.state.get(parameter, {}).items()
    ]


def _with_gradient(net: nn.Module) -> list[str]:
    return [name for name, parameter in net.named_parameters() if parameter.grad is not None]


observer = MoveOptimizer()
