"""Cases of `by_hand`: batches that are shared evenly or not, and batches for fewer GPUs."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises


def _idle(data: Mapping[str, Any]) -> bool:
    """Whether there are fewer parts than GPUs."""
    count, gpus = len(data["batch"]), len(data["gpus"])
    return -(-count // -(-count // gpus)) < gpus


def _device(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for a loss that is not a tensor, or is on another device."""
    return "a-number" if seen is None else "loss-elsewhere"


looks = (
    Look("wrapped", "wrapper-used", says="calls of the wrapper"),
    Look("ran", "other-parts", any_order=True, says="GPU, samples and first value of each run"),
    Look("result", "other-loss", tolerance=1e-4, says="loss"),
    Look("device", _device, says="device of the loss"),
    Look("gradients", "other-gradients", tolerance=1e-4, says="gradients"),
)
raises = (
    Raises("more-replicas-than-parts", "AssertionError", "is not equal to the number", _idle),
    Raises("more-replicas-than-parts", "IndexError", "", _idle),
    Raises("more-replicas-than-parts", "ValueError", "zip()", _idle),
    Raises("devices-mixed", "RuntimeError", "on the same device"),
    Raises("devices-mixed", "RuntimeError", "_cat)"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: numbers of samples and GPUs."""

    def numbers(count: int, largest: int = 3) -> list[float]:
        return [float(rng.randint(-largest, largest)) for _ in range(count)]

    def case(size: int, gpus: list[int]) -> dict[str, Any]:
        batch = [[float(row + 1), *numbers(2)] for row in range(size)]
        rng.shuffle(batch)
        model = {"weight": [numbers(3), numbers(3)], "bias": numbers(2)}
        # Errors grow along the batch, so that each part has another loss.
        targets = [[10.0 * row + y for y in numbers(2)] for row in range(1, size + 1)]
        return {**model, "batch": batch, "targets": targets, "gpus": gpus}

    first = rng.randint(1, 3)
    return [
        ("8 samples on four GPUs", case(8, [0, 1, 2, 3])),
        ("10 samples on four GPUs", case(10, [0, 1, 2, 3])),
        ("5 samples on four GPUs", case(5, [0, 1, 2, 3])),
        ("a main GPU that is not cuda:0", case(rng.choice((5, 7)), [first, 0])),
        ("a single sample", case(1, [0, first])),
    ]
