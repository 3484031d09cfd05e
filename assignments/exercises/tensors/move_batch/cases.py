"""Cases of `move_batch`: containers of every kind, and tensors that are there or elsewhere."""

import random
from collections import namedtuple
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu, two_gpus
from exercise_kit import Look, Raises

from ..drawing import Described, described, some_tensor

Batch = namedtuple("Batch", "inputs targets")
Views = namedtuple("Views", "left right")

looks = (
    Look(
        "result",
        exact=True,
        form="container-changed",
        parts={"device": "tensors-left-behind"},
    ),
    Look(
        "foreign",
        "another-class",
        says="namedtuples of a new class",
        wants="the classes of the batch",
    ),
    Look(
        "same",
        "copied-needlessly",
        says="input tensor that came back as tensor ",
        wants="the tensor that was already on the device",
    ),
)
raises = (
    *(
        Raises("container-taken-for-tensor", "AttributeError", f"'{kind}' object has no attribute")
        for kind in ("tuple", "dict", "list", "Batch", "Views")
    ),
    Raises("opened-without-end", "RecursionError"),
    Raises("plain-value-touched", "AttributeError", "has no attribute 'to'"),
    Raises("namedtuple-lost", "TypeError", "__new__() missing"),
    Raises("input-changed", "TypeError", "does not support item assignment"),
)


def first_unlike(
    seen: Described, right: Described, came: Described
) -> tuple[Described, Described, Described]:
    """The first descriptions that differ in a result and the right one, and the batch's own."""
    items = [each.get("items", ()) for each in (seen, right, came)]
    if seen["type"] == right["type"] and len(items[0]) == len(items[1]):
        for three in zip(*items, strict=True):
            if three[0] != three[1]:
                return first_unlike(*three)
    return seen, right, came


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for the first part of the result that differs; None for other facts."""
    if fact != "result":
        return None
    one, other, came = first_unlike(seen, right, data["batch"])
    if other["type"] == "Tensor":
        moved = one.get("device") not in (None, other["device"], came["device"])
        return "wrong-device" if moved else None
    if "items" not in other:
        return "plain-value-touched"
    lost = other["type"] == "namedtuple" and one.get("fields") != other["fields"]
    return "namedtuple-lost" if lost else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a described batch, and a device."""

    def some(device: str = "cpu") -> Described:
        return some_tensor(rng, device)

    gpu, other = two_gpus(rng)
    name, count = rng.choice(("train", "valid", "test")), rng.randint(2, 99)
    deep = [
        Views(left=[some()], right={"crop": some()}),
        ((some(), [some()]),),
    ]
    of_every_kind = (None, name, count, count / 4, [bool(count % 2), some(), ""])
    rows = [
        ("a tuple of two tensors", (some(), some()), gpu),
        ("the task's example", (some(), {"name": name}), gpu),
        ("a list with one tensor that is already on the device", [some(), some(gpu)], gpu),
        (
            "a dict with plain values next to its tensors",
            {"inputs": some(), "name": name, "epoch": count, "weights": None},
            other,
        ),
        ("a tuple inside a dict", {"pair": (some(), some()), "label": some()}, gpu),
        ("a namedtuple", Batch(inputs=some(), targets=some()), one_gpu(rng)),
        ("containers inside containers inside containers", deep, one_gpu(rng)),
        ("plain values of every kind", of_every_kind, gpu),
        ("from a GPU to the CPU", [some(gpu), {"target": some(gpu)}], "cpu"),
        ("from one GPU to another", (some(other), some(gpu), some()), other),
        ("a single tensor", some_tensor(rng, "cpu", (2, 3), "int64"), one_gpu(rng)),
        ("empty containers", {"none": (), "also": [], "x": some(other)}, gpu),
        ("everything is already on the device", {"x": some(gpu), "pair": (some(gpu),)}, gpu),
    ]
    return [(title, {"batch": described(batch), "device": device}) for title, batch, device in rows]
