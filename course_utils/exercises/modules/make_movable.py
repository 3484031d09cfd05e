"""Observe `modules.make_movable`."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.modules.material import places, raised_text
from course_utils.experiments.copies import count_copies


class MakeMovable(Observer):
    """Facts: what the module holds, where it is before and after the moves, and a forward pass."""

    name = "modules.make_movable"
    parameters = ("size", "depth")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        module = answer(data["size"], data["depth"])
        if not isinstance(module, nn.Module):
            return {"module": False, "returned": describe(module)}
        facts = {
            "module": True,
            "checkpoint": sorted(map(str, module.state_dict())),
            "parameters": sorted(name for name, _ in module.named_parameters()),
            "scale": describe(module.state_dict().get("scale")),
            "born": sorted({device for _, device in places(module)}),
        }
        try:
            return facts | _use(module, data)
        except Exception as error:  # of the module, which the engine cannot know
            return facts | {"raised": raised_text(error)}


def _use(module: nn.Module, data: Mapping[str, Any]) -> dict[str, Any]:
    """Load the checkpoint, move the module as the case says, and run it once."""
    state = {key: torch.tensor(values) for key, values in data["checkpoint"].items()}
    module.load_state_dict(state, strict=False)
    if data["copied"]:
        module = copy.deepcopy(module)
    # A module is often part of a larger one, and then it is the larger one that is moved.
    whole = nn.Sequential(module)
    for method, *arguments in data["moves"]:
        getattr(whole, method)(*map(_argument, arguments))
    x = torch.tensor(data["x"], dtype=getattr(torch, data["dtype"]), device=data["device"])
    with count_copies() as copies:
        result = whole(x)
    return {
        "moved": sorted({device for _, device in places(module)}),
        "copies": copies.total,
        "result": describe(result),
    }


def _argument(value: Any) -> Any:
    return getattr(torch, value) if value in ("float64", "float32") else value
