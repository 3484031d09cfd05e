"""Arenas: the segments of a card's own memory, and the segments of each private pool.

Each CUDA graph and ``torch.cuda.MemPool`` has a private pool for some allocations. It keeps its
segments as long as it has users, even after ``empty_cache()``. ``allocator`` manages its users and
allocations. All amounts are bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from .segments import LargePool, small_segments

PoolId = tuple[int, int]
OWN: PoolId = (0, 0)  # torch's number for the card's own memory
UNCOUNTED: PoolId = (-1, 0)  # for results whose memory is already counted elsewhere


class Arena:
    """The segments of one memory pool. Of its small blocks only the sum is stored."""

    __slots__ = ("held_by_small", "id", "places", "small", "users")

    def __init__(self, pool_id: PoolId) -> None:
        self.id = pool_id
        self.users = 0
        self.small = 0  # bytes of live small blocks
        self.held_by_small = 0  # bytes of their segments
        self.places = LargePool()

    @property
    def held(self) -> int:
        """Bytes of all segments."""
        return self.held_by_small + self.places.held

    def release(self) -> None:
        """Free unused segments."""
        self.held_by_small = small_segments(self.small)
        self.places.release()


def this_thread() -> Callable[[], bool]:
    """A function that returns whether it is called in the current thread."""
    thread = threading.get_ident()
    return lambda: threading.get_ident() == thread


class Route(NamedTuple):
    """A route of allocations into a pool, active while ``takes()`` is true."""

    pool_id: PoolId
    takes: Callable[[], bool]


class Leave:
    """The event that a user left a pool. ``empties``: unused segments are freed with it."""

    __slots__ = ("empties", "pool_id")

    def __init__(self, pool_id: PoolId, empties: bool) -> None:
        self.pool_id = pool_id
        self.empties = empties
