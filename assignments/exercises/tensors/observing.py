"""What the observers of this assignment share: inputs made from data, and copies as facts."""

import collections
from collections.abc import Iterator, Mapping
from typing import Any

import torch

_DEEPEST = 12


def build(described: Mapping[str, Any]) -> Any:
    """The object that `course_utils.checking.facts.describe` would describe as `described`."""
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


def tensors_in(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """The tensors in nested tuples, lists, dicts and namedtuples, in order."""
    kind = type(value)
    if kind is torch.Tensor:
        yield value
    elif depth < _DEEPEST and (kind in (tuple, list, dict) or kind.__bases__ == (tuple,)):
        for item in list(value.values() if kind is dict else value):
            yield from tensors_in(item, depth + 1)


def routes(by_route: Mapping[tuple[str, str], int]) -> list[list[Any]]:
    """The counted copies as facts: `[["cpu", "cuda:1", 2]]`, sorted."""
    return sorted([source, target, count] for (source, target), count in by_route.items() if count)
