"""Cases of `average_gradients`: in a run of two ranks, they exchange one or more times."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look
from exercise_kit.comparison import same

from ..waits import is_out_of_step

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("changed", "weights-changed", says="weights changed"),
    Look("frozen", "frozen-got-one", says="gradients of frozen parameters", wants="none"),
    Look("without", "no-gradient", says="without a gradient", wants="none"),
    Look("gradients", "other-gradients", tolerance=1e-4, says="gradients"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for ranks that wait for each other, or for a result on rank 0 alone."""
    if fact == "error" and is_out_of_step(str(seen)):
        return "out-of-step"
    if fact == "gradients" and same(seen["rank 0"], right["rank 0"], tolerance=1e-4):
        return "rank-0-alone"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. rows: whether the second layer is frozen, and both shares."""

    def numbers(rows: int, columns: int) -> list[list[float]]:
        return [[float(rng.randint(-4, 4)) for _ in range(columns)] for _ in range(rows)]

    def row(*sizes: int, frozen: bool = False) -> list[Any]:
        # Targets that no weights explain.
        shares = [
            [numbers(n, 3), [[20 + y for y in each] for each in numbers(n, 2)]] for n in sizes
        ]
        return [frozen, shares]

    def case(*rows: list[Any]) -> dict[str, Any]:
        first, second = ([numbers(2, n), numbers(1, 2)[0]] for n in (3, 2))
        return {"first": first, "second": second, "rows": list(rows)}

    few = rng.randint(2, 3)
    return [
        (
            "six samples and two, as in the task; then as many on both",
            case(row(6, 2), row(few, few)),
        ),
        ("a frozen layer", case(row(few, few + 2, frozen=True))),
        (
            "a rank without samples: first rank 1, then rank 0",
            case(row(few, 0), row(0, few + 1), row(few + 1, 0, frozen=True)),
        ),
    ]
