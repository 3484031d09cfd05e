"""A record of kernels, copies and waits in modelled time.

    with virtual_cuda.trace() as trace:
        step()
    print(trace)          # a table
    trace.draw()          # a timeline
    trace.hazards         # results used by a stream that did not wait for them
    trace.early_frees     # memory freed while another stream uses it
    trace.collectives     # calls of collectives by this rank, in order

Times are µs since the trace began, from the virtual clock. They are modelled, never measured.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, UntypedStorage
from torch.utils._python_dispatch import TorchDispatchMode

from . import runtime
from .cards import close_to_all
from .patches import Patches
from .timeline import draw
from .timing.clock import COMPUTE, Clock, Lane
from .timing.interval import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Span = tuple[float, float]
_HOST = "host"
_LOOKS = ("numpy", "tolist")
_SHOWN_ROWS = 40


@dataclass(frozen=True)
class Hazard:
    """Two operations on the same memory without a defined order.

    ``second`` was launched later, but does not wait for ``first``: on a real GPU its result is a
    matter of chance. ``in_time``: whether they also overlap in modelled time.
    """

    kind: str
    first: Interval
    second: Interval
    in_time: bool

    def __str__(self) -> str:
        where = [
            "the host" if work.device is None else f"stream {work.stream} of cuda:{work.device}"
            for work in (self.first, self.second)
        ]
        return (
            f"{self.kind}: {self.second.name!r} on {where[1]} does not wait for "
            f"{self.first.name!r} on {where[0]}"
        )


@dataclass(frozen=True)
class _Use:
    """An operation that used some memory, and its number in its lane."""

    lane: Lane
    count: int
    work: Interval
    writes: bool


@dataclass
class _Owner:
    """Memory allocated during a trace: its lane and its uses.

    ``uses``: lane → its last use. ``recorded``: the lanes named by ``record_stream``.
    """

    lane: Lane
    uses: dict[Lane, _Use] = field(default_factory=dict)
    recorded: set[Lane] = field(default_factory=set)


class Trace:
    """The record of one ``trace()``."""

    def __init__(self, clock: Clock) -> None:
        self.intervals: list[Interval] = []
        self.host: list[Interval] = []
        self.hazards: list[Hazard] = []
        self.early_frees: list[Hazard] = []  # a ``record_stream`` is missing
        self.collectives: list[Interval] = []  # in the order of their calls, without a duration
        self._clock = clock
        self._origin = clock.host
        self._finish: int | None = None
        # Memory -> its last write and the later uses. Entries are removed with the memory.
        self._uses: weakref.WeakKeyDictionary[UntypedStorage, list[_Use]] = (
            weakref.WeakKeyDictionary()
        )
        self._owners: weakref.WeakKeyDictionary[UntypedStorage, _Owner] = (
            weakref.WeakKeyDictionary()
        )

    # Called by the clock and the kernels.

    def add(self, lane: Lane, engine: str, name: str, start: int, end: int) -> None:
        """Record an operation of a card (times of the clock, ns)."""
        lane.count += 1
        times = self._since_origin(start), self._since_origin(end)
        self.intervals.append(Interval(lane.card.index, lane.stream, engine, name, *times))

    def add_host(self, name: str, start: int, end: int) -> None:
        """Record a time in which the host worked or waited (ns)."""
        times = self._since_origin(start), self._since_origin(end)
        self.host.append(Interval(None, None, _HOST, name, *times))

    def add_collective(self, name: str) -> None:
        """Record that this rank calls a collective now. The time of an exchange is not modelled."""
        now = self._since_origin(self._clock.host)
        self.collectives.append(Interval(None, None, _HOST, name, now, now))

    def touch(self, lane: Lane, reads: Iterable[Tensor], writes: Iterable[Tensor]) -> None:
        """Record the memory that the last added operation of a lane used."""
        work = self.intervals[-1]
        written = {tensor.untyped_storage() for tensor in writes if _is_plain(tensor)}
        read = {tensor.untyped_storage() for tensor in reads if _is_plain(tensor)} - written
        for storages, is_write in ((read, False), (written, True)):
            for storage in storages:
                use = _Use(lane, lane.count, work, is_write)
                self._compare(self._uses.get(storage, ()), work, is_write, lane)
                if (owner := self._owners.get(storage)) is not None:
                    owner.uses[lane] = use
                if is_write:
                    self._uses[storage] = [use]
                else:
                    self._uses.setdefault(storage, []).append(use)

    def born(self, lane: Lane, tensor: Tensor) -> None:
        """Record the lane for which a tensor was made, and which gets its freed memory."""
        storage = tensor.untyped_storage()
        owner = self._owners[storage] = _Owner(lane)
        weakref.finalize(storage, self._given_back, owner).atexit = False

    def recorded(self, lane: Lane, tensor: Tensor) -> None:
        """Record that the memory of a tensor is freed after the work of one more lane."""
        if (owner := self._owners.get(tensor.untyped_storage())) is not None:
            owner.recorded.add(lane)

    def _given_back(self, owner: _Owner) -> None:
        """Check freed memory: its lane may reuse it at once, without a wait for other lanes.

        In a backward pass CUDA's own engine records the streams of gradients.
        """
        if self._finish is not None or torch._C._current_graph_task_id() >= 0:
            return
        known = owner.lane.snapshot()
        now = self._since_origin(self._clock.host)
        free = Interval(owner.lane.card.index, owner.lane.stream, COMPUTE, "free", now, now)
        for lane, use in owner.uses.items():
            waited = lane is owner.lane or known.get(lane, 0) >= use.count
            if not waited and lane not in owner.recorded:
                kind = "freed while it is used, without record_stream"
                self.early_frees.append(Hazard(kind, use.work, free, use.work.end > now))

    def host_uses(self, name: str, reads: Iterable[Tensor], writes: Iterable[Tensor]) -> None:
        """Record the host memory that the host uses now."""
        now = self._since_origin(self._clock.host)
        work = Interval(None, None, _HOST, name, now, now)
        for tensors, is_write in ((reads, False), (writes, True)):
            for tensor in tensors:
                if _is_plain(tensor) and (uses := self._uses.get(tensor.untyped_storage())):
                    self._compare(uses, work, is_write, None)

    def _compare(
        self, uses: Sequence[_Use], work: Interval, is_write: bool, lane: Lane | None
    ) -> None:
        known = self._clock.host_knows if lane is None else lane.snapshot()
        for use in uses:
            if use.lane is lane or not (use.writes or is_write):
                continue
            if known.get(use.lane, 0) < use.count:
                kind = {
                    (True, False): "read before it is written",
                    (True, True): "written twice in any order",
                    (False, True): "overwritten while it is read",
                }[use.writes, is_write]
                self.hazards.append(Hazard(kind, use.work, work, use.work.end > work.start))

    def _since_origin(self, moment: int) -> float:
        return (moment - self._origin) / 1e3

    # Called by the user of a trace.

    @property
    def end(self) -> float:
        """The time when all work is done, including the host's (µs)."""
        host = self._since_origin(self._clock.host if self._finish is None else self._finish)
        return max([host, *(work.end for work in self.intervals)])

    def busy(self, device: int = 0, engine: str = COMPUTE) -> float:
        """The time in which an engine of a card works (µs)."""
        return _length(self._spans(device, engine))

    def gaps(self, device: int = 0, engine: str = COMPUTE) -> list[Span]:
        """The idle times of an engine between its first and its last operation."""
        spans = self._spans(device, engine)
        return [(first[1], second[0]) for first, second in pairwise(spans)]

    def overlap(self, device: int = 0, first: str = "H2D", second: str = COMPUTE) -> float:
        """The time in which two engines of a card work at the same time (µs)."""
        a, b = self._spans(device, first), self._spans(device, second)
        return _length(a) + _length(b) - _length(_union([*a, *b]))

    def _spans(self, device: int, engine: str) -> list[Span]:
        return _union(
            (work.start, work.end)
            for work in self.intervals
            if (work.device, work.engine) == (device, engine)
        )

    def __repr__(self) -> str:
        lines = [f"Trace, modelled time: {self.end:.1f} µs, {len(self.intervals)} pieces of work"]
        lines.append(f"{'start µs':>10} {'end µs':>10}  {'where':22} what")
        every = [*self.intervals, *self.host, *self.collectives]
        rows = sorted(every, key=attrgetter("start", "end"))
        for work in rows[:_SHOWN_ROWS]:
            where = (
                _HOST
                if work.device is None
                else f"cuda:{work.device} stream {work.stream} {work.engine}"
            )
            lines.append(f"{work.start:10.1f} {work.end:10.1f}  {where:22} {work.name}")
        if len(rows) > _SHOWN_ROWS:
            lines.append(f"… and {len(rows) - _SHOWN_ROWS} more")
        lines += [f"hazard: {hazard}" for hazard in (*self.hazards, *self.early_frees)]
        return "\n".join(lines)

    def draw(self) -> Figure:
        """The timeline as a matplotlib figure."""
        return draw(self.host, self.intervals, self.end)


