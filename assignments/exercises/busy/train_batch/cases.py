"""Cases of `train_batch`: one batch in several numbers of parts, devices and processes."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look, Raises

FORM = "a tensor of 1 on the device of the images, without a graph"


def _cast(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    return "no-autocast" if data["bf16"] else "autocast-always"


def _exchanges(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    if not seen:
        return "never-exchanged"
    return "exchanged-too-often" if len(seen) > len(right) else "exchanged-too-early"


def _form(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    if "NoneType" in seen:
        return "nothing-returned"
    return "loss-with-graph" if "with a graph" in seen else "loss-is-no-tensor"


def _images(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    return "images-left-out" if len(seen) < len(right) else "other-images"


looks = (
    Look("images", _images, says="the images that the model got, in order"),
    Look("most", "parts-kept", most=True, says="images in memory at a time"),
    Look("cast", _cast, says="whether autocast with bfloat16 is on"),
    Look("exchanges", _exchanges, says="parts with an exchange, counted from the last"),
    Look("form", _form, says="the loss", wants=FORM),
    Look("gradients", "other-gradients", tolerance=1e-3, says="gradients"),
    Look("loss", "other-loss", tolerance=1e-3, says="the sum of the losses"),
    Look("rough", "other-gradients", tolerance=0.1, says="gradients and the sum of the losses"),
    Look("waits", "waits", most=True, says="waits for the GPU"),
)
raises = (Raises("no-sync-alone", "AttributeError", "no_sync"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. batch: the images of all processes."""

    def numbers(size: int) -> list[float]:
        return [rng.choice((-1, 1)) * rng.uniform(0.5, 2.0) for _ in range(size)]

    def case(
        count: int, parts: int, *, batch: int = 0, device: str = "", ranks: int = 1, **other: Any
    ) -> dict[str, Any]:
        # The targets are sorted, so that the parts differ in their gradients.
        return {
            "images": [[number / 64, *numbers(2)] for number in range(count)],
            "targets": [int(number >= count / 2) for number in range(count)],
            "weight": [numbers(3) for _ in range(2)],
            "bias": numbers(2),
            "device": device or one_gpu(rng),
            "ranks": ranks,
            "batch": batch or count,
            "parts": parts,
            "bf16": False,
            "before": 0.0,
            **other,
        }

    few = rng.randint(9, 11)
    return [
        ("30 images in 4 parts, as in the task", case(30, 4)),
        ("all images at once", case(few, 1)),
        ("on the CPU", case(few, 4, device="cpu")),
        ("gradients from before", case(few, 3, before=2.0)),
        ("more parts than images", case(3, 5)),
        ("one of two processes", case(15, 4, batch=30, ranks=2)),
        ("one of two processes, with the smaller share", case(7, 3, batch=15, ranks=2)),
        ("one of two processes, with fewer parts than asked", case(9, 4, batch=18, ranks=2)),
        ("one of two processes, all at once", case(6, 1, batch=12, ranks=2)),
        ("in bfloat16", case(few, 2, bf16=True)),
        ("in bfloat16, on the CPU", case(few, 2, bf16=True, device="cpu")),
    ]
