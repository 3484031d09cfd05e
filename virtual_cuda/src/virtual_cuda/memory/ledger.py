"""Memory accounting of one virtual card, with the caching allocator's visible numbers.

``allocated`` is exact: every storage is counted when it is made and when it is freed, rounded up to
512 bytes as CUDA's allocator does. ``reserved`` is a model of that allocator (``segments``): large
blocks have their places, of small ones only the sum is known. Freed segments are kept until
``empty_cache()`` or until memory runs short. Private pools (``arenas``) have segments of their own.
All amounts are bytes.

Every result of every kernel passes here, so a small block that fits for certain is only noted in a
journal, as is every death. Whoever looks at the books enters the journal first, in its order: what
is read is the same as if each event had been entered when it happened.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

import torch

from ..errors import host_is_full, out_of_memory, too_much
from ..hardware.profiles import OtherProcess, host_memory_available
from .arenas import OWN, UNCOUNTED, Arena, Leave, PoolId, Route
from .counts import Blocks, Count, Family
from .segments import (
    MIB,
    SMALL_REQUEST,
    SMALL_SEGMENT,
    LargePool,
    Row,
    free_beside_used,
    round_up,
    rows_of_small,
    segment_size,
)

_BLOCK = 512
_WORTH_A_LOOK_AT_THE_HOST = 256 * MIB
_EXABYTE = 1 << 60
_MOST_EVENTS = 200  # in the journal, before a new block enters them
_MOST_THREADS = 16  # that may note a block each between a look at the journal and its note

# (what happened, number of the block or None, bytes): for a history of the allocator.
Observer = Callable[[str, "int | None", int], None]


class Lease:
    """Owns counted bytes where nothing else can."""

    __slots__ = ("__weakref__",)


_watch = weakref.ref
_Watch = weakref.ref[Any]
"""On the owner of a block. That it died is noted by C code, which nothing interrupts."""

_Birth = tuple[_Watch, int]
"""The owner and the bytes that were asked for."""

_Block = tuple[_Watch, int, int]
"""The same, and a number."""

Segment = tuple[PoolId, str, Row]
"""Its pool, whether it is for "small" or "large" blocks, and its pieces."""


class Ledger:
    """The books of one card. Safe to use from several threads.

    ``others`` are the processes of other people that hold part of the card. ``observer`` is told
    of every event while a history is recorded, ``on_refusal`` (the ledger, bytes) when memory has
    run out.
    """

    def __init__(self, device: int, capacity: int, others: tuple[OtherProcess, ...] = ()) -> None:
        self.device = device
        self.capacity = capacity
        self.others = others
        self._observer: Observer | None = None
        self.on_refusal: Callable[[Ledger, int], None] | None = None
        self._within_reach = capacity - sum(process.memory for process in others)
        self._allowed: int | None = None
        self._limit = self._within_reach
        self._live = self._peak = self._peak_blocks = self._peak_requested = 0
        self._reserved, self._segments = Family(), Family()
        self._splits, self._unused = Family(), Family()  # free pieces beside used ones
        self._retries = self._failures = self._emptied = 0
        self._small, self._large = self._pools = Blocks(), Blocks()
        self._held = 0  # by the card's own segments of small blocks
        self._places = LargePool()
        self._arenas: dict[PoolId, Arena] = {}
        self._homes: dict[int, Arena] = {}  # of the blocks in private pools, by their numbers
        self._away = 0  # bytes of the small ones among these
        self._routes: tuple[Route, ...] = ()
        self._lock = threading.Lock()
        self._next = 0  # the number of the next block
        self._alive: dict[int, _Block] = {}  # by the ids of their watches
        # Births, watches whose owners died, and users of pools that are gone. Memory and users may
        # die inside any Python statement, even one that holds the lock.
        self._journal: deque[_Birth | _Watch | Leave] = deque()
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
                self._check(round_up(nbytes, _BLOCK))
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

    def _lend_now(self, watch: _Watch, nbytes: int) -> None:
        block = round_up(nbytes, _BLOCK)
        pool_id = self._pool_for_this()
        if pool_id == UNCOUNTED:
            return
        try:
            with self._lock:
                self._settle()
                if self._live + block > self._limit:
                    self._check(block)
                if pool_id in self._arenas:
                    self._add_privately(self._arenas[pool_id], watch, nbytes, block)
                elif block <= SMALL_REQUEST:
                    self._note((watch, nbytes))
                else:
                    self._add_large(watch, nbytes, block)
                self._settle()
        except torch.OutOfMemoryError:
            self._tell_of_refusal(nbytes)
            raise

    def _pool_for_this(self) -> PoolId:
        """The pool of what this thread allocates now."""
        return next((route.pool_id for route in reversed(self._routes) if route.takes()), OWN)

    def _add_privately(self, arena: Arena, watch: _Watch, nbytes: int, block: int) -> None:
        number = self._next
        pool = self._small if block <= SMALL_REQUEST else self._large
        try:
            self._homes[number] = arena
            if pool is self._large:
                block = self._place(arena.places, number, block)
            else:
                self._make_place_for_small(arena, block)
            self._add(pool, watch, nbytes, block)
            if self._observer is not None:
                self._observer("alloc", number, block)
        except BaseException:  # without a place, or interrupted anywhere above
            self._alive.pop(id(watch), None)
            self._recount()
            raise

    def _make_place_for_small(self, arena: Arena, block: int) -> None:
        if arena.small + block > arena.held_by_small:
            self._make_room(SMALL_SEGMENT)
            if self._taken + SMALL_SEGMENT > self._limit:
                self._refuse(block)
            arena.held_by_small += SMALL_SEGMENT
            self._update_reserved()
        arena.small += block
        self._away += block

    def _add_large(self, watch: _Watch, nbytes: int, block: int) -> None:
        number = self._next
        try:
            block = self._place(self._places, number, block)
            self._add(self._large, watch, nbytes, block)
            if self._observer is not None:
                self._observer("alloc", number, block)
        except BaseException:  # without a place, or interrupted anywhere above
            self._alive.pop(id(watch), None)
            self._recount()
            raise

    def _add(self, pool: Blocks, watch: _Watch, nbytes: int, block: int) -> None:
        number = self._next
        self._next = number + 1
        self._alive[id(watch)] = (watch, nbytes, number)
        pool.live_in += block
        pool.requested_in += nbytes
        pool.blocks_in += 1
        self._live = live = self._live + block
        taken = pool.live_in - pool.live_out
        if taken > self._held + self._away and pool is self._small:
            self._hold_small()
        if taken > pool.peak:
            pool.peak = taken
        if live > self._peak:
            self._new_peak(live)

    def _tell_of_refusal(self, nbytes: int) -> None:
        """Outside of the lock, since whoever is told may look at the books."""
        if self.on_refusal is not None:
            self.on_refusal(self, nbytes)

    def join(self, pool_id: PoolId) -> None:
        """Add a user to a private pool, which begins with its first one."""
        with self._lock:
            self._settle()
            self._arenas.setdefault(pool_id, Arena(pool_id)).users += 1

    def leave(self, pool_id: PoolId, empties: bool = False) -> None:
        """Take a user from a private pool. Without users it gives its segments back.

        It does so where the card's own are given back as well; ``empties``: at once.
        """
        self._note(Leave(pool_id, empties))

    def users_of(self, pool_id: PoolId) -> int:
        """How many use a private pool."""
        with self._lock:
            self._settle()
            return self._arenas[pool_id].users if pool_id in self._arenas else 0

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
        arena = self._homes.get(number) if number is not None else None
        return OWN if arena is None else arena.id

    def owners_in(self, pool_id: PoolId) -> list[Any]:
        """Who owns the living blocks of a private pool."""
        with self._lock:
            self._settle()
            watches = [
                watch
                for watch, _, number in self._alive.values()
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
            for count in (*self._reserved.counts, *self._segments.counts):
                count.peak = count.current

    def reset_accumulated(self) -> None:
        """Start the allocated and freed totals again from zero."""
        with self._lock:
            self._settle()
            for pool in self._pools:
                pool.forget_the_past()
            for count in (*self._reserved.counts, *self._segments.counts):
                count.allocated = count.freed = 0
            self._retries = self._failures = self._emptied = 0

    def free_and_total(self) -> tuple[int, int]:
        """What ``cudaMemGetInfo`` answers: free and total bytes."""
        with self._lock:
            self._settle()
            return self._within_reach - self._reserved.all.current, self.capacity

    @property
    def reserved_bytes(self) -> int:
        """What this process takes of the card."""
        if self._journal:
            with self._lock:
                self._settle()
        return self._reserved.all.current

    @property
    def peak_reserved_bytes(self) -> int:
        """The most that this process took of the card."""
        if self._journal:
            with self._lock:
                self._settle()
        return self._reserved.all.peak

    def stats(self) -> dict[str, Any]:
        """The nested dictionary behind ``torch.cuda.memory_stats``."""
        with self._lock:
            self._settle()
            arenas = self._arenas.values()
            rows = [row for arena in (None, *arenas) for row in self._small_rows(arena)]
            pieces, unused = free_beside_used(rows)
            places = [self._places, *(arena.places for arena in arenas)]
            in_parts = sum(one.held - one.releasable for one in places) - self._large.live
            self._splits.become(pieces, sum(one.splits for one in places))
            self._unused.become(unused, in_parts)
            segments = self._segments.all
            in_use = self._family("live", self._peak)
            blocks = self._family("blocks", self._peak_blocks)
            return {
                "allocation": blocks,
                "active": blocks,
                "segment": self._segments.readings(),
                "inactive_split": self._splits.readings(),
                "allocated_bytes": in_use,
                "active_bytes": in_use,
                "requested_bytes": self._family("requested", self._peak_requested),
                "reserved_bytes": self._reserved.readings(),
                "inactive_split_bytes": self._unused.readings(),
                "oversize_allocations": Count().readings(),
                "oversize_segments": Count().readings(),
                "num_alloc_retries": self._retries,
                "num_ooms": self._failures,
                "num_sync_all_streams": self._emptied,
                "num_device_alloc": segments.allocated,
                "num_device_free": segments.freed,
                "max_split_size": -1,
            }

    def blocks(self) -> list[tuple[int, int, int]]:
        """Number, bytes and requested bytes of every living block, oldest first."""
        with self._lock:
            self._settle()
            return [
                (number, self._size(nbytes, number), nbytes)
                for _, nbytes, number in self._alive.values()
            ]

    def segments(self) -> list[Segment]:
        """The segments of small and of large blocks, oldest first, pool by pool."""
        with self._lock:
            self._settle()
            pools: list[tuple[PoolId, Arena | None, LargePool]] = [(OWN, None, self._places)]
            pools += [(arena.id, arena, arena.places) for arena in self._arenas.values()]
            return [
                (pool_id, kind, row)
                for pool_id, arena, places in pools
                for kind, rows in (("small", self._small_rows(arena)), ("large", places.rows()))
                for row in rows
            ]

    def _small_rows(self, arena: Arena | None) -> list[Row]:
        """The segments of small blocks in a private pool; None: in the card's own memory."""
        small = [
            (round_up(nbytes, _BLOCK), number)
            for _, nbytes, number in self._alive.values()
            if nbytes <= SMALL_REQUEST and self._homes.get(number) is arena
        ]
        if arena is not None:
            return rows_of_small(small, arena.held_by_small)
        private = sum(one.held for one in self._arenas.values())
        return rows_of_small(small, self._reserved.all.current - self._places.held - private)

    @property
    def was_used(self) -> bool:
        """Whether there ever was a block."""
        return self._next > 0 or bool(self._journal)

    def newest(self) -> tuple[Any, int]:
        """Owner and requested bytes of the youngest block. For observers, called under the lock."""
        watch, nbytes, _ = next(reversed(self._alive.values()))
        return watch(), nbytes

    def living(self) -> list[tuple[Any, int, int]]:
        """Owner, bytes and requested bytes of every living block."""
        with self._lock:
            self._settle()
            return [
                (owner, self._size(nbytes, number), nbytes)
                for watch, nbytes, number in self._alive.values()
                if (owner := watch()) is not None
            ]

    @property
    def live_bytes(self) -> int:
        """Bytes of all living storages."""
        if self._journal:
            with self._lock:
                self._settle()
        return self._live

    @property
    def peak_bytes(self) -> int:
        """The most that storages had together."""
        if self._journal:
            with self._lock:
                self._settle()
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

    @property
    def _needed(self) -> int:
        """What the card's own segments of small blocks must have at least."""
        return round_up(self._small.live - self._away, SMALL_SEGMENT)

    @property
    def _taken(self) -> int:
        """Bytes of all segments."""
        private = sum(arena.held for arena in self._arenas.values()) if self._arenas else 0
        return self._held + self._places.held + private

    def _places_of(self, number: int) -> LargePool:
        arena = self._homes.get(number)
        return self._places if arena is None else arena.places

    def _size(self, nbytes: int, number: int) -> int:
        """What a living block takes of its segment."""
        if nbytes <= SMALL_REQUEST:
            return round_up(nbytes, _BLOCK)
        return self._places_of(number).size(number)

    def _new_peak(self, live: int) -> None:
        """Note what is in use at this moment as the peak of all counts."""
        self._peak = live
        self._peak_blocks = len(self._alive)
        self._peak_requested = sum(pool.requested for pool in self._pools)

    def _family(self, what: str, peak: int) -> dict[str, dict[str, int]]:
        """The readings of one count of the pools, whose peak is known for the whole card.

        Where a pool's own peak is not counted, it is taken to be the smaller of what the pool ever
        had and the card's peak.
        """

        def readings(pools: tuple[Blocks, ...], peak: int) -> dict[str, int]:
            current = sum(getattr(pool, what) for pool in pools)
            total = sum(getattr(pool, f"{what}_in") for pool in pools)
            return {
                "current": current,
                "peak": max(peak, current),
                "allocated": total,
                "freed": total - current,
            }

        def pool_peak(*pools: Blocks) -> int:
            if what == "live":
                return min(sum(pool.peak for pool in pools), peak)
            return min(sum(getattr(pool, f"{what}_in") for pool in pools), peak)

        small, large = self._pools[:1], self._pools[1:]
        return {
            "all": readings(self._pools, peak),
            "small_pool": readings(small, pool_peak(*small)),
            "large_pool": readings(large, pool_peak(*large)),
        }

    def _settle(self) -> None:
        """Enter the journal into the books."""
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
        held = self._held + self._away
        most = min(pool.peak, held, pool.live + self._peak - self._live)
        try:
            while journal:
                event = journal[0]
                if event.__class__ is tuple:
                    watch, nbytes = event
                    block = (nbytes + _BLOCK - 1) // _BLOCK * _BLOCK
                    if live_in - live_out + block > most:
                        break
                    alive[id(watch)] = (watch, nbytes, number)
                    number += 1
                    live_in += block
                    requested_in += nbytes
                else:
                    known = alive.get(id(event))
                    if known is None or known[1] > SMALL_REQUEST or known[2] in homes:
                        break
                    nbytes = known[1]
                    del alive[id(event)]
                    deaths += 1
                    live_out += (nbytes + _BLOCK - 1) // _BLOCK * _BLOCK
                    requested_out += nbytes
                journal.popleft()
        finally:
            pool.blocks_in += number - self._next
            pool.blocks_out += deaths
            self._next = number
            self._live += live_in - live_out - pool.live
            pool.live_in, pool.live_out = live_in, live_out
            pool.requested_in, pool.requested_out = requested_in, requested_out

    def _settle_one_event(self, event: _Birth | _Watch | Leave) -> None:
        if isinstance(event, Leave):
            self._take_leave(event)
            return
        if not isinstance(event, tuple):
            self._take_out(event)
            return
        watch, nbytes = event
        block = round_up(nbytes, _BLOCK)
        self._add(self._small, watch, nbytes, block)
        if self._observer is not None:
            self._observer("alloc", self._next - 1, block)

    def _take_out(self, watch: _Watch) -> None:
        _, nbytes, number = self._alive.pop(id(watch), (None, 0, None))
        if number is None:
            return
        block = (nbytes + _BLOCK - 1) // _BLOCK * _BLOCK
        if block <= SMALL_REQUEST:
            pool = self._small
        else:
            pool = self._large
            places = self._places_of(number)
            block = places.size(number)
            places.give(number)
        pool.live_out += block
        pool.requested_out += nbytes
        pool.blocks_out += 1
        self._live -= block
        if self._observer is not None:
            self._observer("free_requested", number, block)
            self._observer("free_completed", number, block)
        if number in self._homes:
            arena = self._homes.pop(number)
            if pool is self._small:
                arena.small -= block
                self._away -= block

    def _take_leave(self, leave: Leave) -> None:
        arena = self._arenas.get(leave.pool_id)
        if arena is None:
            return
        arena.users = max(0, arena.users - 1)
        if leave.empties and not arena.users:
            self._release_arena(arena)
            self._update_reserved()

    def _release_arena(self, arena: Arena) -> None:
        """Let go of what is unused of a pool without users, and of the pool with the last of it."""
        arena.release()
        if not arena.held:
            del self._arenas[arena.id]

    def _recount(self) -> None:
        """Add up what is in use anew from the living blocks."""
        numbers = {number for _, _, number in self._alive.values()}
        self._homes = {n: arena for n, arena in self._homes.items() if n in numbers}
        self._places.keep(numbers)
        for arena in self._arenas.values():
            arena.places.keep(numbers)
            arena.small = sum(
                round_up(nbytes, _BLOCK)
                for _, nbytes, number in self._alive.values()
                if nbytes <= SMALL_REQUEST and self._homes.get(number) is arena
            )
        self._away = sum(arena.small for arena in self._arenas.values())
        for pool in self._pools:
            blocks = [
                (self._size(nbytes, number), nbytes)
                for _, nbytes, number in self._alive.values()
                if (nbytes <= SMALL_REQUEST) == (pool is self._small)
            ]
            pool.live_out = pool.live_in - sum(size for size, _ in blocks)
            pool.requested_out = pool.requested_in - sum(nbytes for _, nbytes in blocks)
            pool.blocks_out = pool.blocks_in - len(blocks)
        self._live = sum(pool.live for pool in self._pools)

    def _check(self, block: int) -> None:
        if self._live + block > self._limit:
            self._release_cache()
            self._retries += 1  # without success
            self._refuse(block)

    def _refuse(self, block: int) -> NoReturn:
        self._update_reserved()
        self._failures += 1
        if self._observer is not None:
            self._observer("oom", None, block)
        reserved, in_use = self._reserved.all.current, self._live
        raise out_of_memory(
            self.device,
            segment_size(block),
            self.capacity,
            reserved,
            in_use,
            self._allowed,
            [(process.pid, process.memory) for process in self.others if process.kind == "C"],
            self._within_reach - reserved,
        )

    def _hold_small(self) -> None:
        """Reserve what the small blocks need now."""
        self._held = self._needed
        self._make_room(0)
        self._update_reserved()

    def _place(self, places: LargePool, number: int, block: int) -> int:
        """Find a place for a large block, in a new segment if need be. Returns what it takes."""
        if not places.take(number, block):
            self._make_room(segment_size(block))
            left = self._limit - self._taken
            if block > left:  # there may be room, but not in one piece
                self._refuse(block)
            places.grow(max(block, min(segment_size(block), left)))
            places.take(number, block)
            self._update_reserved()
        return places.size(number)

    def _make_room(self, nbytes: int) -> None:
        """Give unused segments back if ``nbytes`` more would be too much."""
        if self._taken + nbytes > self._limit:
            self._release_cache()
            self._retries += 1

    def _release_cache(self) -> None:
        self._held = self._needed
        self._places.release()
        for arena in [arena for arena in self._arenas.values() if not arena.users]:
            self._release_arena(arena)

    def _update_reserved(self) -> None:
        # Whole segments may add up to more than a small card has: never report more than that.
        arenas = self._arenas.values()
        held_by_small = self._held + sum(arena.held_by_small for arena in arenas)
        small = min(held_by_small, self._limit)
        held_by_large = self._places.held + sum(arena.places.held for arena in arenas)
        large = min(held_by_large, self._limit - small)
        before = self._reserved.all.current
        self._reserved.become(small, large)
        segments = len(self._places) + sum(len(arena.places) for arena in arenas)
        self._segments.become(held_by_small // SMALL_SEGMENT, segments)
        if self._observer is not None and (more := self._reserved.all.current - before):
            self._observer("segment_alloc" if more > 0 else "segment_free", None, abs(more))
