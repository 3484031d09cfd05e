"""What the observers of this assignment share: small nets, forged tags, fewer GPUs."""

import contextlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any
from unittest import mock

import torch

from course_utils.checking.facts import describe


def net_of(names: Sequence[str]) -> torch.nn.Sequential:
    """A net of two inputs: the names are those of a layer, a normalisation and a head."""
    body, norm, head = names
    layers = {
        body: torch.nn.Linear(2, 2),
        norm: torch.nn.BatchNorm1d(2),
        head: torch.nn.Linear(2, 1),
    }
    return torch.nn.Sequential(OrderedDict(layers))


def fill(tensors: Sequence[torch.Tensor], values: Sequence[float]) -> None:
    """Write `values` into the tensors, one after another."""
    rest = list(values)
    with torch.no_grad():
        for tensor in tensors:
            count = tensor.numel()
            tensor.copy_(torch.tensor(rest[:count]).reshape(tensor.shape))
            del rest[:count]


def described(tensors: Mapping[str, torch.Tensor]) -> list[list[Any]]:
    """Named tensors as facts: pairs of a name and a described tensor."""
    return [[str(name), describe(tensor)] for name, tensor in tensors.items()]


def save_tagged(
    content: Any, path: str | PathLike[str], *, tags: Mapping[int, str], default: str
) -> None:
    """Save `content` so that its storages claim to come from other devices.

    tags: the tag of a storage, by its address; `default` is that of all others.
    """

    def tag_of(storage: Any) -> str:
        return tags.get(storage.data_ptr(), default)

    with mock.patch("torch.serialization.location_tag", tag_of):
        torch.save(content, path)


@contextlib.contextmanager
def visible(gpus: int | None) -> Iterator[None]:
    """Let torch find only `gpus` GPUs while the body runs; None leaves it as it is."""
    if gpus is None:
        yield
        return
    with (
        mock.patch("torch.cuda.is_available", lambda: gpus > 0),
        mock.patch("torch.cuda.device_count", lambda: gpus),
    ):
        yield
