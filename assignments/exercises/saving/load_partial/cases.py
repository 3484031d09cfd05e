"""Cases of `load_partial`: keys and shapes of a model and a file, with a number in each tensor.

The numbers of a model are negative, and those of a file positive.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.drawing import GPUS
from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a dict of three lists, missing, unexpected and mismatched"),
    Look("kept", "file-changed", says="the file is unchanged"),
    Look("replaced", "parameters-replaced", says="number of replaced parameters"),
    Look("places", "model-converted", says="model"),
    Look("parameters", "fits-not-loaded", says="model"),
    Look("buffers", "buffers-not-loaded", says="model"),
    Look("report", "other-report", says="report"),
)
raises = (
    Raises("shapes-always-raise", "RuntimeError", "size mismatch for"),
    Raises("shapes-not-compared", "RuntimeError", "must match the size"),
    Raises("shapes-not-compared", "RuntimeError", "match the broadcast shape"),
    Raises("strict-load", "RuntimeError", "key(s) in state_dict"),
    Raises("tag-followed", "RuntimeError", "Attempting to deserialize object"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for changed tensors, or for keys in the wrong list; None for other facts."""
    if fact in ("parameters", "buffers"):
        first = next(key for key in right if seen.get(key) != right[key])
        if right[first][0] > 0:
            return None
        renamed = any(key == f"module.{first}" for key, *_ in data["file"])
        return "keys-renamed" if renamed else "rest-changed"
    if fact == "report" and {*right["mismatched"]} & {*seen["missing"], *seen["unexpected"]}:
        return "mismatched-listed-elsewhere"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the entries of model and file, and where they are."""
    width, more, gpu = rng.randint(2, 4), rng.randint(5, 7), rng.choice(GPUS[1:])
    hidden = layer(rng.choice(("body", "features", "trunk")), width, width)
    head, norm, small = layer("head", 2, width), normal(width), layer("", 1, 2)
    wider, older = layer("head", more, width), layer("old_head", 2, width)
    wrapped = [(f"module.{key}", *rest) for key, *rest in hidden + head]
    steps: list[tuple[str, list[int], str]] = [("steps", [], "buffer")]
    mask = [("mask", [width], "unsaved buffer")]
    scale, row = [("scale", [width], "parameter")], [("grid", [2, 3], "parameter")]
    rows: list[tuple[Any, ...]] = [
        ("the task's example", small, [small[0], ("bias", [3]), ("scale", [1])], {}),
        ("everything fits", hidden + norm + head, hidden + norm + head, {}),
        ("a new head with more outputs", hidden + wider, hidden + head, {}),
        ("a head that the file lacks", hidden + head, hidden, {}),
        ("a head that the model does not have", hidden, hidden + head, {}),
        ("a head under another name", hidden + head, hidden + older, {}),
        ("buffers that the file lacks", hidden + norm + steps, hidden + norm[:2], {}),
        ("buffers of another shape", hidden + normal(more), hidden + norm, {}),
        ("a buffer that the model does not save", hidden + mask, hidden + mask, {}),
        ("another shape with as many numbers", hidden + row, [*hidden, ("grid", [3, 2])], {}),
        ("another shape that could be broadcast", hidden + scale, [*hidden, ("scale", [1])], {}),
        ("the file of a wrapped model", hidden + head, wrapped, {}),
        (
            "a file from a GPU that does not exist here",
            hidden + head,
            hidden,
            {"tags": ["cuda:63"]},
        ),
        ("a machine without GPUs", hidden + head, hidden, {"tags": [gpu], "gpus": 0}),
        ("a model on a GPU", hidden + wider, hidden + head, {"device": gpu}),
        ("a model in float64", hidden + wider + steps, hidden + steps, {"dtype": "float64"}),
        (
            "differences of all kinds",
            hidden + norm + steps + wider,
            [*older, *steps, *head, *hidden[:1], *norm],
            {"tags": [gpu]},
        ),
    ]
    usual = {"tags": ["cpu"], "device": "cpu", "dtype": "float32", "gpus": 4}
    return [(title, {**usual, **more, **both(rng, *parts)}) for title, *parts, more in rows]


def layer(name: str, outputs: int, inputs: int) -> list[tuple[str, list[int], str]]:
    """The entries of a linear layer: key, shape and kind of each."""
    front = f"{name}." if name else ""
    shapes = {"weight": [outputs, inputs], "bias": [outputs]}
    return [(front + leaf, shape, "parameter") for leaf, shape in shapes.items()]


def normal(width: int) -> list[tuple[str, list[int], str]]:
    """The entries of a normalisation of `width` features: two parameters and two buffers."""
    kinds = {"weight": "parameter", "bias": "parameter", "mean": "buffer", "var": "buffer"}
    return [(f"norm.{name}", [width], kind) for name, kind in kinds.items()]


def both(rng: random.Random, model: Sequence[Any], file: Sequence[Any]) -> dict[str, Any]:
    """The entries of model and file with different numbers, those of the model below 0."""
    numbers = (float(number) for number in rng.sample(range(1, 60), len(model) + len(file)))
    return {
        "model": [(key, shape, of(key, -next(numbers)), kind) for key, shape, kind in model],
        "file": [(key, shape, of(key, next(numbers))) for key, shape, *_ in file],
    }


def of(key: str, number: float) -> float:
    """Steps are counted in whole numbers."""
    return int(number) if key == "steps" else number
