"""What the observers of this assignment share: inputs made from data, and copies as facts."""

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

_DEEPEST = 12


def build(described: Mapping[str, Any]) -> Any:
    """The object that `course_utils.checking.facts.describe` would describe as `described`.

    A tensor may say `part_of` as well: how many such tensors its storage has room for.
    """
    kind = described["type"]
    if kind == "Tensor":
        dtype = getattr(torch, described["dtype"])
        tensor = torch.tensor(described["values"], dtype=dtype, device=described["device"])
        tensor = tensor.reshape(described["shape"])
        return torch.stack([tensor] * described["part_of"])[0] if "part_of" in described else tensor
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


class Addition(Observer):
    """Facts: `result`, `copies` between devices, and `changed`, operands not as before.

    parameters: "a" and "b", described tensors, and whatever else the answer takes.
    """

    def __init__(self, *parameters: str) -> None:
        self.parameters = parameters

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        return [build(data["a"]), build(data["b"]), *(data[name] for name in self.parameters[2:])]

    def observe(self, answer: Callable[..., Any], inputs: Sequence[Any]) -> Facts:
        before = [describe(operand) for operand in inputs[:2]]
        with count_copies() as copies:
            result = answer(*inputs)
        pairs = zip("ab", before, inputs, strict=False)
        return {
            "result": describe(result),
            "copies": routes(copies.by_route),
            "changed": [name for name, old, operand in pairs if describe(operand) != old],
        }
