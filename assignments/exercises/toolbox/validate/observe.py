"""Observe `validate`: its result, what became of the model, and the memory from batch to batch."""

import torch
from torch import nn

from exercise_kit.observers import OneCall

from ..collection import garbage_kept

_NUMBERS, _HIDDEN, _OUTPUT = 8, 1024, 256
"""In a batch, in the hidden layer and in the output: of 64 rows, backward would need 256 KiB."""


class Validation(OneCall):
    """Facts: those of `OneCall`, without the batches that cannot change unseen.

    parameters, gradients: how many of the model's can be trained, and how many have a gradient.
    training: how many of its modules are in training mode. calls: of the model. grows: bytes more
    in use when it is called for the last batch than for the second, which is the first one with
    something left from the batch before.
    """

    needs_devices = True

    def observe(self, answer, inputs):
        model, _ = inputs
        facts = super().observe(answer, inputs)
        return {
            **facts,
            "parameters": sum(each.requires_grad for each in model.parameters()),
            "gradients": sum(each.grad is not None for each in model.parameters()),
            "training": sum(each.training for each in model.modules()),
            "calls": len(self._used),
            "grows": self._used[-1] - self._used[1] if len(self._used) > 2 else 0,
        }

    def call(self, answer, inputs):
        model, _ = inputs
        device = next(model.parameters()).device
        self._used = []

        def note(*_):
            on_gpu = device.type == "cuda"
            self._used.append(torch.cuda.memory_allocated(device) if on_gpu else 0)

        hook = model.register_forward_pre_hook(note)
        try:
            with garbage_kept():
                return super().call(answer, inputs)
        finally:
            hook.remove()


def model_of(described):
    """Two layers whose weights rise in even steps."""
    model = nn.Sequential(nn.Linear(_NUMBERS, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _OUTPUT))
    with torch.no_grad():
        for parameter in model.parameters():
            rising = torch.linspace(-0.5, 1, parameter.numel()) * described["slope"] / 8
            parameter.copy_(rising.view_as(parameter))
    return model.to(described["device"]).train(described["training"])


def batches_of(described):
    """Batches of one value each."""
    return [
        torch.full((each["rows"], _NUMBERS), each["value"], device=each["device"])
        for each in described
    ]


observer = Validation(make={"model": model_of, "batches": batches_of})
