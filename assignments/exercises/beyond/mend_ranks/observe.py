"""Observe `mend_ranks`: called on every rank of a group; weights, samples and losses on each."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from torch.utils.data import TensorDataset

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import Group, Rank


class _Model(nn.Module):
    """A linear model that notes the samples that it is given; their first value is a tag."""

    def __init__(self, weight: Any, bias: Any) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 1)
        self.seen: list[float] = []
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor(weight))
            self.linear.bias.copy_(torch.tensor(bias))

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        self.seen += batch[:, 0].tolist()
        return self.linear(batch)


class MendRanks(Observer):
    """Facts: for each rank its weights and samples in order; the result of rank 0; `apart`."""

    parameters = ("model", "data", "epochs", "dist")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        starts = inputs["starts"]

        def work(dist: Rank) -> dict[str, Any]:
            model = _Model(*starts[dist.get_rank()])
            data = TensorDataset(torch.tensor(inputs["batch"]), torch.tensor(inputs["targets"]))
            result = answer(model, data, inputs["epochs"], dist)
            weights = [v for p in model.parameters() for v in p.detach().flatten().tolist()]
            return {"weights": weights, "seen": model.seen[:1000], "result": describe(result)}

        group = Group(len(starts))
        ranks = group.run(work)
        return {"ranks": ranks, "apart": group.apart}


observer = MendRanks()
