"""Copies to, from, between and within virtual GPUs: values at once, time on the copy engines.

By CUDA's "API synchronization behavior" the host waits for a blocking copy, and for a copy with
pageable memory. ``x.to("cpu", non_blocking=True)`` returns pinned memory, as in PyTorch.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import torch
from torch import Tensor

from .. import copying, runtime
from ..memory.shadows import UNWRITTEN
from ..retag import (
    OverlappingAliases,
    cpu_alias,
    device_behind,
    is_lazy,
    lender,
    share_memory,
)
from . import copy_on_write, pinned
from .boxed import CPU_KEYS, Kernel, operator

_copy_op, _to_copy_op = operator("copy_"), operator("_to_copy")


def _on_host(tensor: Tensor) -> Tensor:
    return cpu_alias(tensor) if tensor.is_cuda else tensor


def _is_the_same(target: Tensor, source: Tensor) -> bool:
    """Whether source and target are the same memory, as in DDP's returned gradients."""
    is_lent = lender(target) is not None or lender(source) is not None
    return is_lent and target.data_ptr() == source.data_ptr()


def _book(target: Tensor, source: Tensor, non_blocking: bool) -> None:
    """Book the time of a copy between two tensors of the same shape."""
    state = runtime.ready()
    for note in copying.notes:
        note(source, target)
    nbytes = target.nbytes
    begin, end = device_behind(source), device_behind(target)
    if not nbytes or _is_the_same(target, source):
        return
    if begin.type == end.type == "cuda":
        giver, taker = (state.card(device.index).clock for device in (begin, end))
        if giver is taker:
            giver.kernel("copy", nbytes + source.nbytes)
        else:
            giver.copy_to(taker, nbytes)
        lane = giver.lane
    elif end.type == "cuda":
        card = state.card(end.index).clock
        card.copy_in(nbytes, pinned.is_pinned(source), non_blocking)
        lane = card.lane
    else:
        card = state.card(begin.index).clock
        card.copy_out(nbytes, pinned.is_pinned(target), non_blocking)
        lane = card.lane
    if state.clock.trace is not None:
        state.clock.trace.touch(lane, [source], [target])


def copy_values(target: Tensor, source: Tensor) -> None:
    """Copy between CPU tensors, below the CPU's modes, which do not apply to a card."""
    if is_lazy(target) or is_lazy(source):
        target.copy_(source)
    else:
        _copy_op._handle.redispatch_boxed(CPU_KEYS, target, source, False)


def _arrives_late(target: Tensor) -> bool:
    """Whether a copy to a tensor of the host arrives only after the host has waited."""
    return (
        runtime.ready().clock.arrivals is not None
        and not target.is_cuda
        and bool(target.numel())
        and pinned.is_pinned(target)
    )


def unwrite(tensor: Tensor) -> None:
    """Fill memory of the host with the pattern for a copy that has not arrived."""
    storage = tensor.untyped_storage()
    ctypes.memset(storage.data_ptr(), UNWRITTEN, storage.nbytes())


def _arrive_later(target: Tensor, content: Tensor, card: int) -> None:
    """Write a tensor of the host when the host knows that the last booked copy is done."""
    clock = runtime.ready().clock
    assert clock.arrivals is not None
    done = clock.cards[card].lane.ready
    clock.arrivals.append((done, functools.partial(copy_values, target, content)))


def _copy_(self: Tensor, src: Tensor | complex, non_blocking: bool = False) -> Tensor:
    runtime.ready()
    if not isinstance(src, Tensor):  # Python's binding also accepts a number
        return self.fill_(src)
    if self.is_cuda and copy_on_write.are_alive():
        copy_on_write.materialise([self])
    if self.is_cuda and src.is_cuda and share_memory(self, src):
        target, source = map(OverlappingAliases([self, src]), (self, src))
    else:
        target, source = _on_host(self), _on_host(src)
    if non_blocking and src.is_cuda and _arrives_late(self):
        content = torch.empty_like(target)
        copy_values(content, source)
        _book(self, src, non_blocking)
        _arrive_later(self, content, src.get_device())
        return self
    copy_values(target, source)
    _book(self, src, non_blocking)
    return self


def _to_copy(
    self: Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> Tensor:
    state = runtime.ready()
    target = self.device if device is None else runtime.resolve(device)
    if target.type == "cuda":
        item = (dtype or self.dtype).itemsize
        state.allocator(target.index).reserve(self.numel() * item)
    source = cpu_alias(self)
    changes: dict[str, Any] = {"dtype": dtype, "memory_format": memory_format}
    if is_lazy(source):
        content = _to_copy_op(source, **changes)
    else:
        content = _to_copy_op._handle.redispatch_boxed(CPU_KEYS, source, **changes)
    if target.type == "cuda":
        result = state.card(target.index).place(content)
    elif target.type == "cpu":
        result = pinned.mark(content) if non_blocking or pin_memory else content
    else:  # shapes only
        return content.to(target)
    _book(result, self, non_blocking)
    if non_blocking and not result.is_cuda and _arrives_late(result):
        _arrive_later(result, result.clone(), self.get_device())
        unwrite(result)
    return result


def _local_scalar_dense(self: Tensor) -> Any:
    state = runtime.ready()
    for note in copying.notes:
        note(self, None)
    card = state.card(self.get_device()).clock
    card.copy_out(self.element_size(), pinned=False, non_blocking=False)
    if state.clock.trace is not None:
        state.clock.trace.touch(card.lane, [self], [])
    return cpu_alias(self).item()


COPY_KERNELS: dict[str, Kernel] = {
    "copy_": _copy_,
    "_to_copy": _to_copy,
    "_local_scalar_dense": _local_scalar_dense,
}
