"""The argument checks of copies among cards, in the words of ``torch/csrc/cuda/comm.cpp``.

Each check runs before the function of ``comm`` that it belongs to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ..patches import Patches


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise RuntimeError(text)


def _shape(size: Sequence[int]) -> str:
    return str(list(size))


def _wrap(dim: int, tensor: Tensor) -> int:
    """The dimension counted from the front. Raises torch's own IndexError."""
    tensor.size(dim)
    return dim % max(tensor.dim(), 1)


def _outputs_on_cards(out: Sequence[Tensor]) -> None:
    for k, tensor in enumerate(out):
        _require(
            tensor.is_cuda,
            "Expected all output tensors to be CUDA tensors, but output tensor at index "
            f"{k} has device '{tensor.device}'",
        )


def _streams_match(streams: Sequence[Any] | None, indices: Sequence[int]) -> None:
    for k, (stream, index) in enumerate(zip(streams or (), indices, strict=False)):
        _require(
            stream is None or stream.device_index == index,
            f"Expected the device associated with the stream at index {k} (was "
            f"{getattr(stream, 'device_index', None)}) to match the device supplied at that index "
            f"(expected {index})",
        )


def check_broadcast(tensor: Tensor, devices: Sequence[int]) -> None:
    for index in devices:
        _require(index >= 0, f"Expected non-negative device index, but got {index}")


def check_broadcast_out(tensor: Tensor, out: Sequence[Tensor]) -> None:
    _outputs_on_cards(out)
    for k, one in enumerate(out):
        _require(
            one.shape == tensor.shape,
            "Expected all output tensors to have same shape as the source tensor "
            f"{_shape(tensor.shape)}, but output tensor at index {k} has shape {_shape(one.shape)}",
        )


def check_scatter(
    tensor: Tensor,
    devices: Sequence[int],
    chunk_sizes: Sequence[int] | None = None,
    dim: int = 0,
    streams: Sequence[Any] | None = None,
) -> None:
    _require(bool(devices), "Expected at least one device to scatter to")
    if chunk_sizes is not None:
        _require(
            len(chunk_sizes) == len(devices),
            "Expected devices and chunk_sizes to be of same length, but got len(devices) = "
            f"{len(devices)} and len(chunk_sizes) = {len(chunk_sizes)}",
        )
    _streams_match(streams, devices)
    for index in devices:
        _require(index >= 0, f"Expected non-negative device index, but got {index}")


def check_scatter_out(
    tensor: Tensor, out: Sequence[Tensor], dim: int = 0, streams: Sequence[Any] | None = None
) -> None:
    _require(bool(out), "Expected at least one output tensor to scatter to")
    dim = _wrap(dim, tensor)
    _outputs_on_cards(out)
    total = 0
    for k, one in enumerate(out):
        same = one.dim() == tensor.dim() and all(
            n == m for d, (n, m) in enumerate(zip(one.shape, tensor.shape, strict=True)) if d != dim
        )
        _require(
            same,
            f"Output tensor at index {k} has incorrect shape: {_shape(one.shape)}. Expected same "
            f"shape except for scatter dim {dim} as the source tensor: {_shape(tensor.shape)}",
        )
        total += one.size(dim)
    _require(
        total == tensor.size(dim),
        f"Total size for output tensors along scatter dim {dim} does not match the source tensor "
        f"size at dim {dim}. Expected {tensor.size(dim)}, but got total size {total}",
    )
    _streams_match(streams, [one.get_device() for one in out])


def _check_gathered(tensors: Sequence[Tensor], dim: int, quote: str) -> list[int]:
    """Check what is to be gathered; return the shape of the result."""
    _require(bool(tensors), "Expected at least one tensor to gather from")
    first = tensors[0]
    dim = _wrap(dim, first)
    expected = list(first.shape)
    total = 0
    for k, tensor in enumerate(tensors):
        _require(
            tensor.is_cuda,
            "Expected all input tensors to be CUDA tensors, but tensor at index "
            f"{k} has device {quote}{tensor.device}{quote}",
        )
        _require(
            tensor.dim() == len(expected),
            "Expected all input tensors to have the same number of dimensions, but tensor at "
            f"index {k} has {tensor.dim()} dimensions, (expected {len(expected)})",
        )
        expected[dim] = tensor.size(dim)
        _require(
            list(tensor.shape) == expected,
            f"Input tensor at index {k} has invalid shape {_shape(tensor.shape)}, but expected "
            f"{_shape(expected)}",
        )
        total += tensor.size(dim)
    expected[dim] = total
    return expected


def check_gather(tensors: Sequence[Tensor], dim: int, destination: int | None = None) -> None:
    _check_gathered(tensors, dim, "")


def check_gather_out(tensors: Sequence[Tensor], out: Tensor, dim: int) -> None:
    expected = _check_gathered(tensors, dim, "'")
    _require(
        list(out.shape) == expected,
        f"Expected out tensor to have shape {_shape(expected)}, but got {_shape(out.shape)}",
    )


def _checked(function: Callable[..., Any], check: Callable[..., None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        check(*args, **kwargs)
        return function(*args, **kwargs)

    return run


def _sparse_apart(broadcast: Callable[..., list[list[Tensor]]]) -> Callable[..., Any]:
    """Sparse tensors have no buffer to be coalesced into: they travel one by one."""

    def broadcast_all(
        tensors: Sequence[Tensor], devices: Sequence[int], buffer_size: int
    ) -> list[list[Tensor]]:
        if not any(tensor.is_sparse for tensor in tensors):
            return broadcast(tensors, devices, buffer_size)
        dense = [tensor for tensor in tensors if not tensor.is_sparse]
        copies = broadcast(dense, devices, buffer_size)[1:] if dense else [[] for _ in devices[1:]]
        results = [list(tensors)]
        for index, dense_copies in zip(devices[1:], copies, strict=True):
            rest = iter(dense_copies)
            device = torch.device("cuda", index)
            results.append([t.to(device) if t.is_sparse else next(rest) for t in tensors])
        return results

    return broadcast_all


_CHECKS: dict[str, Callable[..., None]] = {
    "_broadcast": check_broadcast,
    "_broadcast_out": check_broadcast_out,
    "_scatter": check_scatter,
    "_scatter_out": check_scatter_out,
    "_gather": check_gather,
    "_gather_out": check_gather_out,
}


def patch(patches: Patches) -> None:
    """Put the checks before the functions of ``comm``, which must be in place."""
    for name, check in _CHECKS.items():
        patches.set(torch._C, **{name: _checked(getattr(torch._C, name), check)})
    patches.set(torch._C, _broadcast_coalesced=_sparse_apart(torch._C._broadcast_coalesced))
