"""The allocator of one virtual GPU's memory. It is thread-safe.

Every result of every kernel is counted here. To be fast, a small block that certainly fits, and
each free, is only appended to a journal. A function that reads the state first processes the
journal in order. So it gets the same state as if each event had been processed at once.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import torch

from ..errors import host_is_full, too_much
from ..hardware.profiles import OtherProcess, host_memory_available
from .arenas import OWN, UNCOUNTED, Arena, Leave, PoolId, Route
from .segments import MIB, SMALL_REQUEST, block_size
from .state import AllocatorState, Observer, Segment, Watch

_WORTH_A_LOOK_AT_THE_HOST = 256 * MIB
_EXABYTE = 1 << 60
_MOST_EVENTS = 200  # in the journal; then a new block processes them
_MOST_THREADS = 16  # threads that can append a block at the same time as another one


class Lease:
    """An owner of counted bytes, if no other object can be the owner."""

    __slots__ = ("__weakref__",)


_watch = weakref.ref

_Birth = tuple[Watch, int]
"""The owner and the requested bytes."""


class Allocator(AllocatorState):
    """The allocator of one card: its state, behind a lock.

    ``others`` are the processes of other users on the card. ``observer`` is called for each event
    while a history is recorded. ``on_refusal`` (allocator, bytes) is called when memory runs out.
    """

    def __init__(self, device: int, capacity: int, others: tuple[OtherProcess, ...] = ()) -> None:
        super().__init__(device, capacity, others)
        self.on_refusal: Callable[[Allocator, int], None] | None = None
        self._routes: tuple[Route, ...] = ()
        self._lock = threading.Lock()
        # New blocks, watches of freed owners, and users that left pools. Memory can be freed inside
        # any Python statement, even one that holds the lock.
        self._journal: deque[_Birth | Watch | Leave] = deque()
        self._note = self._journal.append
        self._patience = 0  # maximum length of the journal, as if all events were new blocks

    def reserve(self, nbytes: int) -> None:
        """Raise ``torch.OutOfMemoryError`` if ``nbytes`` more do not fit."""
        if nbytes >= _EXABYTE:
            raise too_much()
        if self._routes and self._pool_for_this() == UNCOUNTED:
            return
        try:
            with self._lock:
                self._settle()
                self._check(block_size(nbytes))
        except torch.OutOfMemoryError:
            self._tell_of_refusal(nbytes)
            raise
        if nbytes >= _WORTH_A_LOOK_AT_THE_HOST and nbytes > (left := host_memory_available()):
            raise host_is_full(nbytes, self.free_and_total()[0], left)

    def lend(self, nbytes: int) -> Lease:
        """A lease: ``nbytes`` count until it is freed. Raises ``torch.OutOfMemoryError``."""
        lease = Lease()
        self.lend_to(lease, nbytes)
        return lease

    def lend_to(self, owner: Any, nbytes: int) -> None:
        """Count ``nbytes`` until the owner is freed. Raises ``torch.OutOfMemoryError``."""
        if nbytes <= SMALL_REQUEST and len(self._journal) < self._patience:
            self._note((_watch(owner, self._note), nbytes))
        else:
            self._lend_now(_watch(owner, self._note), nbytes)

    def _lend_now(self, watch: Watch, nbytes: int) -> None:
        block = block_size(nbytes)
        pool_id = self._pool_for_this()
        if pool_id == UNCOUNTED:
            return
        try:
            with self._lock:
                self._settle()
                if self._live + block > self._limit:
                    self._check(block)
                arena = self._private.get(pool_id, self._own)
                if arena is self._own and block <= SMALL_REQUEST:
                    self._note((watch, nbytes))
                else:
                    self._enter(arena, watch, nbytes, block)
                self._settle()
        except torch.OutOfMemoryError:
            self._tell_of_refusal(nbytes)
            raise

    def _pool_for_this(self) -> PoolId:
        """The pool for the current allocations of this thread."""
        return next((route.pool_id for route in reversed(self._routes) if route.takes()), OWN)

    def _tell_of_refusal(self, nbytes: int) -> None:
        """Call ``on_refusal`` outside the lock, because it may call the allocator."""
        if self.on_refusal is not None:
            self.on_refusal(self, nbytes)

    def join(self, pool_id: PoolId) -> None:
        """Add a user to a private pool, which is made for its first user."""
        with self._lock:
            self._settle()
            self._private.setdefault(pool_id, Arena(pool_id)).users += 1

    def leave(self, pool_id: PoolId, empties: bool = False) -> None:
        """Remove a user from a private pool. A pool without users frees its segments.

        It frees them together with the card's own cache; ``empties``: at once.
        """
        self._note(Leave(pool_id, empties))

    def users_of(self, pool_id: PoolId) -> int:
        """The number of users of a private pool."""
        with self._lock:
            self._settle()
            return self._private[pool_id].users if pool_id in self._private else 0

    def begin_route(self, route: Route) -> None:
        """Send allocations into a pool with users, or do not count them."""
        with self._lock:
            self._settle()
            self._routes = (*self._routes, route)
            self._patience = 0

    def end_route(self, pool_id: PoolId) -> bool:
        """End the route into a pool. Returns whether there was one."""
        with self._lock:
            self._settle()
            to_it = (route for route in reversed(self._routes) if route.pool_id == pool_id)
            ended = next(to_it, None)
            self._routes = tuple(route for route in self._routes if route is not ended)
            return ended is not None

    def pool_of(self, number: int | None) -> PoolId:
        """The pool of a live block. For observers, which are called under the lock."""
        return OWN if number is None else self._arena_of(number).id

    def owners_in(self, pool_id: PoolId) -> list[Any]:
        """The owners of the live blocks of a private pool."""
        with self._lock:
            self._settle()
            watches = [
                watch
                for watch, _, _, number in self._alive.values()
                if number in self._homes and self._homes[number].id == pool_id
            ]
        return [owner for watch in watches if (owner := watch()) is not None]

    def empty_cache(self) -> None:
        """Free unused segments."""
        with self._lock:
            self._settle()
            self._emptied += 1
            self._release_cache()
            self._update_reserved()

    def reset_peak(self) -> None:
        """Set the peak values to the current ones."""
        with self._lock:
            self._settle()
            for pool in self._pools:
                pool.peak = pool.live
            self._new_peak(self._live)
            for stat in (*self._reserved.stats, *self._segments.stats):
                stat.peak = stat.current

    def reset_accumulated(self) -> None:
        """Set the totals of allocated and freed memory to zero."""
        with self._lock:
            self._settle()
            for pool in self._pools:
                pool.forget_the_past()
            for stat in (*self._reserved.stats, *self._segments.stats):
                stat.allocated = stat.freed = 0
            self._retries = self._failures = self._emptied = 0

    def free_and_total(self) -> tuple[int, int]:
        """Free and total bytes, as ``cudaMemGetInfo`` returns them."""
        with self._lock:
            self._settle()
            return self._within_reach - self._reserved.all.current, self.capacity

    @property
    def reserved_bytes(self) -> int:
        """Bytes of the card that this process has reserved."""
        self._catch_up()
        return self._reserved.all.current

    @property
    def peak_reserved_bytes(self) -> int:
        """The maximum of bytes that this process had reserved."""
        self._catch_up()
        return self._reserved.all.peak

    def stats(self) -> dict[str, Any]:
        """The nested dictionary behind ``torch.cuda.memory_stats``."""
        with self._lock:
            self._settle()
            return self._stats()

    def blocks(self) -> list[tuple[int, int, int]]:
        """Number, bytes and requested bytes of each live block, oldest first."""
        with self._lock:
            self._settle()
            return [(number, block, nbytes) for _, nbytes, block, number in self._alive.values()]

    def segments(self) -> list[Segment]:
        """The segments of small and of large blocks, oldest first, pool by pool."""
        with self._lock:
            self._settle()
            return self._all_segments()

    @property
    def was_used(self) -> bool:
        """Whether there ever was a block."""
        return self._next > 0 or bool(self._journal)

    def newest(self) -> tuple[Any, int]:
        """Owner and requested bytes of the newest block. For observers, called under the lock."""
        watch, nbytes, _, _ = next(reversed(self._alive.values()))
        return watch(), nbytes

    def living(self) -> list[tuple[Any, int, int]]:
        """Owner, bytes and requested bytes of each live block."""
        with self._lock:
            self._settle()
            return [
                (owner, block, nbytes)
                for watch, nbytes, block, _ in self._alive.values()
                if (owner := watch()) is not None
            ]

    @property
    def live_bytes(self) -> int:
        """Bytes of all live storages."""
        self._catch_up()
        return self._live

    @property
    def peak_bytes(self) -> int:
        """The maximum of bytes that storages had together."""
        self._catch_up()
        return self._peak

    @property
    def observer(self) -> Observer | None:
        """The observer of events, or None."""
        return self._observer

    @observer.setter
    def observer(self, observer: Observer | None) -> None:
        with self._lock:
            self._settle()
            self._observer = observer
            self._patience = 0  # until the next look

    @property
    def allowed(self) -> int | None:
        """The memory limit in bytes set by the process, or None."""
        return self._allowed

    @allowed.setter
    def allowed(self, limit: int | None) -> None:
        with self._lock:
            self._settle()
            self._allowed = limit
            self._limit = self._within_reach if limit is None else min(limit, self._within_reach)
            self._patience = 0  # until the next look

    def _catch_up(self) -> None:
        if self._journal:
            with self._lock:
                self._settle()

    def _settle(self) -> None:
        """Process the journal, under the lock."""
        journal = self._journal
        try:
            while journal:
                if self._observer is None:
                    self._settle_usual_events()
                if journal:
                    self._settle_one_event(journal[0])
                    journal.popleft()
        except BaseException:  # interrupted anywhere above; the event is processed again
            if journal and journal[0].__class__ is tuple:
                self._alive.pop(id(journal[0][0]), None)
            self._recount()
            raise
        room = (self._limit - self._live) // SMALL_REQUEST - _MOST_THREADS
        told = self._observer is not None or self._routes
        self._patience = 0 if told else min(room, _MOST_EVENTS)

    def _settle_usual_events(self) -> None:
        """Process small blocks up to the first event that changes a peak or a segment.

        The result is the same as one by one, in half the time, for temporaries of every kernel.
        """
        journal, alive, pool, homes = self._journal, self._alive, self._small, self._homes
        number, deaths = self._next, 0
        live_in, live_out = pool.live_in, pool.live_out
        requested_in, requested_out = pool.requested_in, pool.requested_out
        held = self._own.held_by_small + self._away
        most = min(pool.peak, held, pool.live + self._peak - self._live)
        try:
            while journal:
                event = journal[0]
                if event.__class__ is tuple:
                    watch, nbytes = event
                    block = block_size(nbytes)
                    if live_in - live_out + block > most:
                        break
                    alive[id(watch)] = (watch, nbytes, block, number)
                    number += 1
                    live_in += block
                    requested_in += nbytes
                else:
                    known = alive.get(id(event))
                    if known is None or known[2] > SMALL_REQUEST or known[3] in homes:
                        break
                    del alive[id(event)]
                    deaths += 1
                    requested_out += known[1]
                    live_out += known[2]
                journal.popleft()
        finally:
            pool.blocks_in += number - self._next
            pool.blocks_out += deaths
            self._next = number
            self._live += live_in - live_out - pool.live
            pool.live_in, pool.live_out = live_in, live_out
            pool.requested_in, pool.requested_out = requested_in, requested_out

    def _settle_one_event(self, event: _Birth | Watch | Leave) -> None:
        if isinstance(event, Leave):
            self._take_leave(event)
            return
        if not isinstance(event, tuple):
            self._take_out(event)
            return
        watch, nbytes = event
        block = block_size(nbytes)
        self._add(self._small, watch, nbytes, block)
        if self._observer is not None:
            self._observer("alloc", self._next - 1, block)
