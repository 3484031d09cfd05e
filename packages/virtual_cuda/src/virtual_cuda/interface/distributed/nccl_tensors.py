"""The requirements of NCCL for a tensor: each function raises torch 2.13's error if not met.

Sources: ``torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp`` and ``torch/csrc/cuda/nccl.cpp``; the
texts were compared with those in torch's library for CUDA.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ... import errors

ONE_TENSOR = (
    "Expecting one tensor only but got multiple. You are probably using multiple devices under one "
    "thread. The support for such usage has been deprecated. For details, please refer to "
    "https://pytorch.org/docs/stable/distributed.html#multi-gpu-collective-functions. "
    "ProcessGroupNCCL continues supporting multi-process and multi-thread modes."
)
_OTHER_STRIDES = (
    "Detected non-contiguous tensor in P2P operations. It is user responsibility to guarantee that "
    "source and destination tensors have the same contiguity format."
)
_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}
# fmt: off
_TYPES = {
    torch.int8, torch.uint8, torch.float32, torch.float64, torch.int32, torch.int64, torch.float16,
    torch.bool, torch.bfloat16, torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e4m3fnuz,
    torch.float8_e5m2fnuz,
}
# fmt: on
_FLOAT8 = {dtype for dtype in _TYPES if "float8" in str(dtype)}
_IN_CPP = {
    torch.float32: "float",
    torch.float64: "double",
    torch.float16: "c10::Half",
    torch.bfloat16: "c10::BFloat16",
    torch.int32: "int",
    torch.int64: "long int",
    torch.uint8: "unsigned char",
}
_NOT_REDUCED = {torch.float8_e5m2fnuz, torch.float8_e4m3fnuz, torch.float8_e8m0fnu}


def undefined(what: str) -> RuntimeError:
    """Our own error for arguments that torch does not check before it calls NCCL."""
    return RuntimeError(
        f"{what}. Neither torch nor NCCL checks this. On real GPUs it overwrites other memory, "
        "gives wrong values or hangs."
    )


def only(tensors: Sequence[Any]) -> Any:
    """The only tensor, or list, of a call."""
    if len(tensors) != 1:
        raise RuntimeError(ONE_TENSOR)
    return tensors[0]


def on_card(tensor: Tensor) -> None:
    """Require a dense tensor on a card."""
    if not tensor.is_cuda or tensor.is_sparse:
        raise ValueError("Tensors must be CUDA and dense")


def _contiguous(tensor: Tensor) -> bool:
    layout = _FORMATS.get(tensor.dim())
    return tensor.is_contiguous() or (
        layout is not None and tensor.is_contiguous(memory_format=layout)
    )


def is_dense(tensor: Tensor) -> bool:
    """Whether the elements are in memory without gaps and overlaps, in any order."""
    if not tensor.numel():
        return True
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def single(tensor: Tensor) -> None:
    """Require a contiguous tensor on a card."""
    on_card(tensor)
    if not _contiguous(tensor):
        raise ValueError("Tensors must be contiguous")


def sendable(tensor: Tensor) -> None:
    """Require a tensor on a card without gaps; warn if it is not contiguous."""
    on_card(tensor)
    if not _contiguous(tensor):
        if not is_dense(tensor):
            raise ValueError("Tensors for P2P must be non-overlapping and dense")
        warnings.warn(_OTHER_STRIDES, stacklevel=2)


def _name(dtype: torch.dtype) -> str:
    try:
        kind = torch.empty(0, dtype=dtype).type()
    except (RuntimeError, TypeError):
        return str(dtype).removeprefix("torch.")
    return kind.removeprefix("torch.").removesuffix("Tensor")


def moved(tensor: Tensor) -> None:
    """Require a dtype that NCCL has."""
    if tensor.dtype not in _TYPES and not tensor.is_complex():
        raise TypeError(
            "Input tensor data type is not supported for NCCL process group: " + _name(tensor.dtype)
        )


def sent(tensor: Tensor) -> None:
    """Require a dtype that NCCL has, with the error text of sends."""
    if tensor.dtype not in _TYPES and not tensor.is_complex():
        raise RuntimeError(f"Unconvertible NCCL type {_name(tensor.dtype)}")


def reducible(tensor: Tensor) -> None:
    """Require a dtype that can be reduced."""
    if tensor.dtype in _NOT_REDUCED:
        raise RuntimeError("Unsupported Float8 type for NCCL reduction")


def reduced(tensor: Tensor) -> None:
    """Require a dtype that both NCCL and gloo can reduce."""
    moved(tensor)
    if tensor.dtype in _FLOAT8:
        raise errors.UnsupportedFeature("sums of float8 among ranks", "reduce wider types")


def same_card(tensor: Tensor, device: torch.device) -> None:
    """Require a tensor on this card, whose memory NCCL's kernel can access.

    On real GPUs, access to another card's memory depends on earlier peer access; here, never.
    """
    if tensor.device != device:
        raise errors.illegal_memory_access()


def raw(tensors: Sequence[Tensor], what: str) -> None:
    """Require tensors without gaps, for calls that ignore strides."""
    if not all(map(is_dense, tensors)):
        raise undefined(f"{what}: a tensor has gaps between its elements")


def options(tensor: Tensor) -> str:
    """A tensor's options as C++ prints them."""
    dtype = _IN_CPP.get(tensor.dtype, str(tensor.dtype).removeprefix("torch."))
    return (
        f"TensorOptions(dtype={dtype}, device={tensor.device}, layout=Strided, "
        "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
    )
