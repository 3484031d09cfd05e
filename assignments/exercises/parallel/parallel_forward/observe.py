"""Observe `parallel_forward`: what came back, which part ran where, and what became of the rest."""

import sys
import threading
import time
from contextlib import suppress
from itertools import chain
from unittest import mock

import torch

from exercise_kit.contract import Observer
from exercise_kit.facts import describe

from ..observing import Noting, called


class Module(Noting):
    """A linear model that shifts its input first, or is followed by a relu."""

    def __init__(self, data):
        super().__init__(data, f"cuda:{data['gpus'][0]}")
        self.first = self.linear_module.weight.device
        self.relu = data["kind"] == "deep"
        shift = torch.tensor(data["shift"], device=self.first)
        self.register_buffer("shift", shift if data["kind"] == "shifted" else None)

    def forward(self, x):
        if threading.current_thread() is not threading.main_thread():
            # Runs in threads meet, and the first part is done last, not only now and then.
            time.sleep(0.02 if x.device == self.first else 0.01)
        y = super().forward(x if self.shift is None else x + self.shift)
        return y.relu() if self.relu else y


class ParallelForward(Observer):
    """Facts: the result, what ran, and gradients after a backward pass from the result.

    ran, ran_on: samples and first tag of each run of the module, without its GPU and with it.
    changed, module: names of the inputs, and of the module's tensors, that are not as before.
    early: how many parameters have a gradient before the backward pass. wrapped: calls of it.
    """

    def prepare(self, data):
        devices = [torch.device("cuda", gpu) for gpu in data["gpus"]]
        return Module(data), torch.tensor(data["x"], device=data["place"]), devices

    def observe(self, answer, inputs):
        module, x, devices = inputs
        # With the module's own tensors, so that nothing else gets their place in memory.
        before = x.tolist(), list(devices), _tensors(module), module.state_dict()
        home = sys.modules["torch.nn.parallel.data_parallel"]
        with mock.patch.object(home, "scatter_kwargs", wraps=home.scatter_kwargs) as scatter:
            seen = called(answer, [module], module, x, devices)
        after = _tensors(module)
        early = sum(parameter.grad is not None for parameter in module.parameters())
        _backward(seen.result)
        gradients = [(name, p.grad) for name, p in module.named_parameters()]
        kept = {"x": before[0] == x.tolist(), "devices": before[1] == devices}
        return {
            "wrapped": scatter.call_count,
            "module": sorted(name for name in after if after[name] != before[2].get(name)),
            "changed": [name for name in kept if not kept[name]],
            "early": early,
            "ran": [run[1:] for run in seen.runs[0]],
            "ran_on": seen.runs[0],
            "result": describe(seen.result),
            "gradients": {name: None if g is None else g.tolist() for name, g in gradients},
        }


def _tensors(module):
    """What each parameter and buffer is, its place in memory, and its values."""
    named = chain(module.named_parameters(), module.named_buffers())
    return {name: (id(tensor), tensor.data_ptr(), tensor.tolist()) for name, tensor in named}


def _backward(result):
    """Send the gradients of the sum of squares back, as far as they go."""
    if isinstance(result, torch.Tensor) and result.requires_grad:
        # An answer may have used the recording up, or have changed what it needs.
        with suppress(RuntimeError):
            result.square().sum().backward()
