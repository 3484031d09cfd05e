"""Observers of one call on devices: its copies, and the numbers that it reads from a GPU."""

import collections
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from course_utils.experiments.copies import Copies, count_copies
from exercise_kit.contract import Facts
from exercise_kit.observers import OneCall, entries

_DEEPEST = 12


class DeviceCall(OneCall):
    """The facts of `OneCall`, and the copies of the call.

    copies, bytes: by route, as in `[["cpu", "cuda:1", 2]]`, sorted. read: the count of single
    numbers that were fetched from a GPU. same: for each tensor in the result, in order, the number
    of the input tensor that it is, or None.
    """

    gpus: int | None = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of a call, with its copies and the returned tensors that are inputs."""
        self._copies = Copies()
        self._same: list[int | None] = []
        facts = super().observe(answer, inputs)
        return {
            **facts,
            "copies": routes(self._copies.by_route),
            "bytes": routes(self._copies.bytes_by_route),
            "read": self._copies.numbers_read,
            "same": self._same,
        }

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The result of the answer; records copies, and tensors that are inputs."""
        given = {id(tensor): number for number, tensor in enumerate(tensors_in(inputs))}
        with count_copies() as self._copies:
            result = answer(*inputs)
        self._same = [given.get(id(tensor)) for tensor in tensors_in(result)]
        return result


def build(described: Mapping[str, Any]) -> Any:
    """The object that `exercise_kit.facts.describe` would describe as `described`."""
    kind = described["type"]
    if kind == "Tensor":
        dtype = getattr(torch, described["dtype"])
        tensor = torch.tensor(described["values"], dtype=dtype, device=described["device"])
        return tensor.reshape(described["shape"])
    if "items" not in described:
        return described["value"]
    items = [build(item) for item in described["items"]]
    if kind == "dict":
        return dict(zip(map(build, described["keys"]), items, strict=True))
    if kind == "namedtuple":
        return collections.namedtuple(described["class"], described["fields"])(*items)
    return tuple(items) if kind == "tuple" else items


def linear(weight: list[list[float]], bias: list[float]) -> torch.nn.Linear:
    """A linear layer with these weights, shape (out, in), and this bias."""
    layer = torch.nn.Linear(len(weight[0]), len(bias))
    layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})
    return layer


def weights(model: torch.nn.Module) -> list[float]:
    """The values of all parameters as one flat list."""
    own = (p for _, p in entries(model) if isinstance(p, torch.nn.Parameter))
    return [value for p in own for value in p.detach().flatten().tolist()]


def tensors_in(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """The tensors in nested tuples, lists, dicts and namedtuples, in order."""
    kind = type(value)
    if kind is torch.Tensor:
        yield value
    elif depth < _DEEPEST and (kind in (tuple, list, dict) or kind.__bases__ == (tuple,)):
        for item in list(value.values() if kind is dict else value):
            yield from tensors_in(item, depth + 1)


def routes(by_route: dict[tuple[str, str], int]) -> list[list[Any]]:
    """Counts by route as facts: `[["cpu", "cuda:1", 2]]`, sorted."""
    return sorted([*route, count] for route, count in dict.items(by_route) if count)
