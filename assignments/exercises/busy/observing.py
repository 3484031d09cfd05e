"""A model for `in_parts` and `train_batch` that counts the images in memory."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear


class Counting(nn.Module):
    """A linear model that counts images in memory: those of a call, and those of each graph.

    described: `weight`, `bias`, `device`, and `before`, the value of each gradient, or 0 for none.
    _held: the images with a graph now. _most: the most in memory at a time. These notes are
        private, so a submission that changes them gets a hint.
    """

    def __init__(self, described: Mapping[str, Any]) -> None:
        super().__init__()
        self.linear = linear(described["weight"], described["bias"]).to(described["device"])
        for parameter in self.linear.parameters():
            if described["before"]:
                parameter.grad = torch.full_like(parameter, described["before"])
        self._held = self._most = 0

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The scores of the images."""
        scores: torch.Tensor = self.linear(images)
        self._most = max(self._most, self._held + len(images))
        if scores.requires_grad:
            self._held += len(images)
            scores.register_hook(lambda gradient: self._free(len(gradient)))
        return scores

    def _free(self, count: int) -> None:
        self._held -= count
