"""A model for `in_parts` and `train_batch` that counts the images in memory."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear


class Counting(nn.Module):
    """A linear model that counts the images whose graph is in memory.

    described: `weight`, `bias`, `device`, and `before`, the value of each gradient, or 0 for none.
    held: the images in memory now. most: how many were in memory at a time.
    """

    def __init__(self, described: Mapping[str, Any]) -> None:
        super().__init__()
        self.linear = linear(described["weight"], described["bias"]).to(described["device"])
        for parameter in self.linear.parameters():
            if described["before"]:
                parameter.grad = torch.full_like(parameter, described["before"])
        self.held = self.most = 0

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The scores of the images."""
        scores: torch.Tensor = self.linear(images)
        if scores.requires_grad:
            self.held += len(images)
            self.most = max(self.most, self.held)
            scores.register_hook(lambda gradient: self._free(len(gradient)))
        return scores

    def _free(self, count: int) -> None:
        self.held -= count
