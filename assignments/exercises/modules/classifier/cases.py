"""Cases of `classifier`: where the model is moved to, one device after another."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

from ..drawing import quarters, two_devices
from ..observing import MovedAbout

observer = MovedAbout()
looks = (
    Look("form", "other-form", wants="a model"),
    Look("raised", "call-fails", says="in a call of the model", wants="a result"),
    Look("parameters", "layer-unknown", says="the parameters"),
    Look("checkpoint", "not-saved", says="the keys of `state_dict()`"),
    Look("copies", "copied-in-forward", most=True, says="copies in the calls of the model"),
    Look("waits", "copied-in-forward", most=True, says="waits for a GPU in the calls of the model"),
    Look("begins", "begins-on-a-gpu", says="devices of the new model"),
    Look("results"),
)
raises = (Raises("assigned-before", "KeyError", "already exists"),)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error or for parameters that differ; None for other facts."""
    if fact == "raised" and two_devices(seen):
        return "left-behind"
    if fact == "raised" and "`to`" in seen:
        return "to-returns-nothing"
    if fact == "raised" and "NoneType" in seen:
        return "none-used"
    if fact == "parameters" and any("mean" in name for name in seen):
        return "mean-trained"
    if fact == "parameters" and {*seen} - {*right}:
        return "other-layers"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the mean, and a batch on each device in turn."""
    gpu, other = two_gpus(rng)

    def moves(*devices: str) -> dict[str, Any]:
        batches = [quarters(rng, device, (rng.randint(2, 4), 3)) for device in devices]
        return {"mean": quarters(rng, "cpu", (3,)), "batches": batches}

    return [
        ("the model is moved to a GPU", moves(gpu)),
        ("it moves on to another GPU", moves(gpu, other)),
        ("it goes back to the CPU", moves(gpu, "cpu")),
        ("several batches on one GPU", moves(other, other, other)),
        ("it stays on the CPU", moves("cpu", "cpu")),
    ]
