"""Observe `fix_parallel`: the weights, the GPUs that computed, and the bytes between devices."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe

from ..observing import Noting, called


class Regression(Noting):
    """A linear model with a loss of its own.

    _ran: one number for each run of the model itself, or a replica, and not of a copy.
    _loss_on: where the outputs, and the model itself, are when the loss is asked for.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, data["place"])
        self._ran: list[int] = []
        self._loss_on: set[str] = set()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The outputs, shape (samples, outputs)."""
        self._ran.append(len(x))
        return super().forward(x)

    def loss(self, outputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Half of the mean square of the errors."""
        self._loss_on |= {str(outputs.device), str(self.linear_module.weight.device)}
        return nn.functional.mse_loss(outputs, targets) / 2


class MendParallel(Observer):
    """Facts: what the state dict holds, or `form`; `itself`: whether it was the model that ran.

    ran_on, loss_elsewhere: devices; the latter but for the main GPU, and for the CPU, which the
    copies tell of. back, there: bytes to the CPU, and from it to the main GPU.
    """

    gpus = 4  # DataParallel uses all GPUs of the machine

    def prepare(self, data: Mapping[str, Any]) -> tuple[Regression, list[Any]]:
        """The model, and pairs of a batch and its targets, both on the CPU."""
        pairs = [(torch.tensor(batch), torch.tensor(targets)) for batch, targets in data["batches"]]
        return Regression(data), pairs

    def observe(self, answer: Callable[..., Any], inputs: tuple[Regression, list[Any]]) -> Facts:
        """The facts of one call."""
        model, batches = inputs
        seen = called(answer, [model], model, batches)
        result = seen.result
        is_dict = isinstance(result, dict)
        if not is_dict or not all(isinstance(value, torch.Tensor) for value in result.values()):
            return {"form": describe(result)}
        return {
            "keys": sorted(map(str, result)),
            "weights": {str(key): value.tolist() for key, value in result.items()},
            "itself": bool(model._ran),
            "ran_on": sorted({place for place, *_ in seen.runs[0]}),
            "loss_elsewhere": sorted(model._loss_on - {"cuda:0", "cpu"}),
            "back": seen.to_the_cpu(),
            "there": seen.moved.get(("cpu", "cuda:0"), 0),
        }
