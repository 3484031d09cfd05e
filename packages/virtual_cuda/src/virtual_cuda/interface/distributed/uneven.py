"""Lists with tensors of several sizes, which gloo refuses: rank by rank, as torch does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .works import done


def _all_gather(
    outputs: Sequence[list[Tensor]], inputs: Sequence[Tensor], group: Any, *rest: Any
) -> Any:
    """Each rank broadcasts its own. None where all have the shape of the input."""
    (parts,), (own,) = outputs, inputs
    if all(part.shape == own.shape for part in parts):
        return None
    rank = torch.distributed.ProcessGroup.unbox(group).rank()
    for root, part in enumerate(parts):
        buffer = own.reshape(part.shape).clone() if root == rank else torch.empty_like(part)
        _wait(torch.ops.c10d.broadcast_([buffer], group, root, 0))
        part.copy_(buffer)
    return outputs, done(parts).boxed()


def _reduce_scatter(
    outputs: Sequence[Tensor], inputs: Sequence[list[Tensor]], group: Any, op: Any, *rest: Any
) -> Any:
    """The parts are reduced to one rank each. None where all have the shape of the output."""
    (own,), (parts,) = outputs, inputs
    if all(part.shape == own.shape for part in parts):
        return None
    rank = torch.distributed.ProcessGroup.unbox(group).rank()
    for root, part in enumerate(parts):
        total = part.clone()
        _wait(torch.ops.c10d.reduce_([total], group, op, root, 0))
        if root == rank:
            own.copy_(total.view(own.shape))
    return outputs, done(outputs).boxed()


def _wait(result: Any) -> None:
    work = result[-1] if isinstance(result, tuple) else result
    torch.distributed.Work.unbox(work).wait()


WAYS: dict[str, Callable[..., Any]] = {
    "allgather_": _all_gather,
    "reduce_scatter_": _reduce_scatter,
}
