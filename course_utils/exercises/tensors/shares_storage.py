"""Observe `tensors.shares_storage`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

STEPS: dict[str, Callable[..., torch.Tensor]] = {
    "flat": lambda x: x.view(-1),
    "row": lambda x, i: x[i],
    "rows": lambda x, first, end: x[first:end],
    "transposed": lambda x: x.t(),
    "detached": lambda x: x.detach(),
    "moved nowhere": lambda x: x.to(x.device),
    "read as int32": lambda x: x.view(torch.int32),
    "cloned": lambda x: x.clone(),
    "copied by to": lambda x: x.to(x.device, copy=True),
    "moved": lambda x, device: x.to(device),
    "transposed and reshaped": lambda x: x.t().reshape(-1),
}
"""What can be done to a tensor on its way to become `a` or `b`."""


class SharesStorage(Observer):
    """Facts: the answer, and both tensors before and after."""

    name = "tensors.shares_storage"
    parameters = ("a", "b")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        origin = torch.tensor(data["values"], dtype=torch.float32, device=data["device"])
        pair = [_derive(origin, data["a"]), _derive(origin, data["b"])]
        before = [describe(tensor) for tensor in pair]
        said = answer(*pair)
        after = [describe(tensor) for tensor in pair]
        return {"said": describe(said), "before": before, "after": after}


def _derive(tensor: torch.Tensor, steps: Sequence[Sequence[Any]]) -> torch.Tensor:
    for name, *arguments in steps:
        tensor = STEPS[name](tensor, *arguments)
    return tensor
