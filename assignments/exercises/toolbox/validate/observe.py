"""Observe `validate`: its result, the model's state after it, and its memory in use by batch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from exercise_kit import Facts
from exercise_kit.observers import OneCall

from ..collection import garbage_kept

_NUMBERS, _HIDDEN, _OUTPUT = 8, 1024, 256
"""Columns of a batch, the hidden layer and the output; of 64 rows, a graph keeps 256 KiB."""


class Validation(OneCall):
    """Facts: those of `OneCall`, and numbers of the model's parts and calls.

    parameters, gradients: the numbers of parameters that can be trained, and that have a gradient.
    training: the number of modules in training mode. calls: the number of calls of the model.
    devices: those of the batches in these calls, and of the parameters after them.
    grows: the bytes in use at the call for the last batch, less those for the second, the first one
    that can have memory left from the batch before.
    """

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        model, _ = inputs
        facts = super().observe(answer, inputs)
        return {
            **facts,
            "parameters": sum(each.requires_grad for each in model.parameters()),
            "gradients": sum(each.grad is not None for each in model.parameters()),
            "training": sum(each.training for each in model.modules()),
            "calls": len(self._used),
            "devices": sorted(self._devices | {str(each.device) for each in model.parameters()}),
            "grows": self._used[-1] - self._used[1] if len(self._used) > 2 else 0,
        }

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result; notes the memory in use at each call of the model."""
        model, _ = inputs
        device = next(model.parameters()).device
        self._used: list[int] = []
        self._devices: set[str] = set()

        def note(_: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
            self._devices |= {str(batch.device) for batch in given}
            on_gpu = device.type == "cuda"
            self._used.append(torch.cuda.memory_allocated(device) if on_gpu else 0)

        hook = model.register_forward_pre_hook(note)
        try:
            with garbage_kept():
                return super().call(answer, inputs)
        finally:
            hook.remove()


def model_of(described: Mapping[str, Any]) -> nn.Module:
    """A model of two layers, whose weights rise in even steps."""
    model = nn.Sequential(nn.Linear(_NUMBERS, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _OUTPUT))
    with torch.no_grad():
        for parameter in model.parameters():
            rising = torch.linspace(-0.5, 1, parameter.numel()) * described["slope"] / 8
            parameter.copy_(rising.view_as(parameter))
    return model.to(described["device"]).train(described["training"])


def batches_of(described: Sequence[Mapping[str, Any]]) -> list[torch.Tensor]:
    """Batches, each filled with one value."""
    return [
        torch.full((each["rows"], _NUMBERS), each["value"], device=each["device"])
        for each in described
    ]


observer = Validation(make={"model": model_of, "batches": batches_of})
