"""Cases of `mean_loss`: few batches and many, with and without gradients, on a GPU and a CPU."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.drawing import nested, one_gpu, tensor
from exercise_kit import Look


def how_often(waits: int, right: int, data: Mapping[str, Any]) -> str:
    """The finding for waits: whether there are as many as batches."""
    return "waits-every-step" if waits >= len(data["batches"]) else "waits-again"


looks = (
    Look("result", tolerance=1e-4),
    Look("early", "read-too-early", says="numbers read before their copy was complete"),
    Look("synchronized", "synchronizes", most=True, says="calls of `synchronize`"),
    Look("waits", how_often, most=True, says="waits for the GPU"),
    Look("graphs", "graphs-kept", most=True, says="batches with their graphs in memory"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a sum in place of the mean; None for other facts."""
    numbers = [each.get("value") for each in (seen, right)] if fact == "result" else []
    if not all(isinstance(number, float) for number in numbers):
        return None
    count = len(data["batches"])
    total = bool(numbers) and abs(numbers[0] - count * numbers[1]) < 1e-3 * numbers[0]
    return "sum-not-mean" if total and count > 1 else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: described batches and `weight`."""
    gpu = one_gpu(rng)

    def small(device: str, shape: Sequence[int]) -> dict[str, Any]:
        """A described tensor of quarters up to 1.5, so that a loss is about as large as 1."""
        return tensor(nested(shape, lambda: rng.randint(1, 6) / 4), device)

    def drawn(device: str, rows: list[int], **learned: bool) -> dict[str, Any]:
        columns = rng.randint(2, 4)
        return {
            "batches": [small(device, (count, columns)) for count in rows],
            "weight": small(device, (columns,)) | learned,
        }

    return [
        ("four batches on a GPU", drawn(gpu, [3, 3, 3, 3])),
        ("a last batch with fewer rows", drawn(gpu, [4, 4, 1])),
        ("a single batch", drawn(gpu, [3])),
        ("thirty batches", drawn(gpu, [2] * 30)),
        ("eight batches, and weights that require gradients", drawn(gpu, [2] * 8, learned=True)),
        ("everything on the CPU", drawn("cpu", [3, 3])),
    ]
