"""Reductions over ranks that NCCL has and gloo refuses, and errors for others.

Averages of integers (``ReduceOp.AVG``): NCCL adds them and divides with truncation. So programs
that average the sizes of their batches over ranks work, such as Lightning.

Sums of multiples (``ReduceOp.PREMUL_SUM``): NCCL multiplies by a factor, then adds. FSDP2 uses them
if gradients are divided by another number than the number of ranks.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from ...patches import Patches
from ...retag import tensors_in
from .works import done

_NEVER = ("BAND", "BOR", "BXOR")


def _is_whole(tensor: Tensor) -> bool:
    dtype = tensor.dtype
    return tensor.is_cuda and not (dtype.is_floating_point or dtype.is_complex)


@contextmanager
def _adding(options: Any) -> Iterator[None]:
    """Change the options of a reduction to a sum within the block."""
    asked_for = copy.copy(options.reduceOp)
    options.reduceOp = torch.distributed.ReduceOp.SUM
    try:
        yield
    finally:
        options.reduceOp = asked_for


def _average(group: Any, add: Callable[[], Any], numbers: list[Tensor], options: Any) -> Any:
    if any(tensor.dtype is torch.bool for tensor in numbers):
        raise TypeError("Cannot use ReduceOp.AVG with boolean inputs")  # as c10d for NCCL
    with _adding(options):
        add().wait()
    if getattr(options, "rootRank", group.rank()) == group.rank():
        for tensor in numbers:
            tensor.div_(group.size(), rounding_mode="trunc")
    return done(numbers)  # not the sum's own work: some of gloo's write again in every wait()


def _scaled(value: Any, factor: float | Tensor) -> Any:
    if isinstance(value, Tensor):
        return value * factor
    return [_scaled(item, factor) for item in value]


def _scale_input(args: list[Any], factor: float | Tensor) -> list[Any]:
    """Arguments of a reduction with the input tensors multiplied, in place if also written."""
    written, *rest = args
    if rest and next(tensors_in(rest[0]), None) is not None:
        return [written, _scaled(rest[0], factor), *rest[1:]]
    for tensor in tensors_in(written):
        tensor.mul_(factor)
    return args


def _reducing(reduce: Callable[..., Any]) -> Callable[..., Any]:
    operations = torch.distributed.ReduceOp

    def reduction(self: Any, *args: Any, **named: Any) -> Any:
        values = [*args, *named.values()]
        options = next((item for item in values if hasattr(item, "reduceOp")), None)
        if options is None or self.name() == "gloo":
            return reduce(self, *args, **named)
        if any(tensor.is_cuda for tensor in tensors_in(values[0])):
            for name in _NEVER:
                if options.reduceOp == getattr(operations, name):
                    raise ValueError(f"Cannot use ReduceOp.{name} with NCCL")
        if options.reduceOp == operations.AVG:
            numbers = list(tensors_in(values[0]))
            if all(map(_is_whole, numbers)):
                return _average(self, lambda: reduce(self, *args, **named), numbers, options)
        if options.reduceOp == operations.PREMUL_SUM:
            _, factor = options.reduceOp.__getstate__()
            values = _scale_input(values, factor)
            with _adding(options):
                return reduce(
                    self, *values[: len(args)], **dict(zip(named, values[len(args) :], strict=True))
                )
        return reduce(self, *args, **named)

    return reduction


def patch(patches: Patches) -> None:
    """Make the reductions of a process group on cards work as in NCCL."""
    if torch.distributed.is_available():
        group = torch._C._distributed_c10d.ProcessGroup
        # By a common part of their names: some names differ between torch 2.11 and 2.13.
        reductions = [name for name in dir(group) if "reduce" in name and "__" not in name]
        patches.set(group, **{name: _reducing(getattr(group, name)) for name in reductions})
