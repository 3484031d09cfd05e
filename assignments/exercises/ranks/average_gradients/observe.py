"""Observe `average_gradients`: called on every rank of a group; gradients and weights on each."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear, weights

from ..observing import Rank, RankCall


class AverageGradients(RankCall):
    """Facts by rank: gradients; what has none, or is frozen and has one; whether weights changed.

    A rank has a batch of its own, with targets; the second layer may be frozen.
    """

    def work(
        self, answer: Callable[..., Any], data: Mapping[str, Any], own: Any, dist: Rank
    ) -> dict[str, Any]:
        layers = OrderedDict((name, linear(*data[name])) for name in ("first", "second"))
        layers["second"].requires_grad_(not data["frozen"])
        model = nn.Sequential(layers)
        batch, targets = own
        if batch:
            nn.functional.mse_loss(model(torch.tensor(batch)), torch.tensor(targets)).backward()
        before = weights(model)
        trained = [name for name, p in model.named_parameters() if p.requires_grad]
        answer(model, len(batch), dist)
        after = [(name, p.grad) for name, p in model.named_parameters()]
        gradients = {name: gradient.tolist() for name, gradient in after if gradient is not None}
        return {
            "changed": weights(model) != before,
            "frozen": {name: gradients[name] for name in gradients if name not in trained},
            "without": [name for name in trained if name not in gradients],
            "gradients": gradients,
        }
