"""What the exercises on training with several GPUs share: a model that notes its runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear
from course_utils.experiments.copies import Route, count_copies
from exercise_kit.facts import describe
from exercise_kit.observers import settled


class Noting(nn.Module):
    """A linear model that notes each of its runs, and so does every copy of it: see `runs_of`."""

    def __init__(self, data: Mapping[str, Any], place: str | torch.device) -> None:
        super().__init__()
        # deepcopy keeps a function as it is, and copies a list.
        self._note: Any = list[Any]().append
        # Named so that the prefix of a wrapper occurs inside the name as well.
        self.linear_module = linear(data["weight"], data["bias"])
        self.to(place)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The outputs, shape (samples, outputs); notes the run."""
        self._note([str(x.device), len(x), x[0, 0].item() if len(x) else None])
        return self.linear_module(x)


def runs_of(model: Noting) -> list[list[Any]]:
    """Of each run the GPU, the number of samples, and the first value of all, which is a tag."""
    return model._note.__self__


@dataclass(frozen=True)
class Called:
    """A call of an answer: what came back, each model's runs, sorted, and bytes by route."""

    result: Any
    runs: list[list[list[Any]]]
    moved: Mapping[Route, int]

    def to_the_cpu(self) -> int:
        """Bytes from all GPUs."""
        return sum(count for (_, target), count in self.moved.items() if target == "cpu")


def called(answer: Callable[..., Any], models: Sequence[Noting], *args: Any) -> Called:
    """Call the answer with `args`, and note what the models do meanwhile."""
    for model in models:
        runs_of(model).clear()
    with count_copies() as copies:
        result = settled(answer(*args))
    runs = [sorted(runs_of(model), key=str) for model in models]
    return Called(result, runs, copies.bytes_by_route)


def number(value: Any) -> dict[str, Any]:
    """Any object described, and a tensor with one element as the number in it."""
    facts = describe(value)
    if facts["type"] != "Tensor" or facts["shape"] not in ([], [1]) or "values" not in facts:
        return facts
    return describe(facts["values"][0] if facts["shape"] else facts["values"])
