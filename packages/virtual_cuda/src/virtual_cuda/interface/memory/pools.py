"""``torch.cuda.MemPool``: separate memory on a card, and the routing of allocations into it.

A pool keeps its segments, which have its number in snapshots, and are freed with the pool. Its
settings ``use_on_oom`` and ``no_split`` have no effect; a custom allocator is refused. Graphs get
the numbers of their pools from here as well.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

import torch

from ... import runtime
from ...errors import UnsupportedFeature
from ...memory.arenas import PoolId, Route, this_thread
from ...patches import Patches

_numbers = itertools.count(1)


def new_id(by_user: bool = True) -> PoolId:
    """The number of a new pool. In a graph's own pool the first of the two is not 0."""
    return (0, next(_numbers)) if by_user else (next(_numbers), 0)


class MemPool:
    """Replaces ``torch.cuda.MemPool``."""

    def __init__(
        self, allocator: Any = None, use_on_oom: bool = False, no_split: bool = False
    ) -> None:
        if allocator is not None:
            raise UnsupportedFeature(
                "allocators of your own", "make the pool without it, which gives the same values"
            )
        self._id = new_id()
        self._allocator = runtime.started().allocator(runtime.current_device())
        self._allocator.join(self._id)
        weakref.finalize(self, self._allocator.leave, self._id, empties=True).atexit = False

    @property
    def id(self) -> PoolId:
        """The number of the pool, as in snapshots."""
        return self._id

    @property
    def allocator(self) -> None:
        """None: there are no custom allocators."""

    def use_count(self) -> int:
        """The number of users of the pool."""
        return self._allocator.users_of(self._id)

    def snapshot(self, include_traces: bool = True) -> list[dict[str, Any]]:
        """The segments of the pool."""
        return torch.cuda.memory_snapshot(self._id, include_traces)


def _begin(device: int, pool_id: PoolId, takes: Callable[[], bool]) -> None:
    allocator = runtime.started().allocator(device)
    allocator.join(pool_id)
    allocator.begin_route(Route(pool_id, takes))


def _begin_for_all(device: int, pool_id: PoolId) -> None:
    _begin(device, pool_id, lambda: True)


def _begin_for_thread(device: int, pool_id: PoolId) -> None:
    _begin(device, pool_id, this_thread())


def _begin_for_stream(device: int, pool_id: PoolId) -> None:
    stream = torch.cuda.current_stream(device)
    _begin(device, pool_id, lambda: torch.cuda.current_stream(device) == stream)


def _end(device: int, pool_id: PoolId) -> None:
    if not runtime.started().allocator(device).end_route(pool_id):
        raise RuntimeError("endAllocatePool: not currently recording to mempool_id")


def _release(device: int, pool_id: PoolId) -> None:
    runtime.started().allocator(device).leave(pool_id)


def _has_just(device: int, pool_id: PoolId, addresses: set[int]) -> bool:
    """Whether these are exactly the addresses of the live tensors in a pool."""
    owners = runtime.started().allocator(device).owners_in(pool_id)
    return {one.data_ptr() for one in owners if isinstance(one, torch.Tensor)} == addresses


def patch(patches: Patches) -> None:
    """Install the functions for pools."""
    for module in (torch.cuda, torch.cuda.memory):
        patches.set(module, MemPool=MemPool)
    calls = {
        "_cuda_beginAllocateToPool": _begin_for_all,
        "_cuda_beginAllocateCurrentThreadToPool": _begin_for_thread,
        "_cuda_endAllocateToPool": _end,
        "_cuda_releasePool": _release,
    }
    patches.set(
        torch._C,
        _MemPool=MemPool,
        _cuda_beginAllocateCurrentStreamToPool=_begin_for_stream,
        _cuda_checkPoolLiveAllocations=_has_just,
        **calls,
    )
    patches.set(torch.cuda.memory, **calls)  # this module imported them by name
