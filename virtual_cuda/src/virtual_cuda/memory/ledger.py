"""Memory accounting of one virtual card, with the caching allocator's visible numbers.

``allocated`` is exact: every storage is counted when it is made and when it is freed, rounded up to
512 bytes as CUDA's allocator does. ``reserved`` is a model of that allocator (``segments``): large
blocks have their places, of small ones only the sum is known. Freed segments are kept until
``empty_cache()`` or until memory runs short. All amounts are bytes.
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

# (what happened, number of the block or None, bytes): for a history of the allocator.
Observer = Callable[[str, "int | None", int], None]


class Count:
    """A number with the four readings of ``torch.cuda.memory_stats``."""

    __slots__ = ("allocated", "current", "freed", "peak")

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = 0

    def change(self, amount: int) -> None:
        self.current += amount
        if amount > 0:
            self.allocated += amount
            if self.current > self.peak:
                self.peak = self.current
        else:
            self.freed -= amount

    def readings(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


class _Family:
    """One statistic for the whole card, and for its small and its large blocks."""

    __slots__ = ("all", "large", "small")

    def __init__(self) -> None:
        self.all, self.small, self.large = Count(), Count(), Count()

    @property
    def counts(self) -> tuple[Count, Count, Count]:
        return self.all, self.small, self.large

    def become(self, small: int, large: int) -> None:
        """Change the current numbers into these."""
        self.small.change(small - self.small.current)
        self.large.change(large - self.large.current)
        self.all.change(small + large - self.all.current)

    def readings(self) -> dict[str, dict[str, int]]:
        names = ("all", "small_pool", "large_pool")
        return {name: c.readings() for name, c in zip(names, self.counts, strict=True)}


class _Pool:
    """The blocks of one size class.

    ``live``, ``requested`` and ``blocks`` are in use now; ``total_…`` were ever. Counted in place,
    because every tensor passes here.
    """

    __slots__ = (
        "blocks", "live", "peak", "requested", "total_blocks", "total_live", "total_requested",
    )  # fmt: skip

    def __init__(self) -> None:
        self.live = self.requested = self.blocks = self.peak = 0
        self.total_live = self.total_requested = self.total_blocks = 0


class Lease:
    """Counted bytes of one card; whoever owns the memory owns the lease, and both die together."""

    __slots__ = ("__weakref__",)


class _Block(weakref.ref[Lease]):
    """What the books know of a lease. Its death is noted by C code, which nothing interrupts."""

    __slots__ = ("nbytes", "number")

    nbytes: int
    number: int


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
        self.observer: Observer | None = None
        self.on_refusal: Callable[[Ledger, int], None] | None = None
        self._within_reach = capacity - sum(process.memory for process in others)
        self._allowed: int | None = None
        self._limit = self._within_reach
        self._live = self._peak = self._peak_blocks = self._peak_requested = 0
        self._reserved, self._segments = _Family(), _Family()
        self._splits, self._unused = _Family(), _Family()  # free pieces beside used ones
        self._retries = self._failures = self._emptied = 0
        self._small, self._large = self._pools = _Pool(), _Pool()
        self._held = 0  # by the segments of small blocks
        self._places = LargePool()
        self._lock = threading.Lock()
        self._next = 0  # the number of the next block
        self._alive: dict[int, _Block] = {}  # by their ids
        # Memory may die inside any Python statement, even one that holds the lock, so it is only
        # queued here; the next look at the books settles it.
        self._dead: deque[_Block] = deque()

    def reserve(self, nbytes: int) -> None:
        """Raise ``torch.OutOfMemoryError`` if ``nbytes`` more would not fit."""
        if nbytes >= _EXABYTE:
            raise too_much()
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
        block = (nbytes + _BLOCK - 1) // _BLOCK * _BLOCK
        try:
            with self._lock:
                if self._dead:
                    self._settle()
                lease = Lease()
                entry = _Block(lease, self._dead.append)
                entry.nbytes = nbytes
                entry.number = number = self._next
                self._next = number + 1
                try:
                    live = self._live + block
                    if live > self._limit:
                        self._check(block)
                    self._alive[id(entry)] = entry
                    # Written out here, because every result of every kernel passes.
                    if block <= SMALL_REQUEST:
                        pool = self._small
                    else:
                        pool = self._large
                        block = self._place(number, block)
                        live = self._live + block
                    self._live = live
                    pool.live += block
                    pool.total_live += block
                    pool.requested += nbytes
                    pool.total_requested += nbytes
                    pool.blocks += 1
                    pool.total_blocks += 1
                    if self._small.live > self._held:
                        self._hold_small()
                    if pool.live > pool.peak:
                        pool.peak = pool.live
                    if live > self._peak:
                        self._new_peak(live)
                    if self.observer is not None:
                        self.observer("alloc", number, block)
                except BaseException:  # without room, or interrupted anywhere above
                    self._alive.pop(id(entry), None)
                    self._recount()
                    raise
        except torch.OutOfMemoryError:
            self._tell_of_refusal(nbytes)
            raise
        return lease

    def _tell_of_refusal(self, nbytes: int) -> None:
        """Outside of the lock, since whoever is told may look at the books."""
        if self.on_refusal is not None:
            self.on_refusal(self, nbytes)

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
                pool.total_live, pool.total_requested = pool.live, pool.requested
                pool.total_blocks = pool.blocks
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
        with self._lock:
            self._settle()
            return self._reserved.all.current

    @property
    def peak_reserved_bytes(self) -> int:
        """The most that this process took of the card."""
        with self._lock:
            self._settle()
            return self._reserved.all.peak

    def stats(self) -> dict[str, Any]:
        """The nested dictionary behind ``torch.cuda.memory_stats``."""
        with self._lock:
            self._settle()
            pieces, unused = free_beside_used(self._small_rows())
            places = self._places
            self._splits.become(pieces, places.splits)
            self._unused.become(unused, places.held - places.releasable - self._large.live)
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
            return [(one.number, self._size(one), one.nbytes) for one in self._alive.values()]

    def segments(self) -> tuple[list[Row], list[Row]]:
        """The segments of small and of large blocks, oldest first."""
        with self._lock:
            self._settle()
            return self._small_rows(), self._places.rows()

    def _small_rows(self) -> list[Row]:
        small = [
            (size, entry.number)
            for entry in self._alive.values() if (size := self._size(entry)) <= SMALL_REQUEST
        ]  # fmt: skip
        return rows_of_small(small, self._reserved.all.current - self._places.held)

    def newest_lease(self) -> Lease | None:
        """The lease of the youngest block. For observers, who are called under the lock."""
        return next(reversed(self._alive.values()))()

    @property
    def live_bytes(self) -> int:
        """Bytes of all living storages."""
        with self._lock:
            self._settle()
            return self._live

    @property
    def peak_bytes(self) -> int:
        """The most that storages had together."""
        with self._lock:
            self._settle()
            return max(self._peak, self._live)

    @property
    def allowed(self) -> int | None:
        """The limit that the process set itself, if any."""
        return self._allowed

    @allowed.setter
    def allowed(self, limit: int | None) -> None:
        self._allowed = limit
        self._limit = self._within_reach if limit is None else min(limit, self._within_reach)

    @property
    def _needed(self) -> int:
        """What the segments of small blocks must have at least."""
        return round_up(self._small.live, SMALL_SEGMENT)

    def _size(self, entry: _Block) -> int:
        """What a living block takes of its segment."""
        block = round_up(entry.nbytes, _BLOCK)
        return block if block <= SMALL_REQUEST else self._places.size(entry.number)

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

        def readings(pools: tuple[_Pool, ...], peak: int) -> dict[str, int]:
            current = sum(getattr(pool, what) for pool in pools)
            total = sum(getattr(pool, f"total_{what}") for pool in pools)
            return {"current": current, "peak": max(peak, current), "allocated": total,
                    "freed": total - current}  # fmt: skip

        def pool_peak(*pools: _Pool) -> int:
            if what == "live":
                return min(sum(pool.peak for pool in pools), peak)
            return min(sum(getattr(pool, f"total_{what}") for pool in pools), peak)

        small, large = self._pools[:1], self._pools[1:]
        return {
            "all": readings(self._pools, peak),
            "small_pool": readings(small, pool_peak(*small)),
            "large_pool": readings(large, pool_peak(*large)),
        }

    def _settle(self) -> None:
        try:
            while self._dead:
                entry = self._dead[0]
                if self._alive.pop(id(entry), None) is not None:
                    nbytes, number = entry.nbytes, entry.number
                    block = (nbytes + _BLOCK - 1) // _BLOCK * _BLOCK
                    if block <= SMALL_REQUEST:
                        pool = self._small
                    else:
                        pool = self._large
                        block = self._places.size(number)
                        self._places.give(number)
                    pool.live -= block
                    pool.requested -= nbytes
                    pool.blocks -= 1
                    self._live -= block
                    if self.observer is not None:
                        self.observer("free_requested", number, block)
                        self.observer("free_completed", number, block)
                self._dead.popleft()
        except BaseException:  # interrupted anywhere above
            self._recount()
            raise

    def _recount(self) -> None:
        """Add up what is in use anew from the living blocks."""
        self._places.keep({entry.number for entry in self._alive.values()})
        for pool in self._pools:
            pool.live = pool.requested = pool.blocks = 0
        for entry in self._alive.values():
            pool = self._small if entry.nbytes <= SMALL_REQUEST else self._large
            pool.live += self._size(entry)
            pool.requested += entry.nbytes
            pool.blocks += 1
        self._live = sum(pool.live for pool in self._pools)

    def _check(self, block: int) -> None:
        if self._live + block > self._limit:
            self._release_cache()
            self._refuse(block)

    def _refuse(self, block: int) -> NoReturn:
        self._update_reserved()
        self._failures += 1
        if self.observer is not None:
            self.observer("oom", None, block)
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

    def _place(self, number: int, block: int) -> int:
        """Find a place for a large block, in a new segment if need be. Returns what it takes."""
        if not self._places.take(number, block):
            self._make_room(segment_size(block))
            left = self._limit - self._held - self._places.held
            if block > left:  # there may be room, but not in one piece
                self._refuse(block)
            self._places.grow(max(block, min(segment_size(block), left)))
            self._places.take(number, block)
            self._update_reserved()
        return self._places.size(number)

    def _make_room(self, nbytes: int) -> None:
        """Give unused segments back if ``nbytes`` more would be too much."""
        if self._held + self._places.held + nbytes > self._limit:
            self._release_cache()
            self._retries += 1

    def _release_cache(self) -> None:
        self._held = self._needed
        self._places.release()

    def _update_reserved(self) -> None:
        # Whole segments may add up to more than a small card has: never report more than that.
        small = min(self._held, self._limit)
        large = min(self._places.held, self._limit - small)
        before = self._reserved.all.current
        self._reserved.become(small, large)
        self._segments.become(self._held // SMALL_SEGMENT, len(self._places))
        if self.observer is not None and (more := self._reserved.all.current - before):
            self.observer("segment_alloc" if more > 0 else "segment_free", None, abs(more))
