"""The argument checks of copies between cards, with the texts of ``torch/csrc/cuda/comm.cpp``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor


def checked_by(check: Callable[..., None]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that checks a function's arguments before each call."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            check(*args, **kwargs)
            return function(*args, **kwargs)

        return run

    return decorate


def require(condition: bool, text: str) -> None:
    """Raise RuntimeError with the text unless the condition holds."""
    if not condition:
        raise RuntimeError(text)


def _shape(size: Sequence[int]) -> str:
    return str(list(size))


def _wrap(dim: int, tensor: Tensor) -> int:
    """The dimension as a non-negative number. Raises torch's own IndexError."""
    tensor.size(dim)
    return dim % max(tensor.dim(), 1)


def _outputs_on_cards(out: Sequence[Tensor]) -> None:
    for k, tensor in enumerate(out):
        require(
            tensor.is_cuda,
            "Expected all output tensors to be CUDA tensors, but output tensor at index "
            f"{k} has device '{tensor.device}'",
        )


def _streams_match(streams: Sequence[Any] | None, indices: Sequence[int]) -> None:
    for k, (stream, index) in enumerate(zip(streams or (), indices, strict=False)):
        require(
            stream is None or stream.device_index == index,
            f"Expected the device associated with the stream at index {k} (was "
            f"{getattr(stream, 'device_index', None)}) to match the device supplied at that index "
            f"(expected {index})",
        )


def check_broadcast(tensor: Tensor, devices: Sequence[int]) -> None:
    """Check the arguments of ``torch._C._broadcast``."""
    for index in devices:
        require(index >= 0, f"Expected non-negative device index, but got {index}")


def check_broadcast_out(tensor: Tensor, out: Sequence[Tensor]) -> None:
    """Check the arguments of ``torch._C._broadcast_out``."""
    _outputs_on_cards(out)
    for k, one in enumerate(out):
        require(
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
    """Check the arguments of ``torch._C._scatter``."""
    require(bool(devices), "Expected at least one device to scatter to")
    if chunk_sizes is not None:
        require(
            len(chunk_sizes) == len(devices),
            "Expected devices and chunk_sizes to be of same length, but got len(devices) = "
            f"{len(devices)} and len(chunk_sizes) = {len(chunk_sizes)}",
        )
    _streams_match(streams, devices)
    for index in devices:
        require(index >= 0, f"Expected non-negative device index, but got {index}")


def check_scatter_out(
    tensor: Tensor, out: Sequence[Tensor], dim: int = 0, streams: Sequence[Any] | None = None
) -> None:
    """Check the arguments of ``torch._C._scatter_out``."""
    require(bool(out), "Expected at least one output tensor to scatter to")
    dim = _wrap(dim, tensor)
    _outputs_on_cards(out)
    total = 0
    for k, one in enumerate(out):
        same = one.dim() == tensor.dim() and all(
            n == m for d, (n, m) in enumerate(zip(one.shape, tensor.shape, strict=True)) if d != dim
        )
        require(
            same,
            f"Output tensor at index {k} has incorrect shape: {_shape(one.shape)}. Expected same "
            f"shape except for scatter dim {dim} as the source tensor: {_shape(tensor.shape)}",
        )
        total += one.size(dim)
    require(
        total == tensor.size(dim),
        f"Total size for output tensors along scatter dim {dim} does not match the source tensor "
        f"size at dim {dim}. Expected {tensor.size(dim)}, but got total size {total}",
    )
    _streams_match(streams, [one.get_device() for one in out])


def _check_gathered(tensors: Sequence[Tensor], dim: int, quote: str) -> list[int]:
    """The shape of gathered tensors. Raises RuntimeError if they do not fit."""
    require(bool(tensors), "Expected at least one tensor to gather from")
    first = tensors[0]
    dim = _wrap(dim, first)
    expected = list(first.shape)
    total = 0
    for k, tensor in enumerate(tensors):
        require(
            tensor.is_cuda,
            "Expected all input tensors to be CUDA tensors, but tensor at index "
            f"{k} has device {quote}{tensor.device}{quote}",
        )
        require(
            tensor.dim() == len(expected),
            "Expected all input tensors to have the same number of dimensions, but tensor at "
            f"index {k} has {tensor.dim()} dimensions, (expected {len(expected)})",
        )
        expected[dim] = tensor.size(dim)
        require(
            list(tensor.shape) == expected,
            f"Input tensor at index {k} has invalid shape {_shape(tensor.shape)}, but expected "
            f"{_shape(expected)}",
        )
        total += tensor.size(dim)
    expected[dim] = total
    return expected


def check_gather(tensors: Sequence[Tensor], dim: int, destination: int | None = None) -> None:
    """Check the arguments of ``torch._C._gather``."""
    _check_gathered(tensors, dim, "")


def check_gather_out(tensors: Sequence[Tensor], out: Tensor, dim: int) -> None:
    """Check the arguments of ``torch._C._gather_out``."""
    expected = _check_gathered(tensors, dim, "'")
    require(
        list(out.shape) == expected,
        f"Expected out tensor to have shape {_shape(expected)}, but got {_shape(out.shape)}",
    )
