"""Observe `wrap`: what comes back, which tensors were copied on the way, and whether it runs."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies


class Adding(nn.Module):
    """Adds everything that it holds to its input."""

    def __init__(self, parameters: Sequence[str], buffers: Sequence[str], first: int = 1) -> None:
        super().__init__()
        self.names = [f"p{n}" for n in range(len(parameters))]
        for name, place in zip(self.names, parameters, strict=True):
            size = first if name == "p0" else 1
            self.register_parameter(name, nn.Parameter(torch.ones(size, device=place)))
        for number, place in enumerate(buffers):
            # They count although a state dict leaves them out.
            self.register_buffer(f"b{number}", torch.ones(1, device=place), persistent=False)
            self.names.append(f"b{number}")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for name in self.names:
            x = x + getattr(self, name)
        return x


class Wrap(Observer):
    """Facts about the model afterwards, about what came back, and about one call of it."""

    parameters = ("model", "ids")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        visible = torch.cuda.device_count()
        model = Adding(inputs["parameters"], inputs["buffers"], inputs["first_size"])
        ids = inputs["ids"]
        if ids is not None:
            # The data cannot know how many GPUs there are: -1 stands for one past the last.
            ids = [visible - 1 - index if index < 0 else index for index in ids]
        given = None if ids is None else list(ids)
        before = list(model.parameters())
        with count_copies() as copies:
            result = answer(model, ids)
        wrapper = isinstance(result, nn.DataParallel)
        kept = [*map(id, model.parameters())] == [*map(id, before)]
        tensors = list(chain(model.parameters(), model.buffers()))
        return {
            "visible": visible,
            "ids_kept": ids == given,
            "result": describe(result),
            "returned": _kind(result, model) if kept else "other-module",
            "device_ids": [int(index) for index in result.device_ids] if wrapper else None,
            "places": [str(tensor.device) for tensor in tensors],
            "copies": copies.total,
            "output": _output(result) if wrapper else None,
        }


def _kind(result: Any, model: nn.Module) -> str:
    if result is model:
        return "model"
    if isinstance(result, nn.DataParallel) and result.module is model:
        return "wrapped"
    return "other-module" if isinstance(result, nn.Module) else "other"


def _output(wrapper: nn.DataParallel) -> str:
    """Where the result of a batch is, or why there is none."""
    try:
        return str(wrapper(torch.zeros(8, 1)).device)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


observer = Wrap()
