"""What the observers of this topic share: a small model, and forged tags."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any
from unittest import mock

import torch

from course_utils.experiments.copies import Copies


def model_of(names: Sequence[str]) -> torch.nn.Sequential:
    """A model of two inputs: the names are those of a layer, a normalisation and a head."""
    body, norm, head = names
    layers = {
        body: torch.nn.Linear(2, 2),
        norm: torch.nn.BatchNorm1d(2),
        head: torch.nn.Linear(2, 1),
    }
    return torch.nn.Sequential(OrderedDict(layers))


def fill(tensors: Iterable[torch.Tensor], values: Sequence[float]) -> None:
    """Write `values` into the tensors, one after another."""
    rest = list(values)
    with torch.no_grad():
        for tensor in tensors:
            count = tensor.numel()
            tensor.copy_(torch.tensor(rest[:count]).reshape(tensor.shape))
            del rest[:count]


def save_tagged(
    content: Any, path: str | PathLike[str], tag_of: Callable[[torch.UntypedStorage], str]
) -> None:
    """Save `content` so that its storages claim to come from the devices that `tag_of` names."""
    with mock.patch("torch.serialization.location_tag", tag_of):
        torch.save(content, path)


def gpus_of(copies: Copies) -> list[str]:
    """The GPUs from or to which something was copied."""
    ends = {end for route in copies.by_route for end in route}
    return sorted(ends - {"cpu"})
