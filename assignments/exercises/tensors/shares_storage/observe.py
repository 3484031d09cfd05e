"""Observe `shares_storage`: the answer, and both tensors afterwards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

STEPS: dict[str, Callable[..., torch.Tensor]] = {
    "all of it": lambda x: x[:],
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
    """Facts: `said` (described), and `changed`, the tensors that are not as before.

    What was written to counts, even if the old values were put back.
    """

    parameters = ("a", "b")

    def prepare(self, data: Mapping[str, Any]) -> list[torch.Tensor]:
        origin = torch.tensor(data["values"], device=data["device"])
        return [_derive(origin, data["a"]), _derive(origin, data["b"])]

    def observe(self, answer: Callable[..., Any], inputs: list[torch.Tensor]) -> Facts:
        before = [_look(tensor) for tensor in inputs]
        said = answer(*inputs)
        pairs = zip("ab", before, inputs, strict=True)
        changed = [name for name, old, tensor in pairs if _look(tensor) != old]
        return {"said": describe(said), "changed": changed}


def _look(tensor: torch.Tensor) -> tuple[Any, int]:
    """The tensor, and how often it was written to."""
    return describe(tensor), tensor._version


def _derive(tensor: torch.Tensor, steps: Sequence[Sequence[Any]]) -> torch.Tensor:
    for name, *arguments in steps:
        tensor = STEPS[name](tensor, *arguments)
    return tensor


observer = SharesStorage()
