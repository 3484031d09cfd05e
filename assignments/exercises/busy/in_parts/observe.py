"""Observe `in_parts`: the gradients, and the images that are in memory at a time."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear
from exercise_kit import Facts
from exercise_kit.observers import OneCall


class Watched(nn.Module):
    """A linear model that notes the size of each batch, and how many images it holds."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        super().__init__()
        self.linear = linear(described["weight"], described["bias"]).to(described["device"])
        for parameter in self.linear.parameters():
            if described["before"]:
                parameter.grad = torch.full_like(parameter, described["before"])
        self.sizes: list[int] = []
        self.held = self.most = 0

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The scores of the images."""
        self.sizes.append(len(images))
        scores: torch.Tensor = self.linear(images)
        if scores.requires_grad:
            self.held += len(images)
            self.most = max(self.most, self.held)
            scores.register_hook(lambda gradient: self._free(len(gradient)))
        return scores

    def _free(self, count: int) -> None:
        self.held -= count


def _tensor(described: list[Any]) -> torch.Tensor:
    values, device = described
    return torch.tensor(values, device=device)


class InParts(OneCall):
    """Facts: `gradients`, the `sizes` of the parts, and the `most` images at a time."""

    needs_devices = True

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        model = inputs[0]
        self.call(answer, inputs)
        gradients = [each.grad for each in model.linear.parameters()]
        return {
            "gradients": [None if g is None else g.flatten().tolist() for g in gradients],
            "sizes": model.sizes,
            "most": model.most,
        }

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The result of the answer."""
        return answer(*inputs)


observer = InParts(make={"model": Watched, "images": _tensor, "targets": _tensor})
