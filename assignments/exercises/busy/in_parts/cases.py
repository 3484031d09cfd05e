"""Cases of `in_parts`: batches that can be divided, and others."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look


def _sizes(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for other calls of the model."""
    return "samples-left-out" if sum(seen) < sum(right) else "other-parts"


looks = (
    Look("most", "parts-kept", most=True, says="images in memory at a time"),
    Look("sizes", _sizes, says="images in each call of the model"),
    Look("gradients", "other-gradients", tolerance=1e-3, says="gradients"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. before: the value of all gradients before the call."""

    def case(count: int, parts: int, before: float = 0.0) -> dict[str, Any]:
        def numbers(size: int) -> list[float]:
            return [rng.choice((-1, 1)) * rng.uniform(0.5, 2.0) for _ in range(size)]

        # The targets are sorted, so that the parts differ in their gradients.
        images = [numbers(3) for _ in range(count)]
        targets = [int(number >= count / 2) for number in range(count)]
        model = {"weight": [numbers(3) for _ in range(2)], "bias": numbers(2), "before": before}
        device = one_gpu(rng)
        return {
            "model": {**model, "device": device},
            "images": [images, device],
            "targets": [targets, device],
            "parts": parts,
        }

    return [
        ("10 images in 4 parts, as in the task", case(10, 4)),
        ("8 images in 4 parts", case(8, 4)),
        ("9 images in 4 parts, which are 3", case(9, 4)),
        ("7 images in 2 parts", case(7, 2)),
        ("all images at once", case(5, 1)),
        ("gradients from before", case(10, 4, before=2.0)),
    ]
