"""Observe `average_gradients`: called on every rank of a group; gradients and weights on each."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer

from ..observing import Group, Rank


class _Model(nn.Module):
    """Two layers; the second, a scale, may be frozen."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.tensor(data["scale"]), requires_grad=not data["frozen"])
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor(data["weight"]))
            self.linear.bias.copy_(torch.tensor(data["bias"]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) * self.scale


class AverageGradients(Observer):
    """Facts: for each rank its gradients by name and whether its weights changed; `apart`."""

    parameters = ("model", "samples", "dist")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        shards = inputs["shards"]

        def work(dist: Rank) -> dict[str, Any]:
            model, (batch, targets) = _Model(inputs), shards[dist.get_rank()]
            if batch:
                outputs = model(torch.tensor(batch))
                nn.functional.mse_loss(outputs, torch.tensor(targets)).backward()
            before = [parameter.detach().clone() for parameter in model.parameters()]
            answer(model, len(batch), dist)
            pairs = zip(before, model.parameters(), strict=True)
            return {
                "gradients": {
                    name: None if p.grad is None else p.grad.tolist()
                    for name, p in model.named_parameters()
                },
                "kept": all(torch.equal(old, new) for old, new in pairs),
            }

        group = Group(len(shards))
        ranks = group.run(work)
        return {"ranks": ranks, "apart": group.apart}


observer = AverageGradients()
