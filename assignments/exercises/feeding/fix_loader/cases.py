"""Cases of `fix_loader`: how many pictures there are. Whole numbers, which float32 holds exactly.

The GPU is never the current one, so that a device left out shows.
"""

import random
from typing import Any

from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="one tensor"),
    Look("shape", "other-form", says="shape of the result"),
    Look("device", "wrong-device", says="device of the result"),
    Look("values", "other-result", says="result"),
    Look("decoded_by", "other-workers", says="decoded by"),
    Look("back", "copied-back", says="copies to the CPU"),
    Look("over", "copied-too-often", most=True, says="copies to a GPU"),
    Look("over", "all-at-once", says="copies to a GPU"),
)
raises = (
    Raises("dataset-not-sent", "PicklingError"),
    Raises("dataset-not-sent", "TypeError", "cannot pickle"),
    Raises("dataset-not-sent", "AttributeError", "Can't pickle"),
    Raises("dataset-not-sent", "AttributeError", "Can't get"),
    Raises("gpu-in-a-worker", "RuntimeError", "Cannot re-initialize CUDA"),
    Raises("devices-met", "RuntimeError", "Expected all tensors to be on the same device"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. pictures: three numbers each. weight: shape (2, 3)."""

    def numbers() -> list[float]:
        return [float(rng.randint(1, 20)) for _ in range(3)]

    def data(count: int, gpu: int) -> dict[str, Any]:
        pictures, weight = [numbers() for _ in range(count)], [numbers(), numbers()]
        return {"pictures": pictures, "mean": numbers(), "weight": weight, "device": f"cuda:{gpu}"}

    gpu, other = rng.sample((1, 2, 3), 2)
    return [
        ("two full batches", data(8, gpu)),
        ("a last batch that is smaller", data(8 + rng.randint(1, 3), other)),
        ("one picture", data(1, gpu)),
        ("many batches", data(20, other)),
    ]
