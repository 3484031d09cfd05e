"""Judge `training_bytes`: each entry against what the layers, counted by hand, must have."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief

KEYS = ("parameters", "buffers", "gradients", "states")
SIZES = {"float32": 4, "float64": 8}


class TrainingBytes(Judge):
    raises = (
        Raises("grad-is-none", "AttributeError", "'NoneType' object"),
        Raises("state-is-no-tensor", "AttributeError", "object has no attribute"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = (f"cuda:{index}" for index in rng.sample(range(4), 2))

        def case(title: str, **changes: Any) -> Case:
            data = {
                "devices": [gpu, gpu],
                "device": gpu,
                "width": rng.randint(5, 9),
                "steps": 1,
                "dtype": "float32",
                "norm": False,
                "unsaved": False,
                "tied": False,
                "frozen": False,
                "frozen_since": False,
                "head_only": False,
                "optimizer": "SGD",
                "momentum": 0.9,
                "cleared": False,
                "numbers": False,
            }
            return Case(title, data | changes)

        return [
            case("before the first step, as in the task", steps=0),
            case("after a step of SGD with momentum"),
            case("after a step of SGD without momentum", momentum=0.0),
            case("after a step of Adam", optimizer="Adam"),
            case(
                "after two steps of Adam, gradients cleared",
                optimizer="Adam",
                steps=2,
                cleared=True,
            ),
            case("a model with BatchNorm", norm=True),
            case("a buffer that is not saved", norm=True, unsaved=True),
            case("numbers of eight bytes", dtype="float64", optimizer="Adam"),
            case("a weight that is used twice", tied=True),
            case("a layer that is not trained", frozen=True, optimizer="Adam"),
            case("a layer that is not trained any more", frozen_since=True),
            case("an optimizer for the last layer only", head_only=True, optimizer="Adam"),
            case(
                "a model on two GPUs, the first asked for",
                devices=[gpu, other],
                device=gpu,
                norm=True,
                optimizer="Adam",
            ),
            case(
                "a model on two GPUs, the second asked for",
                devices=[gpu, other],
                device=other,
                norm=True,
            ),
            case("a GPU that has nothing of it", device=other, optimizer="Adam"),
            case("the CPU, where Adam counts its steps", device="cpu", optimizer="Adam"),
            case("an optimizer that keeps plain numbers, too", numbers=True),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, right = facts["result"], {key: sum(sizes(case.data, key)) for key in KEYS}
        if not facts["kept"]:
            return Finding("input-changed", "another model or optimizer", "as before")
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", str(right))
        if seen["type"] != "dict":
            return Finding("other-form", brief(seen), "a dict with four numbers")
        values = {
            key.get("value"): item for key, item in zip(seen["keys"], seen["items"], strict=True)
        }
        if set(values) != set(KEYS):
            return Finding("other-keys", clip(str(list(values)), 200), str(list(KEYS)))
        for key in KEYS:
            found = _of_one(key, values[key], case.data)
            if found:
                return found
        if facts["copies"]:
            return Finding("copied", f"{facts['copies']} copies between devices", "none")
        if facts["numbers_read"]:
            return Finding("read-from-a-gpu", f"{facts['numbers_read']} numbers", "none")
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        found = super().on_raise(case, raised)
        # Here every parameter has a gradient, and it is a state that is None.
        if found and case.data["numbers"]:
            return replace(found, name="state-is-no-tensor")
        return found


def _layers(data: Mapping[str, Any]) -> Iterator[tuple[str, int, bool, bool]]:
    """Device, elements, whether trained and whether updated, of each parameter; a tied one once."""
    width, last = data["width"], data["devices"][-1]
    for number, device in enumerate(data["devices"]):
        trained = not (data["frozen"] and number == 0)
        updated = trained and not data["head_only"]
        yield device, width * width, trained, updated
        yield device, width, trained, updated
    if data["norm"]:
        yield last, width, True, not data["head_only"]
        yield last, width, True, not data["head_only"]
    if not data["tied"]:
        yield last, width * width, True, True
    yield last, width, True, True


def sizes(data: Mapping[str, Any], key: str, everywhere: bool = False) -> list[int]:
    """The bytes of each tensor of a kind that is on the device, or anywhere."""
    size, trained_once = SIZES[data["dtype"]], data["steps"] > 0
    found: list[tuple[str, int]] = []
    if key == "parameters":
        found = [(device, size * count) for device, count, *_ in _layers(data)]
    elif key == "buffers" and data["norm"]:
        last = data["devices"][-1]
        found = [(last, size * data["width"])] * (2 + data["unsaved"]) + [(last, 8)]
    elif key == "gradients" and trained_once and not data["cleared"]:
        found = [(device, size * count) for device, count, trained, _ in _layers(data) if trained]
    elif key == "states" and trained_once:
        updated = _updated(data)
        if data["optimizer"] == "Adam":
            found = [*updated, *updated, *[("cpu", 4)] * len(updated)]
        elif data["momentum"]:
            found = updated
    return [count for device, count in found if everywhere or device == data["device"]]


def _updated(data: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Device and bytes of each parameter that the optimizer updates."""
    size = SIZES[data["dtype"]]
    return [(device, size * count) for device, count, _, updated in _layers(data) if updated]


def _of_one(key: str, seen: Mapping[str, Any], data: Mapping[str, Any]) -> Finding | None:
    right = sum(sizes(data, key))
    shown = f"{key}: {brief(seen)}", f"{key}: {right}"
    if seen["type"] != "int":
        return Finding("other-form", *shown)
    value = seen["value"]
    if value == right:
        return None
    return Finding(_mistake(key, value, right, data), *shown)


def _mistake(key: str, value: int, right: int, data: Mapping[str, Any]) -> str:
    size = SIZES[data["dtype"]]
    if value == sum(sizes(data, key, everywhere=True)):
        return "other-devices-counted"
    if value * size == right or value * 4 == right:
        return "elements-counted"
    if value * 2 == right and size == 8:
        return "four-bytes-assumed"
    width = data["width"]
    updated = sum(count for device, count in _updated(data) if device == data["device"])
    if key == "gradients" and data["frozen_since"] and value == right - size * (width + 1) * width:
        return "frozen-since-left-out"
    if key in ("parameters", "gradients") and value == updated < right:
        return "updated-only"
    if data["tied"] and value == right + size * width * width:
        return "counted-twice"
    parameters = sum(sizes(data, "parameters"))
    if key == "gradients" and value in (parameters, parameters * (data["steps"] > 0)):
        return "gradients-assumed"
    if key == "states" and value and value in (parameters, 2 * parameters):
        return "states-assumed"
    if key == "states" and value < right:
        return "states-missed"
    if key == "buffers":
        return _mistake_in_buffers(right - value, right, size * width if data["unsaved"] else 0)
    return "other-bytes"


def _mistake_in_buffers(missing: int, right: int, unsaved: int) -> str:
    if missing == right:
        return "buffers-by-the-parameters"
    if missing == 4:  # half of BatchNorm's counter, which is an int64
        return "four-bytes-assumed"
    return "unsaved-missed" if missing == unsaved else "other-bytes"


judge = TrainingBytes()
