"""Cases of `shard`: a model on one rank of four, and a smaller one on two real ranks."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("whole", "whole-parameters", says="parameters that each rank has as a whole"),
    Look("types", "not-float32", says="types of the parameters"),
    Look("places", "other-device", says="devices of the parameters"),
    Look("alone", "block-without-group", says="numbers of blocks that are no group"),
    Look("most", "whole-on-a-gpu", most=True, spare=0.3, says="peak of your function in MiB"),
    Look("peak", "other-peak", most=True, spare=0.1, says="peak of the second step in MiB"),
    Look("distance", "other-weights", tolerance=1e-5, says="largest distance of a weight"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error or a difference that tells which call is missing or too early."""
    if fact == "error" and "Invariant encountered" in str(seen):
        return "root-first"
    blocks = any(name.startswith("blocks") for name in seen) if fact == "whole" else True
    return None if blocks else "root-forgotten"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the sizes of a model, and the seed of weights and texts."""

    def case(layers: int, width: int, real: bool) -> dict[str, Any]:
        sizes = {"layers": layers, "width": width, "context": 16}
        return {**sizes, "seed": rng.randrange(1000), "real": real}

    return [
        ("the task's example, on one rank of four", case(6, 8 * rng.randint(7, 9), False)),
        ("the weights of two real ranks", case(3, 8 * rng.randint(2, 3), True)),
    ]
