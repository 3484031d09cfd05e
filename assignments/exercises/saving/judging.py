"""What the judges of this topic share: the state dict of the observers' small model."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")

_SHAPES: Mapping[str, tuple[int, ...]] = {
    "0.weight": (2, 2),
    "0.bias": (2,),
    "1.weight": (2,),
    "1.bias": (2,),
    "1.running_mean": (2,),
    "1.running_var": (2,),
    "1.num_batches_tracked": (),
    "2.weight": (1, 2),
    "2.bias": (1,),
}


def is_parameter(key: str) -> bool:
    return key.endswith(("weight", "bias"))


def some_names(rng: random.Random) -> list[str]:
    """Names for a layer, a normalisation and a head."""
    return [
        rng.choice(("body", "features", "trunk", "stem")),
        rng.choice(("norm", "scale", "bn")),
        rng.choice(("head", "top", "classifier")),
    ]


def some_values(rng: random.Random) -> list[float]:
    """Different whole numbers, without zero, as many as the state dict has."""
    return [float(n) for n in rng.sample(range(2, 60), 18)]


def state_of(names: Sequence[str], values: Sequence[float]) -> dict[str, Any]:
    """The keys of the model's state dict, and what is in each, as nested lists."""
    rest, state = list(values), {}
    for key, shape in _SHAPES.items():
        number, _, kind = key.partition(".")
        part, rest = rest[: math.prod(shape)], rest[math.prod(shape) :]
        content: Any = part
        if len(shape) != 1:
            content = [part[:2], part[2:]] if shape == (2, 2) else [part] if shape else part[0]
        state[f"{names[int(number)]}.{kind}"] = content
    return state
