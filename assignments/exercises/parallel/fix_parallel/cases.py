"""Cases of `fix_parallel`: where the model is at first, and batches of several sizes."""

import random
from typing import Any

from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a state dict"),
    Look("keys", "other-keys", says="keys"),
    Look("weights", "other-weights", tolerance=1e-3, says="weights"),
    Look("itself", "another-model", says="the model itself ran"),
    Look("ran_on", "other-gpus", says="computed on"),
    Look(
        "loss_elsewhere", "other-main-gpu", says="other devices at the loss", wants="all on cuda:0"
    ),
    # In the end the model may go back with its gradients, and each loss may be looked at.
    Look("back", "brought-to-the-cpu", most=True, spare=88, says="bytes from GPUs to the CPU"),
    Look("there", "main-gpu-got-more", most=True, says="bytes from the CPU to cuda:0"),
)
raises = (
    Raises("module-not-on-the-main-gpu", "RuntimeError", "module must have its parameters"),
    Raises("attribute-of-the-wrapper", "AttributeError", "'DataParallel' object has no"),
    Raises("targets-elsewhere", "RuntimeError", "found at least two devices"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the place of the model, its values, and the batches."""
    rows: list[tuple[Any, ...]] = [
        ("a model on the CPU", "cpu", [8, 8, 8]),
        ("a model on cuda:1", "cuda:1", [8, 10, 8]),
        ("a model that is already on cuda:0", "cuda:0", [8, 8, 12]),
        ("batches with an odd number of samples", "cpu", [9, 11, 9]),
        ("a last batch with a single sample", "cpu", [10, 8, 1]),
        ("one batch", "cpu", [rng.randint(4, 9)]),
    ]

    def numbers(count: int) -> list[float]:
        return [float(rng.randint(-2, 2)) for _ in range(count)]

    def batch(size: int) -> tuple[list[list[float]], list[list[float]]]:
        # Targets that no weights explain: every step changes all weights by a good deal.
        targets = [[9.0 + rng.randint(0, 3), -9.0 - rng.randint(0, 3)] for _ in range(size)]
        return [[1.0, *numbers(2)] for _ in range(size)], targets

    def case(place: str, sizes: list[int]) -> dict[str, Any]:
        model = {"weight": [numbers(3), numbers(3)], "bias": numbers(2), "place": place}
        return {**model, "batches": [batch(size) for size in sizes]}

    return [(title, case(*row)) for title, *row in rows]
