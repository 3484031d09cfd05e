"""Snapshots and history of the allocators, for ``torch.cuda.memory._snapshot``.

The allocator (``memory``) has the sizes, and the positions of large blocks in their segments, but
only the sum of small blocks. So addresses are a model, made for each snapshot. In one snapshot a
live block has the same address in its segment and in the trace. A freed block has its own address
outside all segments. An event of segments, with only its bytes known, has the first address of its
card. The kept frames and events follow ``CUDACachingAllocator.cpp`` and
``torch/csrc/cuda/memory_snapshot.cpp``. All sizes are bytes.
"""

from __future__ import annotations

import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from ... import runtime
from ...memory.allocator import Allocator
from ...memory.arenas import OWN, PoolId
from ...patches import Patches

Frames = list[dict[str, Any]]

_HERE = str(Path(__file__).parents[2])
_FIRST_ADDRESS = 0x7A00_0000_0000
_SPACE = 1 << 39  # addresses of one card
_GONE = 1 << 38  # offset of freed blocks in a card's space, which follow in steps of
_STEP = 512
_MOST_EVENTS = 1 << 20
_NEVER, _STATE, _ALLOC, _ALL = range(4)  # when frames are kept: each level includes the lower
_CONTEXTS = {None: _NEVER, "state": _STATE, "alloc": _ALLOC, "all": _ALL}


def _python_frames() -> Frames:
    """The calling program's stack, innermost call first, without the frames of this package."""
    frames: Frames = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_HERE, "<string>")):
            frames.append(
                {"filename": code.co_filename, "line": frame.f_lineno, "name": code.co_name}
            )
        frame = frame.f_back
    return frames


class _History:
    """The history of one card: its events, and the frames that made its live blocks.

    ``metadata`` is the user's text for later events.
    """

    def __init__(self, allocator: Allocator) -> None:
        self.metadata = ""
        self.frames: dict[int, Frames] = {}  # number of a live block -> frames
        self._allocator = allocator
        self._events: deque[tuple[int | None, dict[str, Any]]] = deque()
        self._context = _NEVER
        self._skipped: frozenset[str] = frozenset()
        # The allocator notices a freed block later, when the stack that freed it no longer exists.
        self._watches: dict[int, weakref.ref[Any]] = {}
        self._deaths: dict[int, Frames] = {}

    def start(self, context: int, most: int, clear: bool, skipped: Iterable[str]) -> None:
        """Record from now on, at most the last ``most`` events."""
        if clear:
            self._events.clear()
        self._events = deque(self._events, max(1, min(most, _MOST_EVENTS)))
        self._context = context
        self._skipped = frozenset(skipped)
        known = set(self.frames)
        for number in known.difference(number for number, _, _ in self._allocator.blocks()):
            self.frames.pop(number, None)  # freed while nothing was recorded
        self._allocator.observer = self

    def stop(self) -> None:
        """Stop recording and delete the events. Live blocks keep their frames."""
        self._allocator.observer = None
        for memory in (self._events, self._watches, self._deaths):
            memory.clear()

    def trace(self, addresses: dict[int, int]) -> list[dict[str, Any]]:
        """The events, oldest first, with these addresses of live blocks."""
        first = _first_address(self._allocator)

        def address(number: int | None) -> int:
            if number is None:
                return first
            return addresses.get(number, first + _GONE + number * _STEP)

        return [
            event if event["action"] == "oom" else {**event, "addr": address(number)}
            for number, event in list(self._events)  # other threads may add to it
        ]

    def __call__(self, action: str, number: int | None, size: int) -> None:
        frames = self._frames_of(action, number)
        if action in self._skipped:
            return
        event = {
            "action": action,
            "size": size,
            "stream": 0,
            "frames": frames,
            "time_us": time.time_ns() // 1000,
            "pool_id": self._allocator.pool_of(number),
            "compile_context": "N/A",
            "user_metadata": self.metadata,
        }
        if action == "oom":
            event["device_free"] = 0
        self._events.append((number, event))

    def _frames_of(self, action: str, number: int | None) -> Frames:
        """The frames of an event. Also stores or removes the frames of its block."""
        if action == "alloc" and number is not None and self._context >= _STATE:
            self.frames[number] = frames = _python_frames()
            if self._context == _ALL:
                self._watch(number)
            return frames if self._context >= _ALLOC else []
        if action.startswith("free_") and number is not None:
            # Without the stack of the free, use that of the allocation.
            made = self.frames.get(number, []) if self._context >= _ALLOC else []
            frames = self._deaths.get(number, made)
            if action == "free_completed":
                for memory in (self.frames, self._watches, self._deaths):
                    memory.pop(number, None)
            return frames
        least = _ALL if action == "segment_free" else _ALLOC
        return _python_frames() if self._context >= least else []

    def _watch(self, number: int) -> None:
        """Store the stack that will free the newest block, when it does."""
        owner, _ = self._allocator.newest()
        if owner is not None:
            self._watches[number] = weakref.ref(owner, partial(self._note_death, number))

    def _note_death(self, number: int, _: object) -> None:
        if self._context == _ALL:
            self._deaths[number] = _python_frames()


_histories: dict[Allocator, _History] = {}


