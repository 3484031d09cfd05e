"""Memory in a profile (``profile_memory=True``): the bytes that each function took on the cards.

The profiler gets events from the CPU's allocator, which provides the memory of virtual GPUs. So the
blocks of a card's allocator are added for the card, as CUDA's allocator reports them, and
subtracted from the CPU's sum. As on CUDA, all cards share one sum.
"""

from __future__ import annotations

import time
import weakref
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from itertools import accumulate
from typing import Any

from torch.autograd.profiler import MEMORY_EVENT_NAME
from torch.autograd.profiler_util import FunctionEvent

from ...memory.allocator import Allocator, Observer

_Change = tuple[int, int, int]
"""Moment (ns since the epoch), bytes of a card, bytes reported by the CPU's allocator."""


class MemoryRecorder:
    """Records allocated and freed blocks of some cards, in addition to other observers."""

    def __init__(self, allocators: Iterable[Allocator]) -> None:
        self._changes: list[_Change] = []
        self._deaths: list[weakref.ref[Any]] = []
        self._others: dict[Allocator, Observer | None] = {}
        for allocator in allocators:
            for owner, block, _ in allocator.living():
                self._watch(owner, block, 0)  # the CPU's allocator does not report its size again
            self._others[allocator] = allocator.observer
            allocator.observer = partial(self._note, allocator)

    def _note(self, allocator: Allocator, action: str, number: int | None, block: int) -> None:
        if (other := self._others[allocator]) is not None:
            other(action, number, block)
        owner, nbytes = allocator.newest() if action == "alloc" else (None, 0)
        if owner is not None:
            self._changes.append((time.time_ns(), block, nbytes))
            self._watch(owner, block, nbytes)

    def _watch(self, owner: Any, block: int, nbytes: int) -> None:
        self._deaths.append(weakref.ref(owner, partial(self._note_death, -block, -nbytes)))

    def _note_death(self, block: int, nbytes: int, _: object) -> None:
        self._changes.append((time.time_ns(), block, nbytes))

    def stop(self) -> None:
        """Stop recording."""
        for allocator, other in self._others.items():
            allocator.observer = other
        self._deaths.clear()

    def count(
        self, events: Iterable[FunctionEvent], told: Iterable[Any], origin: int
    ) -> list[FunctionEvent]:
        """Move bytes of functions from the CPU's sum to the cards'. Returns rows without function.

        ``told`` are the profiler's own events, including memory events. ``origin`` is the start of
        ``events`` (ns since the epoch).
        """
        changes = sorted(_as_told(self._changes, told))
        moments = [(moment - origin) / 1e3 for moment, _, _ in changes]
        blocks, sizes = ([0, *accumulate(change[k] for change in changes)] for k in (1, 2))
        taken = [0] * (len(changes) + 1)  # differences of the number of events around a change
        for event in events:
            first = bisect_left(moments, event.time_range.start)
            last = bisect_right(moments, event.time_range.end)
            event.device_memory_usage += blocks[last] - blocks[first]
            event.cpu_memory_usage -= sizes[last] - sizes[first]
            taken[first] += 1
            taken[last] -= 1
        return [
            _of_nobody(moment, change[1])
            for moment, change, by in zip(moments, changes, accumulate(taken), strict=False)
            if not by
        ]


def _as_told(changes: list[_Change], told: Iterable[Any]) -> Iterable[_Change]:
    """The changes, moved to the moments of the profiler's events for them, if there are any."""
    seen: dict[int, list[int]] = defaultdict(list)
    for event in told:
        if event.name() == MEMORY_EVENT_NAME:
            seen[event.nbytes()].append(event.start_ns())
    for moments in seen.values():
        moments.sort()
    for moment, block, nbytes in changes:
        nearest = _take_nearest(seen[nbytes], moment, is_death=nbytes < 0)
        yield (moment, block, 0) if nearest is None else (nearest, block, nbytes)


def _take_nearest(moments: list[int], moment: int, is_death: bool) -> int | None:
    """Remove and return the profiler's moment: before an allocation, or nearest to a free."""
    k = bisect_right(moments, moment)
    before = moments[k - 1] if k else None
    after = moments[k] if is_death and k < len(moments) else None
    if before is not None and (after is None or moment - before <= after - moment):
        return moments.pop(k - 1)
    return None if after is None else moments.pop(k)


def _of_nobody(moment: float, block: int) -> FunctionEvent:
    """torch's row for memory that was allocated or freed outside its functions."""
    return FunctionEvent(
        id=0,
        name=MEMORY_EVENT_NAME,
        thread=0,
        start_us=moment,
        end_us=moment,
        stack=[],
        use_device="cuda",
        device_memory_usage=block,
    )