def _is_plain(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and tensor.layout is torch.strided and bool(tensor.numel())


def _union(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _length(spans: Iterable[Span]) -> float:
    return sum(end - start for start, end in spans)


class _HostWatch(TorchDispatchMode):
    """Records operators of the CPU, for hazards with copies that still use the memory."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given = zip(func._schema.arguments, args, strict=False)
        each = ((a, v) for a, many in given for v in (many if isinstance(many, list) else [many]))
        tensors = [(a, v) for a, v in each if isinstance(v, Tensor)]
        if tensors and not func.is_view and all(v.device.type == "cpu" for _, v in tensors):
            written = [v for a, v in tensors if a.alias_info is not None and a.alias_info.is_write]
            read = [v for _, v in tensors if not any(v is w for w in written)]
            # A call that copies to a card leaves the memory to the copy engine.
            if torch.device(kwargs.get("device") or "cpu").type != "cuda":
                self._trace.host_uses(func._schema.name.split("::")[1], read, written)
        return func(*args, **kwargs)


def _watched(name: str, record: Trace) -> Callable[..., Any]:
    """A recorded method of tensors that returns values to Python without an operator."""
    method = getattr(Tensor, name)

    @functools.wraps(method)
    def look(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if not self.is_cuda:
            record.host_uses(name, [self], [])
        return method(self, *args, **kwargs)

    return look


@contextmanager
def trace() -> Iterator[Trace]:
    """Record all modelled work of the block, which begins with idle cards (synchronised).

    Raises RuntimeError inside another trace, and if virtual CUDA is off.
    """
    runtime.switched_on()
    clock = runtime.started().clock
    if clock.trace is not None:
        raise RuntimeError("A trace is already on. Leave its `with` block first.")
    clock.synchronize()
    record = clock.trace = Trace(clock)
    close_to_all()
    patches = Patches()
    try:
        for name in _LOOKS:
            patches.set(Tensor, **{name: _watched(name, record)})
        with _HostWatch(record):
            yield record
    finally:
        patches.restore()
        clock.trace = None
        record._finish = clock.host


@contextmanager
def stale_copies() -> Iterator[None]:
    """Delay non-blocking copies to pinned memory within the block, until the host waits for them.

    Until then the host sees the old content; in memory allocated by the copy itself, bytes of 0xFF
    (NaN, -1). On a real GPU a program that forgets to wait can see either. The host waits with
    ``synchronize()``, with a ``query()`` that returns True, or with any blocking copy that ends
    later. At the end of the block all copies arrive.

    Raises RuntimeError inside another such block or ``races``, and if virtual CUDA is off.
    """
    machine = clock()
    if machine.arrivals is not None or machine.deferral is not None:
        raise RuntimeError("Copies are late already. Leave that `with` block first.")
    machine.arrivals = []
    try:
        yield
    finally:
        machine.synchronize()
        machine.arrivals = None


def clock() -> Clock:
    """The clock of the virtual machine that is on: ``now()``, ``work(µs)``, ``synchronize()``.

    Raises RuntimeError if virtual CUDA is off.
    """
    runtime.switched_on()
    return runtime.started().clock


def now() -> float:
    """The host's modelled time in µs since CUDA was first used."""
    return clock().now()
