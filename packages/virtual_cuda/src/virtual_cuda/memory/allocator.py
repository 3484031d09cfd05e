"""The allocator of one virtual card's memory: safe to use from several threads.

Every result of every kernel passes here, so a small block that fits for certain is only noted in a
journal, as is every death. Whoever reads the state enters the journal first, in its order: what is
read is the same as if each event had been entered when it happened.
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
_MOST_EVENTS = 200  # in the journal, before a new block enters them
_MOST_THREADS = 16  # that may note a block each between a look at the journal and its note


class Lease:
    """Owns counted bytes where nothing else can."""

    __slots__ = ("__weakref__",)


_watch = weakref.ref

_Birth = tuple[Watch, int]
"""The owner and the bytes that were asked for."""


class Allocator(AllocatorState):
    """The allocator of one card: its state, behind a lock.

    ``others`` are the processes of other people that hold part of the card. ``observer`` is told
    of every event while a history is recorded, ``on_refusal`` (the allocator, bytes) when memory
    has run out.
    """

    def __init__(self, device: int, capacity: int, others: tuple[OtherProcess, ...] = ()) -> None:
        super().__init__(device, capacity, others)
        self.on_refusal: Callable[[Allocator, int], None] | None = None
        self._routes: tuple[Route, ...] = ()
        self._lock = threading.Lock()
        # Births, watches whose owners died, and users of pools that are gone. Memory and users may
        # die inside any Python statement, even one that holds the lock.
        self._journal: deque[_Birth | Watch | Leave] = deque()
        self._note = self._journal.append
        self._patience = 0  # how long the journal may become: all of it could be new blocks

    def reserve(self, nbytes: int) -> None:
        """Raise ``torch.OutOfMemoryError`` if ``nbytes`` more would not fit."""
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
        """Count ``nbytes`` until the lease dies. Raises ``torch.OutOfMemoryError`` without room."""
        lease = Lease()
        self.lend_to(lease, nbytes)
        return lease

    def lend_to(self, owner: Any, nbytes: int) -> None:
        """Count ``nbytes`` until the owner dies. Raises ``torch.OutOfMemoryError`` without room."""
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
        """The pool of what this thread allocates now."""
        return next((route.pool_id for route in reversed(self._routes) if route.takes()), OWN)

    def _tell_of_refusal(self, nbytes: int) -> None:
        """Outside of the lock, since whoever is told may ask the allocator."""
        if self.on_refusal is not None:
            self.on_refusal(self, nbytes)

    def join(self, pool_id: PoolId) -> None:
        """Add a user to a private pool, which begins with its first one."""
        with self._lock:
            self._settle()
            self._private.setdefault(pool_id, Arena(pool_id)).users += 1

    def leave(self, pool_id: PoolId, empties: bool = False) -> None:
        """Take a user from a private pool. Without users it gives its segments back.

        It does so where the card's own are given back as well; ``empties``: at once.
        """
        self._note(Leave(pool_id, empties))

    def users_of(self, pool_id: PoolId) -> int:
        """How many use a private pool."""
        with self._lock:
            self._settle()
            return self._private[pool_id].users if pool_id in self._private else 0

    def begin_route(self, route: Route) -> None:
        """Let allocations into a pool that somebody uses, or count them nowhere."""
        with self._lock:
            self._settle()
            self._routes = (*self._routes, route)
            self._patience = 0

    def end_route(self, pool_id: PoolId) -> bool:
        """Let no more into a pool. Returns whether something was let in."""
        with self._lock:
            self._settle()
            to_it = (route for route in reversed(self._routes) if route.pool_id == pool_id)
            ended = next(to_it, None)
            self._routes = tuple(route for route in self._routes if route is not ended)
            return ended is not None

    def pool_of(self, number: int | None) -> PoolId:
        """Where a living block is. For observers, who are called under the lock."""
        return OWN if number is None else self._arena_of(number).id

    def owners_in(self, pool_id: PoolId) -> list[Any]:
        """Who owns the living blocks of a private pool."""
        with self._lock:
            self._settle()
            watches = [
                watch
                for watch, _, _, number in self._alive.values()
                if number in self._homes and self._homes[number].id == pool_id
            ]
        return [owner for watch in watches if (owner := watch()) is not None]

    def empty_cache(self) -> None:
        """Give unused segments back."""
        with self._lock:
            self._settle()
            self._emptied += 1
            self._release_cache()
            self._update_reserved()

    def reset_peak(self) -> None:
        """Start the peak readings again from the current ones."""
        with self._lock:
            self._settle()
            for pool in self._pools:
                pool.peak = pool.live
            self._new_peak(self._live)
            for stat in (*self._reserved.stats, *self._segments.stats):
                stat.peak = stat.current

    def reset_accumulated(self) -> None:
        """Start the allocated and freed totals again from zero."""
        with self._lock:
            self._settle()
            for pool in self._pools:
                pool.forget_the_past()
            for stat in (*self._reserved.stats, *self._segments.stats):
                stat.allocated = stat.freed = 0
            self._retries = self._failures = self._emptied = 0

    def free_and_total(self) -> tuple[int, int]:
        """What ``cudaMemGetInfo`` answers: free and total bytes."""
        with self._lock:
            self._settle()
            return self._within_reach - self._reserved.all.current, self.capacity

    @property
    def reserved_bytes(self) -> int:
        """What this process takes of the card."""
        self._catch_up()
        return self._reserved.all.current

    @property
    def peak_reserved_bytes(self) -> int:
        """The most that this process took of the card."""
        self._catch_up()
        return self._reserved.all.peak

    def stats(self) -> dict[str, Any]:
        """The nested dictionary behind ``torch.cuda.memory_stats``."""
        with self._lock:
            self._settle()
            return self._stats()

    def blocks(self) -> list[tuple[int, int, int]]:
        """Number, bytes and requested bytes of every living block, oldest first."""
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
        """Owner and requested bytes of the youngest block. For observers, called under the lock."""
        watch, nbytes, _, _ = next(reversed(self._alive.values()))
        return watch(), nbytes

    def living(self) -> list[tuple[Any, int, int]]:
        """Owner, bytes and requested bytes of every living block."""
        with self._lock:
            self._settle()
            return [
                (owner, block, nbytes)
                for watch, nbytes, block, _ in self._alive.values()
                if (owner := watch()) is not None
            ]

    @property
    def live_bytes(self) -> int:
        """Bytes of all living storages."""
        self._catch_up()
        return self._live

    @property
    def peak_bytes(self) -> int:
        """The most that storages had together."""
        self._catch_up()
        return self._peak

    @property
    def observer(self) -> Observer | None:
        """Who is told of every event, if anybody."""
        return self._observer

    @observer.setter
    def observer(self, observer: Observer | None) -> None:
        with self._lock:
            self._settle()
            self._observer = observer
            self._patience = 0  # until the next look

    @property
    def allowed(self) -> int | None:
        """The limit that the process set itself, if any."""
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
        """Enter the journal, under the lock."""
        journal = self._journal
        try:
            while journal:
                if self._observer is None:
                    self._settle_usual_events()
                if journal:
                    self._settle_one_event(journal[0])
                    journal.popleft()
        except BaseException:  # interrupted anywhere above; the event is entered once more
            if journal and journal[0].__class__ is tuple:
                self._alive.pop(id(journal[0][0]), None)
            self._recount()
            raise
        room = (self._limit - self._live) // SMALL_REQUEST - _MOST_THREADS
        told = self._observer is not None or self._routes
        self._patience = 0 if told else min(room, _MOST_EVENTS)

    def _settle_usual_events(self) -> None:
        """Enter small blocks up to the first event that changes a peak or a segment.

        The same as one by one, in half the time: these are the temporaries of every kernel.
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
