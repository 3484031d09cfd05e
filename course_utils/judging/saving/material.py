"""What the judges of this assignment share: described objects, and names for a small net."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

Described = dict[str, Any]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")

NET_SHAPES = {
    "0.weight": (2, 2),
    "0.bias": (2,),
    "1.weight": (2,),
    "1.bias": (2,),
    "2.weight": (1, 2),
    "2.bias": (1,),
}
"""The parameters of the observers' net, by the number of the layer."""

BUFFERS = {"running_mean": [0.0, 0.0], "running_var": [1.0, 1.0], "num_batches_tracked": 0}
"""Those of layer 1, as they are at first."""


def plain(value: bool | float | str | None) -> Described:
    """A plain value."""
    return {"type": "NoneType" if value is None else type(value).__name__, "value": value}


def some_names(rng: random.Random) -> list[str]:
    """Names for the three layers."""
    return [
        rng.choice(("body", "features", "trunk", "stem")),
        rng.choice(("norm", "scale", "bn")),
        rng.choice(("head", "top", "classifier")),
    ]


def some_values(rng: random.Random, count: int = 13) -> list[float]:
    """Small whole numbers, without zero, as many as the net has."""
    return [float(rng.randint(1, 30)) for _ in range(count)]


def net_state(names: Sequence[str], values: Sequence[float]) -> dict[str, Any]:
    """The keys of the net, and what is in each, as nested lists."""
    rest, state = list(values), {}
    for key, shape in NET_SHAPES.items():
        number, _, kind = key.partition(".")
        name = names[int(number)]
        count = math.prod(shape)
        part, rest = rest[:count], rest[count:]
        width = shape[-1]
        rows = [part[start : start + width] for start in range(0, count, width)]
        state[f"{name}.{kind}"] = part if len(shape) == 1 else rows
        if key == "1.bias":
            state |= {f"{name}.{kind}": content for kind, content in BUFFERS.items()}
    return state


def as_dict(described: Mapping[str, Any]) -> dict[Any, Mapping[str, Any]] | None:
    """A described dict as a dict of described values, or None if it is none."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    return dict(zip(keys, described["items"], strict=True))


def text_of(described: Mapping[str, Any]) -> str | None:
    return described["value"] if described["type"] == "str" else None


def texts_of(described: Mapping[str, Any]) -> list[str] | None:
    """A described list of texts as such, or None if it is something else."""
    if described["type"] != "list":
        return None
    found = [text_of(item) for item in described["items"]]
    return None if None in found else [text for text in found if text is not None]
