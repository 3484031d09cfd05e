"""Cases of `train_step`: parts that are equally long or not, gradients from before, other GPUs.

Gradients from before come ahead of several steps: who adds them up is found there.
"""

import random
import re
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

UNITS = 8


def _parts(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for other parts: of other sizes, or only with other samples."""
    sizes = [re.sub(", the first with [^'\"]*", "", str(each)) for each in (seen, right)]
    return "other-samples" if sizes[0] == sizes[1] else "other-parts"


looks = (
    Look("changed", "input-changed", says="whether batch and targets changed"),
    Look("models", "list-changed", says="numbers of the models in the list"),
    Look("places", "replica-moved", says="devices"),
    Look("same", "parameters-replaced", says="the same parameter objects"),
    Look("parts", _parts, says="runs"),
    Look("times", "ran-more-than-once", says="number of runs"),
    Look("stepped", "one-replica-without-step", says="has new weights"),
    Look("apart", "replicas-differ", tolerance=1e-3, says="difference of the replicas' weights"),
    Look("weights", "other-step", tolerance=2e-5, says="weights"),
    Look("equal", "rounded", says="replicas equal to the last bit"),
    Look("loss", "other-loss", tolerance=1e-3, says="loss"),
    # Some numbers may go anywhere in a step: a loss, a weight of a part.
    Look("back", "through-the-cpu", most=True, spare=32, says="bytes to the CPU in a step"),
    Look("extra", "more-than-its-part", most=True, spare=32, says="bytes to a GPU beyond its part"),
)
raises = (
    Raises("devices-mixed", "RuntimeError", "on the same device"),
    Raises("none-there", "AttributeError", "NoneType"),
    Raises("none-there", "TypeError", "NoneType"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: see `case`."""
    a, b = rng.sample(range(1, 4), 2)
    rows: list[tuple[Any, ...]] = [
        ("two parts of one length", [0, 1], [2 * rng.randint(2, 4)], 0.0),
        ("five samples on cuda:0 and cuda:1, as in the task", [0, 1], [5], 0.0),
        ("replicas that have gradients from before", [0, 1], [rng.choice((4, 6))], 30.0),
        ("two steps, one after the other", [0, 1], [6, 8], 0.0),
        ("three steps with parts that differ", [0, 1], [7, 5, 3], 0.0),
        ("GPUs other than the first two", [a, b], [rng.choice((5, 7, 9))], 0.0),
        ("the second replica on cuda:0", [b, 0], [6, 7], 0.0),
        ("two samples", [0, a], [2], 0.0),
        ("three samples", [1, 0], [3], 0.0),
    ]
    return [(title, case(rng, *row)) for title, *row in rows]


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for no loss, or for weights after gradients from before; None for others."""
    if fact == "loss" and "NoneType" in (step["type"] for step in seen.values() if step):
        return "nothing-returned"
    # The cases before this one are passed, and nothing else is new in it.
    return "gradients-left-over" if fact == "weights" and data["stale"] else None


def case(rng: random.Random, gpus: list[int], sizes: list[int], stale: float) -> dict[str, Any]:
    """The data of a case: a model, its GPUs, the learning rate, and a batch for each step.

    sizes: numbers of samples. stale: the value of all gradients from before; 0: there are none.
    """

    def numbers(count: int, largest: int = 3) -> list[float]:
        return [float(rng.randint(-largest, largest)) for _ in range(count)]

    def batch(size: int) -> tuple[list[list[float]], list[list[float]]]:
        x = [[float(row + 1), *numbers(2)] for row in range(size)]
        rng.shuffle(x)
        return x, [numbers(UNITS, 20) for _ in x]

    weight, bias = [numbers(3) for _ in range(UNITS)], numbers(UNITS)
    model = {"weight": weight, "bias": bias, "gpus": gpus, "stale": stale}
    return {**model, "lr": rng.choice((0.125, 0.25)), "batches": [batch(size) for size in sizes]}
