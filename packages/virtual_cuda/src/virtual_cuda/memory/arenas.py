"""Arenas: the segments of a card's own memory, and those of each private pool.

CUDA graphs and ``torch.cuda.MemPool`` have a private pool each, which only some allocations are let
into. It keeps its segments as long as it has users, even through ``empty_cache()``; who uses it and
what is let in is for ``allocator`` to say. All amounts are bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from .segments import LargePool, small_segments

PoolId = tuple[int, int]
OWN: PoolId = (0, 0)  # the card's own memory, as torch calls it
UNCOUNTED: PoolId = (-1, 0)  # for results that only stand in for memory which is counted already


class Arena:
    """The segments of one pool of memory. Of its small blocks only the sum is known."""

    __slots__ = ("held_by_small", "id", "places", "small", "users")

    def __init__(self, pool_id: PoolId) -> None:
        self.id = pool_id
        self.users = 0
        self.small = 0  # of living small blocks
        self.held_by_small = 0  # by their segments
        self.places = LargePool()

    @property
    def held(self) -> int:
        """Bytes of all segments."""
        return self.held_by_small + self.places.held

    def release(self) -> None:
        """Give unused segments back."""
        self.held_by_small = small_segments(self.small)
        self.places.release()


def this_thread() -> Callable[[], bool]:
    """Tells whether it is asked by the thread that called this."""
    thread = threading.get_ident()
    return lambda: threading.get_ident() == thread


class Route(NamedTuple):
    """Lets the allocations of which ``takes`` says yes into a pool."""

    pool_id: PoolId
    takes: Callable[[], bool]


class Leave:
    """A user of a pool is gone; ``empties``: with it goes what is unused."""

    __slots__ = ("empties", "pool_id")

    def __init__(self, pool_id: PoolId, empties: bool) -> None:
        self.pool_id = pool_id
        self.empties = empties
