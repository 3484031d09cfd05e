"""Observe `modules.move_optimizer`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.modules.material import places, raised_text
from course_utils.exercises.modules.training import backward, make, step


class MoveOptimizer(Observer):
    """Facts: places of parameters and states after the move, and where training then leads."""

    name = "modules.move_optimizer"
    parameters = ("net", "optimizer", "device")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        net, optimizer = make(data)
        net.to(data["start"])
        for _ in range(data["steps_before"]):
            step(net, optimizer, data["x"])
        if data["pending"]:
            optimizer.zero_grad()
            backward(net, data["x"])
        state_before = _states(net, optimizer)
        answer(net, optimizer, torch.device(data["device"]))
        facts = {
            "net": places(net),
            "same_parameters": _holds_parameters_of(net, optimizer),
            "state_before": state_before,
            "state": _states(net, optimizer),
            "options": [group["lr"] for group in optimizer.param_groups],
        }
        try:
            if data["pending"]:
                optimizer.step()
                optimizer.zero_grad()
            for _ in range(data["steps_after"]):
                step(net, optimizer, data["x"])
        except Exception as error:  # of torch, after an answer that left things apart
            return facts | {"raised": raised_text(error)}
        return facts | {"trained": [describe(p) for p in net.parameters()]}


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
