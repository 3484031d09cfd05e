"""``torch.profiler``: measured times of operators, and modelled work of virtual GPUs.

The launch of a card's work is measured. Its delay after the launch and its duration are modelled.
Its name contains "modelled", in tables and in the file for a viewer. On a build without CUDA, the
profiler would print a C++ error for every operator if it recorded CUDA.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch._C._profiler import ProfilerState
from torch.autograd import DeviceType
from torch.autograd.profiler import profile
from torch.autograd.profiler_util import FunctionEvent
from torch.profiler import ProfilerActivity

from ... import runtime
from ...patches import Patches
from ...timing.clock import Clock, Lane
from .memory import MemoryRecorder

_supported = torch.autograd.profiler._supported_activities
_make = profile.__init__
_start, _stop = profile._start_trace, profile.__exit__
_parse, _export = profile._parse_kineto_results, profile.export_chrome_trace


@dataclass(frozen=True)
class _Work:
    """One operation of a card. ``launched``, ``begin``: ns since the epoch; ``length``: ns."""

    name: str
    card: int
    stream: int
    launched: int
    begin: int
    length: int


class _Recorder:
    """Records the work of the cards during a profile, and forwards it to an active trace."""

    def __init__(self, clock: Clock) -> None:
        self.work: list[_Work] = []
        self._clock, self._trace = clock, clock.trace
        self._ends: dict[Lane, int] = {}
        clock.trace = self

    def add(self, lane: Lane, engine: str, name: str, start: int, end: int) -> None:
        launched = time.time_ns()
        begin = max(launched + start - self._clock.host, self._ends.get(lane, 0))
        self._ends[lane] = begin + end - start
        at = lane.card.index, lane.stream, launched, begin, end - start
        self.work.append(_Work(f"{name} (modelled)", *at))
        if self._trace is not None:
            self._trace.add(lane, engine, name, start, end)

    def add_host(self, name: str, start: int, end: int) -> None:
        if self._trace is not None:
            self._trace.add_host(name, start, end)

    def add_collective(self, name: str) -> None:
        if self._trace is not None:
            self._trace.add_collective(name)

    def touch(self, lane: Lane, reads: Iterable[Tensor], writes: Iterable[Tensor]) -> None:
        if self._trace is not None:
            self._trace.touch(lane, reads, writes)

    def born(self, lane: Lane, tensor: Tensor) -> None:
        if self._trace is not None:
            self._trace.born(lane, tensor)

    def recorded(self, lane: Lane, tensor: Tensor) -> None:
        if self._trace is not None:
            self._trace.recorded(lane, tensor)

    def stop(self) -> None:
        if self._clock.trace is self:
            self._clock.trace = self._trace


def _supported_activities() -> set[ProfilerActivity]:
    warnings.warn(
        "torch.profiler measures this computer's CPU. It models the times of virtual GPUs.",
        stacklevel=2,
    )
    return {*_supported(), ProfilerActivity.CUDA}


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    """Use Kineto, because the older profiler would time kernels by C++ events."""
    _make(self, *args, **kwargs)
    if self.profiler_kind == ProfilerState.KINETO_GPU_FALLBACK:
        self.profiler_kind = ProfilerState.KINETO
        self.kineto_activities.add(ProfilerActivity.CUDA)


def _start_trace(self: Any) -> None:
    if self.use_device == "cuda" and runtime.current() is not None:
        state = runtime.ready()
        self._cards = _Recorder(state.clock)
        self._card_memory = MemoryRecorder(state.allocators) if self.profile_memory else None
    _start(self)


def _exit(self: Any, *error: Any) -> Any:
    stopped = _stop(self, *error)
    if (cards := _work_seen_by(self)) is not None:
        cards.stop()
        if self._card_memory is not None:
            self._card_memory.stop()
    return stopped


def _work_seen_by(profiler: Any) -> _Recorder | None:
    return vars(profiler).get("_cards")


def _callers(events: Iterable[FunctionEvent], moments: Iterable[float]) -> Iterator[Any]:
    """For each moment (µs, in order), the innermost function that ran then, or None."""
    ahead = sorted(events, key=lambda event: event.time_range.start, reverse=True)
    running: list[FunctionEvent] = []
    for moment in moments:
        while ahead and ahead[-1].time_range.start <= moment:
            running.append(ahead.pop())
        while running and running[-1].time_range.end < moment:
            running.pop()
        yield running[-1] if running else None


def _with_cards(self: Any, result: Any, *args: Any, **kwargs: Any) -> Any:
    """The events of a profile, with the cards' events below the functions that launched them."""
    events = _parse(self, result, *args, **kwargs)
    if (cards := _work_seen_by(self)) is None:
        return events
    origin = result.trace_start_ns()
    on_cpu = [e for e in events if e.device_type == DeviceType.CPU and not e.is_async]
    callers = _callers(on_cpu, ((work.launched - origin) / 1e3 for work in cards.work))
    unused = 1 + max((event.id for event in events), default=0)
    for number, (work, caller) in enumerate(zip(cards.work, callers, strict=True), unused):
        begin, length = (work.begin - origin) / 1e3, work.length / 1e3
        event = FunctionEvent(
            id=number,
            name=work.name,
            thread=0,
            start_us=begin,
            end_us=begin + length,
            stack=[],
            input_shapes=[],
            use_device="cuda",
            device_type=DeviceType.CUDA,
            device_index=work.card,
            device_resource_id=work.stream,
        )
        events.append(event)
        if caller is not None:
            caller.append_kernel(event.name, work.card, length)
    if self._card_memory is not None:
        events += self._card_memory.count(on_cpu, result.events(), origin)
    events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
    return events


def _export_with_cards(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
    """Write the file for a viewer, with a row for each stream of each card."""
    exported = _export(self, path, *args, **kwargs)
    cards = _work_seen_by(self)
    if cards is None or not cards.work:
        return exported
    file = Path(path)
    content = json.loads(file.read_text(encoding="utf-8"))
    origin = content.get("baseTimeNanoseconds", 0)
    rows = [
        {
            "ph": "M",
            "name": "process_name",
            "pid": card,
            "args": {"name": f"cuda:{card} (virtual, modelled)"},
        }
        for card in sorted({work.card for work in cards.work})
    ]
    pieces = [
        {
            "ph": "X",
            "cat": "kernel",
            "name": work.name,
            "pid": work.card,
            "tid": work.stream,
            "ts": (work.begin - origin) / 1e3,
            "dur": work.length / 1e3,
            "args": {"device": work.card, "stream": work.stream},
        }
        for work in cards.work
    ]
    content["traceEvents"] += [*rows, *pieces]
    file.write_text(json.dumps(content), encoding="utf-8")
    return exported


def patch(patches: Patches) -> None:
    """Make the profiler report CUDA as supported, and show the cards' work."""
    for module in (torch.autograd.profiler, torch.autograd):
        patches.set(module, _supported_activities=_supported_activities)
    patches.set(
        profile,
        __init__=_init,
        _start_trace=_start_trace,
        __exit__=_exit,
        _parse_kineto_results=_with_cards,
        export_chrome_trace=_export_with_cards,
    )
