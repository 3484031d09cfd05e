"""Cases of `NAME`."""

import random
from typing import Any


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a number."""
    return [
        ("the task's example", {"x": 3}),
        ("TODO: a situation, in words", {"x": rng.randint(10, 99)}),
    ]
