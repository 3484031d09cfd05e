"""Observe `in_parts`: the gradients, and the images that are in memory at a time."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.observers import OneCall

from ..observing import Counting


class Watched(Counting):
    """The model, which also notes the size of each batch."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        super().__init__(described)
        self.sizes: list[int] = []

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The scores of the images."""
        self.sizes.append(len(images))
        return super().forward(images)


def _tensor(described: list[Any]) -> torch.Tensor:
    values, device = described
    return torch.tensor(values, device=device)


class InParts(OneCall):
    """Facts: `gradients`, the `sizes` of the parts, and the `most` images at a time."""

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        model = inputs[0]
        answer(*inputs)
        gradients = [each.grad for each in model.linear.parameters()]
        return {
            "gradients": [None if g is None else g.flatten().tolist() for g in gradients],
            "sizes": model.sizes,
            "most": model.most,
        }


observer = InParts(make={"model": Watched, "images": _tensor, "targets": _tensor})
