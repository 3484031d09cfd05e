"""Cases of `fix_ranks`: samples and epochs of two ranks."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ..waits import is_out_of_step

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("samples", "other-samples", says="numbers of the samples"),
    Look(
        "steps", "not-exchanged", tolerance=1e-4, says="all steps of rank 1, minus those of rank 0"
    ),
    Look("starts", "different-starts", tolerance=1e-4, says="first weights, minus those of rank 0"),
    Look("weights", "other-weights", tolerance=1e-4, says="weights in the end"),
    Look("result", "other-losses", tolerance=1e-3, says="returned by rank 0"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for ranks that wait for each other."""
    if fact != "error" or not isinstance(seen, str):
        return None
    return "out-of-step" if is_out_of_step(seen) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. starts: the first weights and bias of each rank."""

    def numbers(count: int, largest: int = 2) -> list[float]:
        return [float(rng.randint(-largest, largest)) for _ in range(count)]

    def case(count: int, epochs: int) -> dict[str, Any]:
        batch = [[number / 8, *numbers(2)] for number in range(count)]
        # Targets that no weights explain.
        targets = [[8 + y] for y in numbers(count, 4)]
        starts = [[[[float(rank), *numbers(2)]], numbers(1)] for rank in range(2)]
        rng.shuffle(starts)
        return {"starts": starts, "batch": batch, "targets": targets, "epochs": epochs}

    return [
        ("one epoch", case(8, 1)),
        ("several epochs", case(8, 3)),
        ("samples that cannot be shared evenly", case(9, 2)),
    ]
