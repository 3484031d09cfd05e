"""Cases of `step`: the samples of two ranks."""

import random
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("equal", "ranks-differ", says="the weights of both ranks are equal"),
    Look("together", "weights-exchanged", says="each step follows one gradient on both ranks"),
    Look("weights", "other-weights", tolerance=1e-4, says="weights of rank 0 after each step"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: first weights, and in each step the samples of each rank."""

    def samples(count: int) -> list[list[float]]:
        return [
            [rng.choice((-1, 1)) * rng.uniform(0.5, 2.0) for _ in range(2)] for _ in range(count)
        ]

    weight = [float(rng.randint(-3, 3)) for _ in range(2)]
    few, many = rng.randint(1, 2), rng.randint(4, 6)
    steps = [[samples(many), samples(few)], [samples(few), samples(many)]]
    return [("two steps, with uneven shares", {"weight": weight, "steps": steps})]