def _history(allocator: Allocator) -> _History:
    if allocator not in _histories:
        _histories[allocator] = _History(allocator)
    return _histories[allocator]


def _first_address(allocator: Allocator) -> int:
    return _FIRST_ADDRESS + allocator.device * _SPACE


def _segments(
    allocator: Allocator, frames: dict[int, Frames]
) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The segments of one card, and the addresses of its live blocks."""
    requests = {number: requested for number, _, requested in allocator.blocks()}
    segments: list[dict[str, Any]] = []
    addresses: dict[int, int] = {}
    address = _first_address(allocator)
    for pool_id, kind, row in allocator.segments():
        pieces: list[dict[str, Any]] = []
        start = address
        for size, number in row:
            piece = {"address": address, "size": size, "requested_size": 0, "state": "inactive"}
            made: Frames = []
            # It may have been freed between the two calls of the allocator.
            if number is not None and number in requests:
                piece |= {"requested_size": requests[number], "state": "active_allocated"}
                made = frames.get(number, [])
                addresses[number] = address
            pieces.append({**piece, "frames": made})
            address += size
        in_use = sum(piece["size"] for piece in pieces if piece["state"] == "active_allocated")
        segments.append(
            {
                "device": allocator.device,
                "address": start,
                "total_size": address - start,
                "allocated_size": in_use,
                "active_size": in_use,
                "requested_size": sum(piece["requested_size"] for piece in pieces),
                "stream": 0,
                "segment_type": kind,
                "segment_pool_id": pool_id,
                "is_expandable": False,
                "frames": [],
                "blocks": pieces,
            }
        )
    return segments, addresses


def _snapshot(pool: tuple[int, ...] | None = None) -> dict[str, Any]:
    """A snapshot of all memory, or of one private pool. pool[2]: whether with traces."""
    pool = OWN if pool is None else pool
    wanted: PoolId = (pool[0], pool[1])
    all_segments, traces = [], []
    for allocator in runtime.started().allocators:
        history = _history(allocator)
        segments, addresses = _segments(allocator, history.frames)
        all_segments += [one for one in segments if wanted in (OWN, one["segment_pool_id"])]
        traces.append(history.trace(addresses) if all(pool[2:]) else [])
    return {
        "segments": all_segments,
        "device_traces": traces,
        "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": False},
        "external_annotations": [],
    }


def _record(
    enabled: str | None = "all",
    context: str | None = "all",
    stacks: str = "all",
    max_entries: int = sys.maxsize,
    clear_history: bool = False,
    compile_context: bool = False,
    record_annotations: bool = False,
    skip_actions: Iterable[str] = (),
) -> None:
    if enabled not in (None, "state", "all"):
        raise RuntimeError("expected state to be 'state', 'all', or None")
    if context not in _CONTEXTS:
        raise RuntimeError("expected context to be 'state', 'alloc', 'all', or None")
    if stacks not in ("python", "all"):
        raise RuntimeError("expected stacks to be 'python', or 'all'")
    # The allocator cannot record without events, so "state" keeps one event.
    most = max_entries if enabled == "all" else 1
    for allocator in runtime.started().allocators:
        if enabled is None:
            _history(allocator).stop()
        else:
            _history(allocator).start(_CONTEXTS[context], most, clear_history, skip_actions)


def _record_legacy(
    enabled: bool,
    record_context: bool = True,
    max_entries: int = 1,
    record_context_of_events: bool = False,
    record_cpp: bool = False,
    clear_history: bool = False,
    compile_context: bool = False,
    record_annotations: bool = False,
    skip_actions: Iterable[str] = (),
) -> None:
    context = "alloc" if record_context_of_events else "state" if record_context else None
    _record(
        "all" if enabled else None,
        context,
        "all",
        max_entries,
        clear_history,
        skip_actions=skip_actions,
    )


def _current_history() -> _History:
    return _history(runtime.started().allocator(runtime.current_device()))


def _is_recording() -> bool:
    return any(allocator.observer is not None for allocator in runtime.started().allocators)


def _set_metadata(metadata: str) -> None:
    _current_history().metadata = metadata


def _get_metadata() -> str:
    return _current_history().metadata


OomObserver = Callable[[int, int, int, int], object]
"""(card, requested bytes, the limit of this process in bytes, free bytes) -> anything"""

_observers: list[OomObserver] = []


def _tell(allocator: Allocator, requested: int) -> None:
    free, total = allocator.free_and_total()
    for observe in _observers:
        observe(allocator.device, requested, allocator.allowed or total, free)


def _attach(observer: OomObserver) -> None:
    for allocator in runtime.started().allocators:
        allocator.on_refusal = _tell
    _observers.append(observer)


def patch(patches: Patches) -> None:
    """Install snapshots for ``torch.cuda.memory``, and observers of out-of-memory errors."""
    _histories.clear()
    _observers.clear()
    patches.set(
        torch._C,
        _cuda_memorySnapshot=_snapshot,
        _cuda_record_memory_history=_record,
        _cuda_isHistoryEnabled=_is_recording,
        _cuda_record_memory_history_legacy=_record_legacy,
        _cuda_setMemoryMetadata=_set_metadata,
        _cuda_getMemoryMetadata=_get_metadata,
        _cuda_attach_out_of_memory_observer=_attach,
    )
