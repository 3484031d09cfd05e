"""Observe `set_up`: the devices that it returns, and what the generators give afterwards."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy
import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.visible import visible


class SetUp(Observer):
    """Facts: `result`, and of each kind of generator whether it `repeats` and `differs`.

    repeats: the same numbers after two calls with one seed. differs: others with another seed.
    """

    parameters = ("seed", "samples")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        gpus, seed, samples = inputs["gpus"], inputs["seed"], inputs["samples"]
        drawn = []
        with visible(gpus, answer):
            for number, used in enumerate((seed, seed, inputs["other_seed"])):
                _disturb(number, gpus)
                result = answer(used, samples)
                drawn.append(_draw(gpus))
        first, again, other = drawn
        return {
            "result": describe(result),
            "repeats": {kind: first[kind] == again[kind] for kind in first},
            "differs": {kind: first[kind] != other[kind] for kind in first},
        }


def _disturb(number: int, gpus: int) -> None:
    """Leave every generator in a state that no call has left before."""
    random.seed(f"before call {number}")
    numpy.random.seed(9000 + number)
    torch.manual_seed(9000 + number)
    for gpu in range(gpus):
        torch.rand(3 + number, device=f"cuda:{gpu}")


def _draw(gpus: int) -> dict[str, list[float]]:
    on_gpus = [torch.rand(2, device=f"cuda:{gpu}").tolist() for gpu in range(gpus)]
    return {
        "random": [random.random()],
        "numpy": numpy.random.rand(2).tolist(),
        "torch": torch.rand(2).tolist(),
        **{f"torch on cuda:{gpu}": numbers for gpu, numbers in enumerate(on_gpus)},
    }


observer = SetUp()
