"""Draws for cases: GPUs, and tensors as `exercise_kit.facts.describe` describes them."""

import random
from collections.abc import Sequence
from typing import Any

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")


def two_gpus(rng: random.Random) -> list[str]:
    """Two different GPUs, neither of them the current one."""
    return rng.sample(GPUS[1:], 2)


def one_gpu(rng: random.Random) -> str:
    """A GPU that is not the current one, so that a device left out shows."""
    return rng.choice(GPUS[1:])


def tensor(values: Any, device: str, dtype: str = "float32") -> dict[str, Any]:
    """A described tensor with these values, which are nested as its shape."""
    facts = {"type": "Tensor", "dtype": dtype, "shape": shape_of(values), "device": device}
    return facts | {"values": values}


def shape_of(values: Any) -> list[int]:
    """The shape of nested lists that are not empty."""
    return [len(values), *shape_of(values[0])] if isinstance(values, list) else []


def nested(shape: Sequence[int], draw: Any) -> Any:
    """Nested lists of this shape; each number is a call of `draw`."""
    return [nested(shape[1:], draw) for _ in range(shape[0])] if shape else draw()
