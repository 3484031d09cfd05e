"""The live blocks of one virtual GPU, and the memory reserved for them.

``allocated`` is exact: each storage is counted from its allocation until it is freed, rounded up to
512 bytes as in CUDA's allocator. ``reserved`` is a model of that allocator (``segments``): large
blocks have positions, of small ones only the sum is stored. Freed segments are kept until
``empty_cache()`` or until memory runs short. Private pools (``arenas``) have their own segments.
All amounts are bytes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import out_of_memory
from ..hardware.profiles import OtherProcess
from .arenas import OWN, Arena, Leave, PoolId
from .segments import (
    SMALL_REQUEST,
    SMALL_SEGMENT,
    LargePool,
    Row,
    free_beside_used,
    rows_of_small,
    segment_size,
    small_segments,
)
from .stats import BlockStats, Stat, StatArray

# (event, number of the block or None, bytes): for a history of the allocator.
Observer = Callable[[str, "int | None", int], None]

Watch = weakref.ref[Any]
"""A weak reference to the owner of a block. C code records its free, without interruption."""

_Block = tuple[Watch, int, int, int]
"""The owner, the requested bytes, the bytes of the block, and its number."""

Segment = tuple[PoolId, str, Row]
"""Its pool, whether it is for "small" or "large" blocks, and its pieces."""


class AllocatorState:
    """Blocks, segments and statistics of one card, for the events that ``Allocator`` processes.

    There are no locks here: every method is called under the allocator's lock.
    """

    def __init__(self, device: int, capacity: int, others: tuple[OtherProcess, ...] = ()) -> None:
        self.device = device
        self.capacity = capacity
        self.others = others
        self._observer: Observer | None = None
        self._within_reach = capacity - sum(process.memory for process in others)
        self._allowed: int | None = None
        self._limit = self._within_reach
        self._live = self._peak = self._peak_blocks = self._peak_requested = 0
        self._reserved, self._segments = StatArray(), StatArray()
        self._splits, self._unused = StatArray(), StatArray()  # free pieces in used segments
        self._retries = self._failures = self._emptied = 0
        self._small, self._large = self._pools = BlockStats(), BlockStats()
        self._own = Arena(OWN)
        self._private: dict[PoolId, Arena] = {}
        self._homes: dict[int, Arena] = {}  # number of a block in a private pool -> arena
        self._away = 0  # bytes of the small ones of these
        self._next = 0  # the number of the next block
        self._alive: dict[int, _Block] = {}  # by the ids of their watches

    @property
    def _arenas(self) -> tuple[Arena, ...]:
        """The card's own memory and the private pools."""
        return self._own, *self._private.values()

    def _enter(self, arena: Arena, watch: Watch, nbytes: int, block: int) -> None:
        """Place and count a block of a private pool, or a large one of the card's own memory."""
        number = self._next
        try:
            if arena is not self._own:
                self._homes[number] = arena
            if block > SMALL_REQUEST:
                pool, block = self._large, self._place(arena.places, number, block)
            else:
                pool = self._small
                self._make_place_for_small(arena, block)
            self._add(pool, watch, nbytes, block)
            if self._observer is not None:
                self._observer("alloc", number, block)
        except BaseException:  # no place, or interrupted anywhere above
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

    def _add(self, pool: BlockStats, watch: Watch, nbytes: int, block: int) -> None:
        number = self._next
        self._next = number + 1
        self._alive[id(watch)] = (watch, nbytes, block, number)
        pool.live_in += block
        pool.requested_in += nbytes
        pool.blocks_in += 1
        self._live = live = self._live + block
        taken = pool.live_in - pool.live_out
        if taken > self._own.held_by_small + self._away and pool is self._small:
            self._hold_small()
        if taken > pool.peak:
            pool.peak = taken
        if live > self._peak:
            self._new_peak(live)

    def _take_out(self, watch: Watch) -> None:
        if id(watch) not in self._alive:
            return
        _, nbytes, block, number = self._alive.pop(id(watch))
        pool = self._small if block <= SMALL_REQUEST else self._large
        if pool is self._large:
            self._arena_of(number).places.give(number)
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
        arena = self._private.get(leave.pool_id)
        if arena is None:
            return
        arena.users = max(0, arena.users - 1)
        if leave.empties and not arena.users:
            self._release_arena(arena)
            self._update_reserved()

    def _release_arena(self, arena: Arena) -> None:
        """Free the unused segments of a pool without users; delete the pool if it is empty."""
        arena.release()
        if not arena.held:
            del self._private[arena.id]

    def _recount(self) -> None:
        """Recompute the used memory from the live blocks."""
        alive = list(self._alive.values())
        numbers = {number for _, _, _, number in alive}
        self._homes = {n: arena for n, arena in self._homes.items() if n in numbers}
        for arena in self._arenas:
            arena.places.keep(numbers)
        for arena in self._private.values():
            arena.small = sum(block for block, _ in self._small_blocks(arena))
        self._away = sum(arena.small for arena in self._private.values())
        for pool in self._pools:
            its = [one for one in alive if (one[2] <= SMALL_REQUEST) == (pool is self._small)]
            pool.live_out = pool.live_in - sum(block for _, _, block, _ in its)
            pool.requested_out = pool.requested_in - sum(nbytes for _, nbytes, _, _ in its)
            pool.blocks_out = pool.blocks_in - len(its)
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
        """Reserve the segments that the small blocks need now."""
        self._own.held_by_small = small_segments(self._small.live - self._away)
        self._make_room(0)
        self._update_reserved()

    def _place(self, places: LargePool, number: int, block: int) -> int:
        """Find a place for a large block, in a new segment if needed. Returns its size."""
        size = places.take(number, block)
        if not size:
            self._make_room(segment_size(block))
            left = self._limit - self._taken
            if block > left:  # there may be enough memory, but not in one piece
                self._refuse(block)
            places.grow(max(block, min(segment_size(block), left)))
            size = places.take(number, block)
            self._update_reserved()
        return size

    def _make_room(self, nbytes: int) -> None:
        """Free unused segments if ``nbytes`` more do not fit."""
        if self._taken + nbytes > self._limit:
            self._release_cache()
            self._retries += 1

    def _release_cache(self) -> None:
        self._own.small = self._small.live - self._away
        self._own.release()
        for arena in [arena for arena in self._private.values() if not arena.users]:
            self._release_arena(arena)

    def _update_reserved(self) -> None:
        # Whole segments can add up to more memory than a small card has: never report more.
        held_by_small = sum(arena.held_by_small for arena in self._arenas)
        small = min(held_by_small, self._limit)
        large = min(sum(arena.places.held for arena in self._arenas), self._limit - small)
        before = self._reserved.all.current
        self._reserved.become(small, large)
        segments = sum(len(arena.places) for arena in self._arenas)
        self._segments.become(held_by_small // SMALL_SEGMENT, segments)
        if self._observer is not None and (more := self._reserved.all.current - before):
            self._observer("segment_alloc" if more > 0 else "segment_free", None, abs(more))

    @property
    def _taken(self) -> int:
        """Bytes of all segments."""
        return sum(arena.held for arena in self._arenas)

    def _arena_of(self, number: int) -> Arena:
        return self._homes.get(number, self._own)

    def _small_blocks(self, arena: Arena) -> list[tuple[int, int]]:
        """Sizes and numbers of the small blocks of an arena, oldest first."""
        return [
            (block, number)
            for _, _, block, number in self._alive.values()
            if block <= SMALL_REQUEST and self._arena_of(number) is arena
        ]

    def _new_peak(self, live: int) -> None:
        """Store the current usage as the peak of all counts."""
        self._peak = live
        self._peak_blocks = len(self._alive)
        self._peak_requested = sum(pool.requested for pool in self._pools)

    def _stats(self) -> dict[str, Any]:
        """The nested dictionary behind ``torch.cuda.memory_stats``."""
        rows = [row for arena in self._arenas for row in self._small_rows(arena)]
        pieces, unused = free_beside_used(rows)
        places = [arena.places for arena in self._arenas]
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
            "oversize_allocations": Stat().readings(),
            "oversize_segments": Stat().readings(),
            "num_alloc_retries": self._retries,
            "num_ooms": self._failures,
            "num_sync_all_streams": self._emptied,
            "num_device_alloc": segments.allocated,
            "num_device_free": segments.freed,
            "max_split_size": -1,
        }

    def _family(self, what: str, peak: int) -> dict[str, dict[str, int]]:
        """The readings of one count of the pools, with the known peak of the whole card.

        If a pool's own peak is not counted, it is estimated as the smaller of the pool's total and
        the card's peak.
        """

        def readings(pools: tuple[BlockStats, ...], peak: int) -> dict[str, int]:
            current = sum(getattr(pool, what) for pool in pools)
            total = sum(getattr(pool, f"{what}_in") for pool in pools)
            return {
                "current": current,
                "peak": max(peak, current),
                "allocated": total,
                "freed": total - current,
            }

        def pool_peak(*pools: BlockStats) -> int:
            if what == "live":
                return min(sum(pool.peak for pool in pools), peak)
            return min(sum(getattr(pool, f"{what}_in") for pool in pools), peak)

        small, large = self._pools[:1], self._pools[1:]
        return {
            "all": readings(self._pools, peak),
            "small_pool": readings(small, pool_peak(*small)),
            "large_pool": readings(large, pool_peak(*large)),
        }

    def _all_segments(self) -> list[Segment]:
        """The segments of small and of large blocks, oldest first, pool by pool."""
        return [
            (arena.id, kind, row)
            for arena in self._arenas
            for kind, rows in (("small", self._small_rows(arena)), ("large", arena.places.rows()))
            for row in rows
        ]

    def _small_rows(self, arena: Arena) -> list[Row]:
        """The segments of small blocks of an arena."""
        held = arena.held_by_small
        if arena is self._own:  # the reported value can be less than whole segments
            others = sum(one.held for one in self._private.values())
            held = self._reserved.all.current - arena.places.held - others
        return rows_of_small(self._small_blocks(arena), held)
