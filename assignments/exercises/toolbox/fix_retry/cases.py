"""Cases of `fix_retry`: numbers of rows, sizes of batches, and the memory that is left."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu, tensor
from exercise_kit import Look


def _raised(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    if data["model"]["fails"]:
        return "fault-hidden"
    return "other-result" if seen else "error-swallowed"


def _tried(seen: list[int], right: list[int], data: Mapping[str, Any]) -> str:
    held = seen[:1] == right[:1] and min(seen) < min(right)
    return "memory-held" if held else "other-batches"


looks = (
    Look("tried", _tried, says="rows in each call of the model"),
    Look("raised", _raised, says="raised"),
    Look("result", parts={"device": "not-on-the-cpu"}),
    Look("graph", "result-with-graph", says="the result has a graph"),
)

NO_ROW, TWO_ROWS, FOUR_ROWS, EIGHT_ROWS = 2, 22, 40, 66
"""Budgets in MiB for batches of so many rows: 8 MiB a row, in segments of 20 MiB or more."""


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a model on a device with a budget, rows, and a size."""

    def case(
        count: int, size: int, budget: int, fails: bool = False, large: int = 0
    ) -> dict[str, Any]:
        """large: how many of the last rows need more memory."""
        gpu = one_gpu(rng)
        numbers = [rng.randint(1, 9) + 10 * (at >= count - large) for at in range(count)]
        rows = tensor([[float(number)] for number in numbers], gpu)
        model = {"device": gpu, "budget": budget, "fails": fails}
        return {"model": model, "rows": rows, "size": size}

    return [
        ("every batch fits", case(16, 8, EIGHT_ROWS)),
        ("a batch needs too much memory", case(24, 8, FOUR_ROWS)),
        ("a quarter of a batch fits", case(18, 8, TWO_ROWS)),
        ("an odd size", case(15, 7, FOUR_ROWS)),
        ("the first batch fits, and the second does not", case(16, 8, EIGHT_ROWS, large=8)),
        ("fewer rows than one batch", case(3, 8, FOUR_ROWS)),
        ("not even one row fits", case(4, 2, NO_ROW)),
        ("the model has a fault of its own", case(4, 2, FOUR_ROWS, fails=True)),
    ]
