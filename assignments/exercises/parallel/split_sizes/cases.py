"""Cases of `split_sizes`: lengths and GPUs that tell the ways to cut apart."""

import random
from typing import Any

from exercise_kit import Look, OneCall

observer = OneCall(make={"shape": tuple})
looks = (Look("result", "other-split"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a shape, the number of GPUs, and the dimension to cut."""

    def batch(length: int, gpus: int, dims: int = 2, dim: int = 0) -> dict[str, Any]:
        # Other dimensions are none that would be cut in the same way.
        others = rng.sample([n for n in range(2, 12) if n != length], dims - 1)
        return {"shape": [*others[:dim], length, *others[dim:]], "gpus": gpus, "dim": dim}

    def uneven() -> tuple[int, int]:
        gpus = rng.choice((4, 5))
        return gpus * rng.randint(4, 6) - 2, gpus

    few, some = rng.randint(2, 4), rng.choice((4, 6))
    return [
        ("a shorter last part", batch(4 * rng.randint(3, 5) - 2, 4)),
        ("a length that is a multiple of the number of GPUs", batch(few * rng.randint(2, 6), few)),
        # parts of 3 are used up before the last GPU
        ("a part for fewer GPUs than there are", batch(2 * some + 1, some)),
        ("the second of two dimensions is cut", batch(*uneven(), dim=1)),
        ("the second of three dimensions is cut", batch(*uneven(), dims=3, dim=1)),
        ("the last of three dimensions is cut", batch(*uneven(), dims=3, dim=2)),
        ("a single dimension", batch(*uneven(), dims=1)),
        ("fewer samples than GPUs", batch(rng.randint(2, 3), rng.randint(4, 6))),
        ("a single sample", batch(1, rng.randint(2, 8))),
        ("a single GPU", batch(rng.randint(2, 20), 1)),
        ("many GPUs", batch(rng.choice((17, 20, 34)), 16)),
        ("the task's example: 16 samples", {"shape": [16, 3], "gpus": 2, "dim": 0}),
        ("the task's example: 10 samples", {"shape": [10, 3], "gpus": 4, "dim": 0}),
        ("the task's example: 9 samples", {"shape": [9, 3], "gpus": 4, "dim": 0}),
    ]
