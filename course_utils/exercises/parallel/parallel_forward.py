"""Observe `parallel.parallel_forward`."""

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
    """Facts: result, gradients, which part ran where; module, input and list afterwards."""

    name = "parallel.parallel_forward"
    parameters = ("module", "x", "devices")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        runs: Runs = []
        module = _build(data, runs)
        devices = [torch.device("cuda", gpu) for gpu in data["gpus"]]
        x, given = torch.tensor(data["x"], device=data["place"]), list(devices)
        held, was = _held(module), _snapshot(module)
        with _calls_of_the_wrapper() as wrapped:
            result = answer(module, x, given)
        kept = _held(module) == held and _snapshot(module) == was
        has_gradients = any(tensor.grad is not None for tensor in held)
        _backward(result)
        return {
            "result": describe(result),
            "runs": list(runs),
            "gradients": [None if p.grad is None else p.grad.tolist() for p in held[:2]],
            "has_gradients": has_gradients,
            "module_kept": kept,
            "input_kept": given == devices and x.tolist() == data["x"],
            "wrapped": bool(wrapped),
        }


def _build(data: Mapping[str, Any], runs: Runs) -> nn.Module:
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
            runs.append([str(x.device), len(x), x[0, 0].item()])
            if data["kind"] == "shifted":
                x = x + self.shift
            y = self.linear(x)
            return y.relu() if data["kind"] == "deep" else y

    module = Noting()
    with torch.no_grad():
        module.linear.weight.copy_(torch.tensor(data["weight"]))
        module.linear.bias.copy_(torch.tensor(data["bias"]))
    return module.to(f"cuda:{data['gpus'][0]}")


class _Identities(list):
    """Tensors that are compared by identity."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and [*map(id, self)] == [*map(id, other)]

    __hash__ = None


def _held(module: nn.Module) -> _Identities:
    """The module's parameters, weight and bias first, then its buffers."""
    return _Identities(chain(module.parameters(), module.buffers()))


def _snapshot(module: nn.Module) -> list[Any]:
    """Places and values of everything the module holds."""
    return [(str(tensor.device), tensor.tolist()) for tensor in _held(module)]


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
