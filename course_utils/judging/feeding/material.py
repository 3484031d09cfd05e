"""Described batches, made from plain numbers, as `course_utils.checking.facts.describe` does."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

Described = dict[str, Any]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")


def tensor(rng: random.Random, device: str = "cpu") -> Described:
    """A float32 tensor of two or three whole numbers."""
    values = [float(rng.randint(1, 30)) for _ in range(rng.randint(2, 3))]
    return {
        "type": "Tensor", "dtype": "float32", "shape": [len(values)], "device": device,
        "values": values,
    }  # fmt: skip


def plain(value: float | str | None) -> Described:
    """A plain value."""
    return {"type": "NoneType" if value is None else type(value).__name__, "value": value}


def many(kind: str, *items: Described) -> Described:
    """A list or a tuple."""
    return {"type": kind, "items": list(items)}


def keyed(**items: Described) -> Described:
    """A dict with texts as keys."""
    return {"type": "dict", "keys": [plain(key) for key in items], "items": list(items.values())}


def tensors(described: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every tensor of a described batch."""
    if described["type"] == "Tensor":
        yield described
    for item in described.get("items", ()):
        yield from tensors(item)


def moved(described: Mapping[str, Any], device: str) -> Described:
    """The batch with every tensor on `device`."""
    if described["type"] == "Tensor":
        return {**described, "device": device}
    if "items" in described:
        return {**described, "items": [moved(item, device) for item in described["items"]]}
    return dict(described)


def gpu_not_current(rng: random.Random) -> str:
    """A GPU that is not the current one, so that a device left out shows."""
    return rng.choice(GPUS[1:])
