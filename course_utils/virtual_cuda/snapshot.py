"""Snapshots and history of the allocators, as ``torch.cuda.memory._snapshot`` shows them.

The sizes are those of the books (``memory``); where a block lies inside its segment is a model, so
that addresses of a snapshot and of a history do not say which block followed which.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import torch

from . import runtime
from .memory import Ledger
from .patches import Patches
from .segments import segment_size

Frames = list[dict[str, Any]]

_HERE = str(Path(__file__).parent)
_FIRST_ADDRESS = 0x7F00_0000_0000
_SPACE = 1 << 36  # addresses of one card
_POOL = (0, 0)


def _python_frames() -> Frames:
    """The calling program's stack, innermost call first, without the frames of this package."""
    frames, frame = [], sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_HERE, "<string>")):
            frames.append(
                {"filename": code.co_filename, "line": frame.f_lineno, "name": code.co_name}
            )
        frame = frame.f_back
    return frames


class _History:
    """What happened on one card since recording began."""

    def __init__(self, ledger: Ledger, most: int, with_events: bool, with_frames: bool) -> None:
        self.ledger = ledger
        self.frames: dict[int, Frames] = {}
        self.events: deque[dict[str, Any]] = deque(maxlen=min(most, 1 << 20))
        self._with_events = with_events
        self._with_frames = with_frames

    def __call__(self, action: str, number: int | None, size: int) -> None:
        frames = _python_frames() if self._with_frames else []
        if action == "alloc" and number is not None:
            self.frames[number] = frames
        elif action == "free_completed" and number is not None:
            self.frames.pop(number, None)
        if self._with_events:
            event = {
                "action": action, "size": size, "stream": 0, "frames": frames,
                "time_us": time.time_ns() // 1000, "pool_id": _POOL,
            }  # fmt: skip
            if action == "oom":
                event["device_free"] = 0
            else:
                event["addr"] = _address(self.ledger, number or 0)
            self.events.append(event)


_histories: dict[int, _History] = {}


def _address(ledger: Ledger, number: int) -> int:
    return _FIRST_ADDRESS + ledger.device * _SPACE + number * 512


def _segments(ledger: Ledger) -> list[dict[str, Any]]:
    history = _histories.get(ledger.device)
    open_segments: dict[int, dict[str, Any]] = {}  # by size: the one that is being filled
    segments = []
    address = _FIRST_ADDRESS + ledger.device * _SPACE
    for number, size, requested in ledger.blocks():
        length = segment_size(size)
        segment = open_segments.get(length)
        if segment is None or segment["allocated_size"] + size > length:
            segment = {
                "device": ledger.device, "address": address, "total_size": length,
                "allocated_size": 0, "active_size": 0, "requested_size": 0, "stream": 0,
                "segment_type": "small" if length == 2 << 20 else "large",
                "segment_pool_id": _POOL, "is_expandable": False, "frames": [], "blocks": [],
            }  # fmt: skip
            address += length
            segments.append(segment)
            open_segments[length] = segment
        segment["blocks"].append({
            "address": segment["address"] + segment["allocated_size"],
            "size": size, "requested_size": requested, "state": "active_allocated",
            "frames": history.frames.get(number, []) if history is not None else [],
        })  # fmt: skip
        segment["allocated_size"] += size
        segment["active_size"] += size
        segment["requested_size"] += requested
    for segment in segments:
        if rest := segment["total_size"] - segment["allocated_size"]:
            segment["blocks"].append({
                "address": segment["address"] + segment["allocated_size"],
                "size": rest, "requested_size": 0, "state": "inactive", "frames": [],
            })  # fmt: skip
    return segments


def _snapshot(pool_and_traces: Any = None) -> dict[str, Any]:
    ledgers = runtime.ready().ledgers
    histories = (_histories.get(ledger.device) for ledger in ledgers)
    return {
        "segments": [segment for ledger in ledgers for segment in _segments(ledger)],
        "device_traces": [list(history.events) if history else [] for history in histories],
        "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": False},
        "external_annotations": [],
    }


def _record(
    enabled: str | None = "all",
    context: str | None = "all",
    stacks: str = "all",
    max_entries: int = sys.maxsize,
    clear_history: bool = False,
    *ignored: Any,
) -> None:
    if enabled not in (None, "state", "all"):
        raise RuntimeError("expected state to be 'state', 'all', or None")
    for ledger in runtime.ready().ledgers:
        if enabled is None:
            ledger.observer = None
            continue
        history = _histories.get(ledger.device)
        if history is None or history.ledger is not ledger or clear_history:
            history = _History(ledger, max_entries, enabled == "all", context is not None)
            _histories[ledger.device] = history
        ledger.observer = history


def _record_legacy(enabled: bool, record_context: bool = True, max_entries: int = 1,
                   *ignored: Any) -> None:  # fmt: skip
    _record("state" if enabled else None, "state" if record_context else None, "all", max_entries)


def patch(patches: Patches) -> None:
    """Give ``torch.cuda.memory`` its snapshots."""
    _histories.clear()
    patches.set(
        torch._C,
        _cuda_memorySnapshot=_snapshot,
        _cuda_record_memory_history=_record,
        _cuda_record_memory_history_legacy=_record_legacy,
    )
