"""What the judges of this assignment share: described objects and counted copies.

Cases are drawn in the form of `course_utils.checking.facts.describe`, and what an answer should
have returned is written in it too.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip

Described = dict[str, Any]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")


def tensor(
    values: Sequence[Any], shape: Sequence[int], device: str, dtype: str = "float32"
) -> Described:
    """A tensor of `shape`, its `values` given one after another."""
    nested = list(values)
    for size in reversed(shape[1:]):
        nested = [nested[start : start + size] for start in range(0, len(nested), size)]
    return {
        "type": "Tensor",
        "dtype": dtype,
        "shape": list(shape),
        "device": device,
        "values": nested if shape else nested[0],
    }


def some_tensor(
    rng: random.Random, device: str, shape: Sequence[int] | None = None, dtype: str = "float32"
) -> Described:
    """A tensor of small whole numbers, without zero. They add up exactly in every dtype."""
    shape = (rng.randint(2, 4),) if shape is None else shape
    number = float if dtype.startswith("float") else int
    values = [number(rng.randint(1, 30)) for _ in range(math.prod(shape))]
    return tensor(values, shape, device, dtype)


def plain(value: bool | float | str | None) -> Described:
    """A plain value."""
    return {"type": "NoneType" if value is None else type(value).__name__, "value": value}


def many(kind: str, *items: Described) -> Described:
    """A list or a tuple."""
    return {"type": kind, "items": list(items)}


def keyed(**items: Described) -> Described:
    """A dict with strings as keys."""
    return {"type": "dict", "keys": [plain(key) for key in items], "items": list(items.values())}


def named(name: str, **items: Described) -> Described:
    """A namedtuple called `name`."""
    return many("namedtuple", *items.values()) | {"class": name, "fields": list(items)}


def is_tensor(described: Mapping[str, Any]) -> bool:
    return described["type"] == "Tensor"


def is_nothing(described: Mapping[str, Any]) -> bool:
    return described["type"] == "NoneType"


def two_gpus(rng: random.Random) -> list[str]:
    """Two different GPUs, neither of them the current one."""
    return rng.sample(GPUS[1:], 2)


def one_gpu(rng: random.Random) -> str:
    """A GPU that is not the current one, so that a device left out shows."""
    return rng.choice(GPUS[1:])


MIXED = "Expected all tensors to be on the same device"
"""How torch begins the error about operands on two devices."""

Copies = Sequence[Sequence[Any]]
"""Counted copies as facts: `[["cpu", "cuda:1", 2]]`."""

Route = tuple[str, str]


def counted(copies: Copies) -> Counter[Route]:
    return Counter({(source, target): number for source, target, number in copies})


def show_copies(copies: Mapping[Route, int]) -> str:
    """`2 × cpu → cuda:1`, or "no copy"."""
    shown = [f"{n} × {source} → {target}" for (source, target), n in sorted(copies.items())]
    return clip(", ".join(shown), 120) or "no copy"
