"""The small training that `modules.move_optimizer` interrupts, made from data."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.optim import SGD, Adagrad, Adam, Optimizer

OPTIMIZERS = {"SGD": SGD, "Adam": Adam, "Adagrad": Adagrad}


def make(data: Mapping[str, Any]) -> tuple[nn.Module, Optimizer]:
    """A net of two layers on the CPU with given weights, and its optimizer, of two groups."""
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    with torch.no_grad():
        for parameter, values in zip(net.parameters(), data["weights"], strict=True):
            parameter.copy_(torch.tensor(values))
    first, second = ({"params": layer.parameters()} for layer in net)
    # One tensor after another: the order of the sums is then the same on every device.
    options = {"foreach": False, **data["options"]}
    groups = [first, second | {"lr": options["lr"] / 2}]
    return net, OPTIMIZERS[data["optimizer"]](groups, **options)


def backward(net: nn.Module, x: Sequence[Sequence[float]]) -> None:
    """Fill the gradients of `net`."""
    inputs = torch.tensor(x, device=next(net.parameters()).device)
    net(inputs).square().mean().backward()


def step(net: nn.Module, optimizer: Optimizer, x: Sequence[Sequence[float]]) -> None:
    """One whole step of training."""
    optimizer.zero_grad()
    backward(net, x)
    optimizer.step()
