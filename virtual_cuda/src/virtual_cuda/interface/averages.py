"""Averages of whole numbers over ranks (``ReduceOp.AVG``), which NCCL has and gloo refuses.

NCCL adds them and drops what the division leaves over. So a program that averages the sizes of its
batches over ranks, as Lightning does, works on cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ..patches import Patches


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def _is_whole(tensor: Tensor) -> bool:
    dtype = tensor.dtype
    return tensor.is_cuda and not (dtype.is_floating_point or dtype.is_complex)


def _averaging(reduce: Callable[..., Any]) -> Callable[..., Any]:
    operations = torch.distributed.ReduceOp

    def reduction(self: Any, *args: Any, **named: Any) -> Any:
        written, *rest = *args, *named.values()
        options = next((item for item in rest if hasattr(item, "reduceOp")), None)
        if options is None or options.reduceOp != operations.AVG or self.name() == "gloo":
            return reduce(self, *args, **named)
        numbers = list(_tensors(written))
        if not all(map(_is_whole, numbers)):
            return reduce(self, *args, **named)
        if any(tensor.dtype is torch.bool for tensor in numbers):
            raise TypeError("Cannot use ReduceOp.AVG with boolean inputs")  # as c10d for NCCL
        options.reduceOp = operations.SUM
        try:
            reduce(self, *args, **named).wait()
        finally:
            options.reduceOp = operations.AVG
        if getattr(options, "rootRank", self.rank()) == self.rank():
            for tensor in numbers:
                tensor.div_(self.size(), rounding_mode="trunc")
        done: torch.futures.Future[list[Tensor]] = torch.futures.Future()
        done.set_result(numbers)
        # Not the sum's own work: some of gloo's write their result anew in every wait().
        return torch._C._distributed_c10d._create_work_from_future(done)

    return reduction


def patch(patches: Patches) -> None:
    """Let the reductions of a process group average whole numbers on cards."""
    if torch.distributed.is_available():
        group = torch._C._distributed_c10d.ProcessGroup
        # By what they have in common: torch 2.13 has other names for some than 2.11.
        reductions = [name for name in dir(group) if "reduce" in name and "__" not in name]
        patches.set(group, **{name: _averaging(getattr(group, name)) for name in reductions})
