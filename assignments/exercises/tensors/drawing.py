"""Objects in the form of `exercise_kit.facts.describe`, for the cases of this topic."""

import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.drawing import nested, tensor
from exercise_kit.facts import describe

Described = dict[str, Any]


def some_tensor(
    rng: random.Random, device: str, shape: Sequence[int] | None = None, dtype: str = "float32"
) -> Described:
    """A described tensor of whole numbers from 1 to 30, which add up exactly in every dtype."""
    shape = (rng.randint(2, 4),) if shape is None else shape
    number = float if dtype.startswith("float") else int
    return tensor(nested(shape, lambda: number(rng.randint(1, 30))), device, dtype)


def described(value: Any) -> Described:
    """The description of a value, in which tensors are descriptions already."""
    if isinstance(value, dict) and value.get("type") == "Tensor":
        return value
    facts = describe(value)
    if "items" in facts:
        facts["items"] = [described(item) for item in getattr(value, "values", value.__iter__)()]
    return facts
