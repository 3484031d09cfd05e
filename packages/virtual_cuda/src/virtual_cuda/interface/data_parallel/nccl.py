"""``torch.cuda.nccl``: collectives of the cards of one process.

The checks and their texts follow ``torch/csrc/cuda/nccl.cpp``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ...patches import Patches
from .comm_checks import require


def _average(tensors: Tensor) -> Tensor:
    rounding = None if tensors.is_floating_point() or tensors.is_complex() else "trunc"
    return torch.div(tensors.sum(0), len(tensors), rounding_mode=rounding).to(tensors.dtype)


# ncclRedOp_t: sum, product, maximum, minimum, average; over the first dimension.
_REDUCTIONS: tuple[Callable[[Tensor], Tensor], ...] = (
    lambda tensors: tensors.sum(0, dtype=tensors.dtype),
    lambda tensors: tensors.prod(0, dtype=tensors.dtype),
    lambda tensors: tensors.amax(0),
    lambda tensors: tensors.amin(0),
    _average,
)


def _check(
    inputs: Sequence[Tensor], outputs: Sequence[Tensor], more: int = 1, less: int = 1
) -> None:
    """Raise RuntimeError for tensors that NCCL refuses.

    An output has ``more / less`` times the elements of an input.
    """
    require(bool(inputs), "input sequence can't be empty")
    require(
        len(inputs) == len(outputs),
        "inputs and outputs sequences have to be of the same length, but got input of length "
        f"{len(inputs)} and output of length {len(outputs)}",
    )
    numel, dtype = inputs[0].numel(), inputs[0].dtype
    for tensor in (*inputs, *outputs):
        require(
            tensor.is_cuda and not tensor.is_sparse,
            "input and output elements have to be cuda dense Tensors",
        )
        require(tensor.dtype == dtype, "all inputs and outputs must be of the same Tensor dtype")
        require(tensor.is_contiguous(), "all inputs and outputs have to be contiguous")
    require(
        len({tensor.device for tensor in inputs}) == len(inputs),
        "inputs must be on unique devices",
    )
    for given, taken in zip(inputs, outputs, strict=True):
        require(given.numel() == numel, "all inputs must have the same number of elements")
        require(given.device == taken.device, "input and output must be on the same device")
        require(
            taken.numel() * less == numel * more,
            "output must be of size input_size * size_multiplier",
        )


def _reduced(inputs: Sequence[Tensor], op: int, device: torch.device) -> Tensor:
    return _REDUCTIONS[op](torch.stack([tensor.to(device).view(-1) for tensor in inputs]))


def _all_reduce(inputs: Sequence[Tensor], outputs: Sequence[Tensor], op: int, *rest: Any) -> None:
    _check(inputs, outputs)
    total = _reduced(inputs, op, inputs[0].device)
    for output in outputs:
        output.view(-1).copy_(total)


def _reduce(inputs: Sequence[Tensor], output: Tensor, root: int, op: int, *rest: Any) -> None:
    _check(inputs, inputs)
    _check([inputs[root]], [output])
    output.view(-1).copy_(_reduced(inputs, op, output.device))


def _broadcast(tensors: Sequence[Tensor], root: int, *rest: Any) -> None:
    _check(tensors, tensors)
    for tensor in tensors:
        if tensor is not tensors[root]:
            tensor.copy_(tensors[root].view(tensor.shape))


def _all_gather(inputs: Sequence[Tensor], outputs: Sequence[Tensor], *rest: Any) -> None:
    _check(inputs, outputs, more=len(inputs))
    for output in outputs:
        output.view(-1).copy_(torch.cat([tensor.to(output.device).view(-1) for tensor in inputs]))


def _reduce_scatter(
    inputs: Sequence[Tensor], outputs: Sequence[Tensor], op: int, *rest: Any
) -> None:
    _check(inputs, outputs, less=len(inputs))
    parts = _reduced(inputs, op, inputs[0].device).chunk(len(outputs))
    for output, part in zip(outputs, parts, strict=True):
        output.view(-1).copy_(part)


def patch(patches: Patches) -> None:
    """Install these functions for ``torch.cuda.nccl``. ``comm`` does its copies without them."""
    patches.set(
        torch._C,
        _nccl_all_reduce=_all_reduce,
        _nccl_reduce=_reduce,
        _nccl_broadcast=_broadcast,
        _nccl_all_gather=_all_gather,
        _nccl_reduce_scatter=_reduce_scatter,
    )
