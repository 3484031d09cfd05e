"""Cases of `two_ranks`: a model and a dataset."""

import random
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("gpus", "other-gpus", says="GPU of each rank"),
    Look("times", "other-samples", says="how often each sample was used"),
    Look("equal", "ranks-differ", says="the weights of both ranks are equal"),
    Look("as_one", "other-training", says="the weights are those of a single process"),
    Look("returned", "other-result", says="result"),
)


def explain(fact: str, seen: Any, right: Any, data: Any) -> str | None:
    """The finding for a GPU chosen by none or by a string, or samples that both have used."""
    if fact == "error" and "Duplicate GPU" in seen:
        return "two-on-one-gpu"
    if fact == "error" and "Invalid device string" in seen:
        return "index-as-a-string"
    return "same-samples" if fact == "times" and set(seen) == {2} else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the weights, and the number of samples."""
    weight = [float(rng.randint(-3, 3)) for _ in range(2)]
    return [("two ranks, as in the task", {"weight": weight, "samples": 8 * rng.randint(2, 4)})]
