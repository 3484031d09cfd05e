"""Cases of `parts`: one part or several, and gradients that were there before."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look


def _exchanges(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for another number of exchanges."""
    return "no-exchange" if not seen else "several-exchanges"


looks = (
    Look("runs", "other-parts", says="samples in each call of the model"),
    Look("wrapped", "wrapper-passed-by", says="each call is one of the wrapper"),
    Look("exchanges", _exchanges, says="exchanges of gradients"),
    Look("last", "exchange-too-early", says="the exchange is in the last part"),
    Look("held", "all-held", most=True, says="parts whose activations are in memory together"),
    Look("steps", "other-steps", says="steps of the optimizer"),
    Look("weights", "other-weights", tolerance=1e-4, says="weights after the step"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. other: all gradients of the other rank. stale: old gradients."""

    def case(count: int, stale: float = 0.0) -> dict[str, Any]:
        def numbers(size: int) -> list[float]:
            return [float(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(size)]

        size = rng.randint(2, 4)
        return {
            "weight": [numbers(3) for _ in range(2)],
            "bias": numbers(2),
            "batches": [
                [[numbers(3) for _ in range(size)], [[9 + y for y in numbers(2)]] * size]
                for _ in range(count)
            ],
            "other": float(rng.randint(5, 9)),
            "stale": stale,
        }

    return [
        ("four parts", case(4)),
        ("two parts", case(2)),
        ("a single part", case(1)),
        ("gradients from before", case(3, stale=30.0)),
    ]
