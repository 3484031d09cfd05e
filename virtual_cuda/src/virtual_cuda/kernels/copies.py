"""Copies to, from, among and within virtual cards: values at once, time on the copy engines.

What holds the host is as in CUDA's "API synchronization behavior": a copy that is blocking, or has
pageable memory at one end. ``x.to("cpu", non_blocking=True)`` gives pinned memory, as PyTorch does.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .. import runtime
from ..retag import OverlappingAliases, cpu_alias, is_lazy, share_memory
from . import pinned
from .boxed import CPU_KEYS, Kernel, operator

_copy_op, _to_copy_op = operator("copy_"), operator("_to_copy")


def _on_host(tensor: Tensor) -> Tensor:
    return cpu_alias(tensor) if tensor.is_cuda else tensor


def _book(target: Tensor, source: Tensor, non_blocking: bool) -> None:
    """Book the time of a copy between two tensors of the same shape."""
    state = runtime.ready()
    nbytes = target.nbytes
    if not nbytes:
        return
    if target.is_cuda and source.is_cuda:
        giver, taker = (state.card(t.get_device()).clock for t in (source, target))
        if giver is taker:
            giver.kernel("copy", nbytes + source.nbytes)
        else:
            giver.copy_to(taker, nbytes)
        lane = giver.lane
    elif target.is_cuda:
        card = state.card(target.get_device()).clock
        card.copy_in(nbytes, pinned.is_pinned(source), non_blocking)
        lane = card.lane
    else:
        card = state.card(source.get_device()).clock
        card.copy_out(nbytes, pinned.is_pinned(target), non_blocking)
        lane = card.lane
    if state.clock.trace is not None:
        state.clock.trace.touch(lane, [source], [target])


def _copy_(self: Tensor, src: Tensor | complex, non_blocking: bool = False) -> Tensor:
    runtime.ready()
    if not isinstance(src, Tensor):  # Python's binding takes a number for a tensor
        return self.fill_(src)
    if self.is_cuda and src.is_cuda and share_memory(self, src):
        target, source = map(OverlappingAliases([self, src]), (self, src))
    else:
        target, source = _on_host(self), _on_host(src)
    if is_lazy(target) or is_lazy(source):
        target.copy_(source)
    else:
        _copy_op._handle.redispatch_boxed(CPU_KEYS, target, source, False)
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
        state.ledger(target.index).reserve(self.numel() * item)
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
    return result


def _local_scalar_dense(self: Tensor) -> Any:
    state = runtime.ready()
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
