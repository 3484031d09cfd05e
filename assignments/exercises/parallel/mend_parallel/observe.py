"""Observe `mend_parallel`: the weights, the GPUs that computed, and the bytes between devices."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies


class Regression(nn.Module):
    """A linear model with a loss of its own that notes where it computes.

    `loss_on`: where the outputs, and the model itself, are when the loss is asked for.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        # Named so that the wrapper's prefix occurs inside the name as well.
        self.linear_module = nn.Linear(3, 2)
        self.ran_on: set[str] = set()
        self.loss_on: set[str] = set()
        with torch.no_grad():
            self.linear_module.weight.copy_(torch.tensor(data["weight"]))
            self.linear_module.bias.copy_(torch.tensor(data["bias"]))
        self.to(data["place"])

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        self.ran_on.add(str(batch.device))
        return self.linear_module(batch)

    def loss(self, outputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        self.loss_on |= {str(outputs.device), str(self.linear_module.weight.device)}
        return nn.functional.mse_loss(outputs, targets) / 2


class MendParallel(Observer):
    """Facts: the returned keys and values, `ran_on`, `loss_on`, and bytes by route."""

    parameters = ("model", "batches")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        model = Regression(inputs)
        batches = [tuple(map(torch.tensor, pair)) for pair in inputs["batches"]]
        with count_copies() as copies:
            result = answer(model, batches)
        routes = copies.bytes_by_route.items()
        # A state dict is an OrderedDict, which is as good as a dict here.
        plain = dict(result) if isinstance(result, dict) else result
        return {
            "result": describe(plain),
            "ran_on": sorted(model.ran_on),
            "loss_on": sorted(model.loss_on),
            "bytes": [[source, target, number] for (source, target), number in routes],
        }


observer = MendParallel()
