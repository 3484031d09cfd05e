"""Observe `make_movable`: what the module holds, and what it does after it has been moved."""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text

from ..observing import places

_DEEPEST = 3


class MakeMovable(Observer):
    """Facts: `checkpoint` and `parameters` (names), `loose` (tensors and modules that it holds

    unregistered), `born` (devices), and, after the moves, `raised` or `copies` and `result`.
    """

    parameters = ("size", "depth")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        module = answer(inputs["size"], inputs["depth"])
        if not isinstance(module, nn.Module):
            return {"module": False, "returned": describe(module)}
        facts = {
            "module": True,
            "checkpoint": sorted(map(str, module.state_dict())),
            "parameters": sorted(name for name, _ in module.named_parameters()),
            "loose": sorted(set(_loose(module))),
            "scale": describe(module.state_dict().get("scale")),
            "born": sorted({device for _, device in places(module)}),
        }
        try:
            return facts | _use(module, inputs)
        except Exception as error:  # of the module, which the engine cannot know
            return facts | {"raised": raised_text(error)}


def _loose(module: nn.Module) -> Iterator[str]:
    """The names of attributes that hold a tensor or a module out of the module's sight."""
    for part in module.modules():
        for name, value in vars(part).items():
            if not name.startswith("_") and _holds_any(value, 0):
                yield name


def _holds_any(value: Any, depth: int) -> bool:
    if isinstance(value, torch.Tensor | nn.Module):
        return True
    if depth >= _DEEPEST or not isinstance(value, list | tuple | dict):
        return False
    items = value.values() if isinstance(value, dict) else value
    return any(_holds_any(item, depth + 1) for item in items)


def _use(module: nn.Module, data: Mapping[str, Any]) -> dict[str, Any]:
    """Load the checkpoint, move the module as the case says, and run it once."""
    state = {key: torch.tensor(values) for key, values in data["checkpoint"].items()}
    module.load_state_dict(state, strict=False)
    if data["copied"]:
        module = copy.deepcopy(module)
    # A module is often part of a larger one, and then it is the larger one that is moved.
    whole = nn.Sequential(module) if data["inside"] else module
    for method, *arguments in data["moves"]:
        getattr(whole, method)(*map(_argument, arguments))
    x = torch.tensor(data["x"], dtype=getattr(torch, data["dtype"]), device=data["device"])
    with count_copies() as copies:
        result = whole(x)
    return {"copies": copies.total, "result": describe(result)}


def _argument(value: Any) -> Any:
    return getattr(torch, value) if value == "float64" else value
