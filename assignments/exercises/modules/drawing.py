"""Shared by cases: errors of modules, a test for errors of two devices, and tensors."""

import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.drawing import nested, tensor
from exercise_kit.contract import Raises

# Only modules are called so here, and no tensor, list or tuple lacks a device under these names.
NO_DEVICE = tuple(
    Raises("no-device-attribute", "AttributeError", f"'{kind}' object has no attribute 'device'")
    for kind in ("Module", "Linear", "Shift", "ReLU", "Sequential")
)


def two_devices(text: str) -> bool:
    """Whether the text of an error is one of those for tensors on two devices."""
    return any(word in text for word in ("same device", "should be the same", "Input type ("))


def quarters(rng: random.Random, device: str, shape: Sequence[int]) -> dict[str, Any]:
    """A described tensor of multiples of 0.25 up to 3, whose sums are exact."""
    return tensor(nested(shape, lambda: rng.randint(1, 12) / 4), device)
