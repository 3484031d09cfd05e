"""Observe `parallel_forward`: what came back, which part ran where, and what became of the rest."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

Runs = list[list[Any]]


class ParallelForward(Observer):
    """Facts: result, gradients, runs; and whether module, inputs and wrapper were left alone."""

    parameters = ("module", "x", "devices")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        runs: Runs = []
        module = build(inputs, runs)
        devices = [torch.device("cuda", gpu) for gpu in inputs["gpus"]]
        x, given = torch.tensor(inputs["x"], device=inputs["place"]), list(devices)
        held = list(chain(module.parameters(), module.buffers()))
        places = _snapshot(held)
        with _calls_of_the_wrapper() as wrapped:
            result = answer(module, x, given)
        after = list(chain(module.parameters(), module.buffers()))
        had_gradients = any(tensor.grad is not None for tensor in held)
        _backward(result)
        return {
            "result": describe(result),
            "runs": list(runs),
            "gradients": [None if p.grad is None else p.grad.tolist() for p in held[:2]],
            "had_gradients": had_gradients,
            "module_kept": [*map(id, after)] == [*map(id, held)] and _snapshot(held) == places,
            "x_kept": x.tolist() == inputs["x"],
            "devices_kept": given == devices,
            "wrapped": bool(wrapped),
        }


def build(data: Mapping[str, Any], runs: Runs) -> nn.Module:
    """A module on the first of the GPUs that notes in `runs` where it runs and on which part.

    The first value of each sample is a tag of its own.
    """

    class Noting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(3, 2)
            if data["kind"] == "shifted":
                self.register_buffer("shift", torch.tensor(data["shift"]))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            runs.append([str(x.device), len(x), x[0, 0].item() if len(x) else None])
            if data["kind"] == "shifted":
                x = x + self.shift
            y = self.linear(x)
            return y.relu() if data["kind"] == "deep" else y

    module = Noting()
    with torch.no_grad():
        module.linear.weight.copy_(torch.tensor(data["weight"]))
        module.linear.bias.copy_(torch.tensor(data["bias"]))
    return module.to(f"cuda:{data['gpus'][0]}")


def _snapshot(tensors: list[torch.Tensor]) -> list[Any]:
    return [(str(tensor.device), tensor.tolist()) for tensor in tensors]


def _backward(result: Any) -> None:
    """Send the gradients of the sum of squares back, as far as they go."""
    if isinstance(result, torch.Tensor) and result.requires_grad:
        # An answer may have used the recording up, or have changed what it needs.
        with suppress(RuntimeError):
            result.square().sum().backward()


@contextmanager
def _calls_of_the_wrapper() -> Iterator[list[str]]:
    """Notes calls of `nn.DataParallel` and `data_parallel`, which both scatter by this name."""
    home = sys.modules["torch.nn.parallel.data_parallel"]
    scatter, calls = home.scatter_kwargs, []

    def noted(*args: Any, **kwargs: Any) -> Any:
        calls.append("scatter")
        return scatter(*args, **kwargs)

    home.scatter_kwargs = noted
    try:
        yield calls
    finally:
        home.scatter_kwargs = scatter


observer = ParallelForward()
