"""Cases of `training_bytes`: what the model has, which optimizer, and how far the training is."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

looks = (
    Look("kept", "input-changed", says="model and optimizer are unchanged"),
    Look("form", "other-form", wants="a dict with four whole numbers"),
    Look("keys", "other-keys", says="keys"),
    *(Look(key, "other-bytes", says=key) for key in ("parameters", "buffers", "gradients")),
    Look("states", "other-bytes", says="states"),
    Look("copies", "copied", says="copies between devices"),
    Look("taken", "memory-taken", says="bytes allocated on GPUs during the call"),
)
raises = (
    Raises("grad-is-none", "AttributeError", "'NoneType' object"),
    Raises("state-is-no-tensor", "AttributeError", "'int' object has no attribute"),
    Raises("state-is-no-tensor", "AttributeError", "'list' object has no attribute"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a number in another unit, or for states left out; None for other facts."""
    if fact not in ("parameters", "buffers", "gradients", "states"):
        return None
    size = {"float32": 4, "float64": 8}[data["dtype"]]
    if seen * size == right:
        return "elements-counted"
    if seen * 8 == right * 4 and size == 8:
        return "four-bytes-assumed"
    return "states-missed" if fact == "states" and seen < right else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case."""
    gpu, other = (f"cuda:{index}" for index in rng.sample(range(4), 2))
    sgd = {"optimizer": "SGD", "settings": {"lr": 0.01, "momentum": 0.9}}
    adam, both = {"optimizer": "Adam", "settings": {}}, {"devices": [gpu, other], "norm": True}
    usual = {"devices": [gpu, gpu], "device": gpu, "steps": 1, "dtype": "float32", **sgd}
    rows: list[tuple[str, dict[str, Any]]] = [
        ("before the first step, as in the task", {"steps": 0}),
        ("after a step of SGD with momentum", {}),
        ("after a step of SGD without momentum", {"settings": {"lr": 0.01}}),
        ("after a step of Adam", adam),
        ("after two steps of Adam, gradients cleared", {**adam, "steps": 2, "cleared": True}),
        ("a model with BatchNorm", {"norm": True}),
        ("a buffer that is not saved", {"norm": True, "unsaved": True}),
        ("a part of a larger tensor, as a buffer of two modules", {"view": True}),
        ("numbers of eight bytes", {**adam, "dtype": "float64"}),
        ("a weight that is used twice", {"tied": True}),
        ("a layer that is not trained", {**adam, "frozen": True}),
        ("a layer that is no longer trained", {"frozen_since": True}),
        ("an optimizer for the last layer only", {**adam, "head_only": True}),
        ("an optimizer that has another model as well", {**adam, "one_of_two": True}),
        ("a model on two GPUs, `device` is the first", {**adam, **both}),
        ("a model on two GPUs, `device` is the second", {**both, "device": other}),
        ("a GPU without any of these tensors", {**adam, "device": other}),
        ("the CPU, where Adam counts its steps", {**adam, "device": "cpu"}),
        ("an optimizer that keeps numbers and lists, too", {"numbers": True}),
    ]
    return [(title, {**usual, "width": rng.randint(5, 9), **row}) for title, row in rows]
