"""The virtual clock: the modelled times in which host, streams and copy engines are busy.

Values are computed at once on any stream. The clock only counts modelled time, in whole
nanoseconds. The host launches work in the order of the program. Work starts when it is launched,
and its stream and its engine are free. Kernels of different streams run at the same time; copies in
one direction wait for that direction's copy engine. As in PyTorch, whose side streams are
"non-blocking", the default stream is a stream like any other.

The clock also stores which work the host and each stream have waited for (``Lane.knows``). Hazard
reports use this (``tracing``).
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from typing import ClassVar, Protocol

import torch
from torch import Tensor

from .. import capturing
from ..hardware.profiles import DeviceProfile
from . import costs

_WINDOW = 1_000_000_000  # ns covered by utilization(): NVML's longest sample period
_RESOLUTION = _WINDOW // 100
_KERNEL = costs.KERNEL  # a faster lookup, for every kernel
_H2D, _D2H, _P2P = "H2D", "D2H", "P2P"
COMPUTE = "compute"

Knowledge = dict["Lane", int]


StreamIds = dict[int, int]
"""Card -> the number of its stream; for a missing card, 0 (the default stream)."""

_MOST_CHANGES = 10_000  # stored changes of streams; older functions have no stream


class _CurrentStreams(threading.local):
    """The current streams of a thread.

    ``history``: the streams that were current when autograd made a function, as pairs (number of
    the first function made with them, the streams) in order. Default streams are left out.
    ``in_use``: whether any thread ever selected a stream.
    """

    in_use: ClassVar[bool] = False

    def __init__(self) -> None:
        self.ids: StreamIds = {}
        self.history: list[tuple[int, StreamIds]] = []

    def select(self, card: int, stream: int) -> None:
        """Make a stream the current one of its card."""
        _CurrentStreams.in_use = True
        self.ids[card] = stream
        chosen = {card: number for card, number in self.ids.items() if number}
        number = torch.autograd._get_sequence_nr()
        if self.history and self.history[-1][0] == number:
            self.history.pop()  # no function was made since then
        if chosen != (self.history[-1][1] if self.history else {}):
            self.history.append((number, chosen))
            del self.history[:-_MOST_CHANGES]


current_streams = _CurrentStreams()


class Lane:
    """The clock's data of one stream of one card.

    ``ready`` is the time (ns) when all its work is done, ``count`` the number of its operations
    while a trace was on, ``knows`` the number of other lanes' operations that it has waited for.
    """

    __slots__ = ("card", "count", "knows", "ready", "stream")

    def __init__(self, card: CardClock, stream: int) -> None:
        self.card = card
        self.stream = stream
        self.ready = 0
        self.count = 0
        self.knows: Knowledge = {}

    def wait(self, until: int, news: Knowledge) -> None:
        """Start no later work before a time (ns), and add ``news`` to the known work."""
        self.ready = max(self.ready, until)
        learn(self.knows, news)

    def snapshot(self) -> Knowledge:
        """The work that is done after a wait for this lane."""
        known = dict(self.knows)
        learn(known, self.card.clock.host_knows)  # the host launched the work after this
        known[self] = self.count
        return known


def learn(known: Knowledge, news: Knowledge) -> None:
    """Add ``news`` to ``known``."""
    for lane, count in news.items():
        if count > known.get(lane, 0):
            known[lane] = count


class _Lanes(dict[int, Lane]):
    """Stream number -> lane of one card, made at the first use."""

    def __init__(self, card: CardClock) -> None:
        self._card = card

    def __missing__(self, stream: int) -> Lane:
        lane = self[stream] = Lane(self._card, stream)
        return lane


class CardClock:
    """The clock of one card: its lanes, its copy engines, and its busy time."""

    def __init__(self, clock: Clock, index: int, profile: DeviceProfile) -> None:
        self.clock = clock
        self.index = index
        self.lanes = _Lanes(self)
        self._default_lane = self.lanes[0]
        self._engines = {_H2D: 0, _D2H: 0, _P2P: 0}  # the time when each is free
        self._ns_per_flop = 1e9 / profile.peak_flops
        self._ns_per_byte = 1e9 / profile.memory_bandwidth
        self._ns_per_pinned_byte = 1e9 / profile.pinned_bandwidth
        self._ns_per_pageable_byte = 1e9 / profile.pageable_bandwidth
        self._cycles_per_ns = profile.clock / 1e3
        # Time in which at least one kernel ran, and marks of this sum at the start of some kernels.
        self._busy = self._busy_until = self._next_mark = 0
        self._marks: deque[tuple[int, int]] = deque([(0, 0)], maxlen=_WINDOW // _RESOLUTION + 2)

    @property
    def lane(self) -> Lane:
        """The lane of the calling thread's current stream."""
        if _CurrentStreams.in_use:  # thread-local lookups are slow
            return self.lanes[current_streams.ids.get(self.index, 0)]
        return self._default_lane

    def kernel(self, name: str, nbytes: int, flops: int = 0) -> None:
        """Launch a kernel that moves ``nbytes`` and computes ``flops`` on the current stream."""
        flow = nbytes * self._ns_per_byte
        if flops and (computing := flops * self._ns_per_flop) > flow:
            flow = computing
        clock = self.clock
        clock.host = start = clock.host + clock.launch
        lane = self.lane if _CurrentStreams.in_use else self._default_lane
        if lane.ready > start:
            start = lane.ready
        lane.ready = end = start + int(flow) + _KERNEL
        until = self._busy_until
        if end > until:
            begin = start if start > until else until
            if end > self._next_mark:
                self._marks.append((begin, self._busy))
                self._next_mark = end + _RESOLUTION
            self._busy += end - begin
            self._busy_until = end
        if clock.trace is not None:
            clock.trace.add(lane, COMPUTE, name, start, end)

    def sleep(self, cycles: int) -> None:
        """Keep the current stream busy for a number of cycles: ``torch.cuda._sleep``."""
        self.kernel("sleep", int(cycles / self._cycles_per_ns / self._ns_per_byte))

    def copy_in(self, nbytes: int, pinned: bool, non_blocking: bool) -> None:
        """Copy from the host, which waits if the copy is blocking or the memory is pageable."""
        self._host_copy(_H2D, nbytes, pinned, non_blocking)

    def copy_out(self, nbytes: int, pinned: bool, non_blocking: bool) -> None:
        """Copy to the host, which waits if the copy is blocking or the memory is pageable."""
        self._host_copy(_D2H, nbytes, pinned, non_blocking)

    def _host_copy(self, engine: str, nbytes: int, pinned: bool, non_blocking: bool) -> None:
        rate = self._ns_per_pinned_byte if pinned else self._ns_per_pageable_byte
        lane = self.lane
        name = f"{engine} {'pinned' if pinned else 'pageable'}"
        self._engine_work(engine, name, int(nbytes * rate), [lane])
        if not (pinned and non_blocking):
            self.clock.wait_for(lane)

    def copy_to(self, other: CardClock, nbytes: int) -> None:
        """Copy to another card over PCIe, on both current streams. The host does not wait."""
        rate = max(self._ns_per_pinned_byte, other._ns_per_pinned_byte)
        source, target = self.lane, other.lane
        learn(source.knows, target.snapshot())
        name = f"P2P to cuda:{other.index}"
        self._engine_work(_P2P, name, int(nbytes * rate), [source, target])
        learn(target.knows, source.snapshot())

    def _engine_work(self, engine: str, name: str, flow: int, lanes: Sequence[Lane]) -> None:
        clock = self.clock
        clock.host += clock.launch
        start = max(clock.host, self._engines[engine], *(lane.ready for lane in lanes))
        end = self._engines[engine] = start + costs.COPY_LATENCY + flow
        for lane in lanes:
            lane.ready = end
        if clock.trace is not None:
            clock.trace.add(lanes[0], engine, name, start, end)

    def synchronize(self) -> None:
        """Make the host wait for all streams of this card."""
        for lane in list(self.lanes.values()):
            self.clock.wait_for(lane)

    def utilization(self) -> int:
        """The percentage of the last second in which a kernel ran.

        The second ends now or, if work is still queued, when this work will be done. Before the
        clock started, the card was idle.
        """
        since = max(self.clock.host, self._busy_until) - _WINDOW
        before = 0
        for (begin, busy), (_, most) in pairwise([*self._marks, (0, self._busy)]):
            if begin <= since:  # busy from then on, or until all work of this mark was done
                before = min(busy + since - begin, most)
        return round(100 * (self._busy - before) / _WINDOW)


class Record(Protocol):
    """The recorder of all work while a trace is on (``tracing``). Times are ns."""

    def add(self, lane: Lane, engine: str, name: str, start: int, end: int) -> None:
        """Record an operation of a card."""

    def add_host(self, name: str, start: int, end: int) -> None:
        """Record a time in which the host works or waits."""

    def add_collective(self, name: str) -> None:
        """Record that this process calls a collective."""

    def touch(self, lane: Lane, reads: Iterable[Tensor], writes: Iterable[Tensor]) -> None:
        """Record the memory that the last added operation uses."""

    def born(self, lane: Lane, tensor: Tensor) -> None:
        """Record new memory for a lane."""

    def recorded(self, lane: Lane, tensor: Tensor) -> None:
        """Record a ``record_stream``."""


class Deferral(Protocol):
    """The scheduler of late work while ``races`` are on (``racing``)."""

    def reached(self, news: Knowledge) -> None:
        """Run the work that the host knows to be done."""

    def at_once(
        self, name: str, tensors: Iterable[Tensor] | None = None
    ) -> AbstractContextManager[None]:
        """A context manager for operators that cannot be deferred."""


class Clock:
    """The time of one virtual machine. ``host`` is the host's own time, in ns since the start."""

    def __init__(self, profiles: Sequence[DeviceProfile]) -> None:
        self.host = 0
        self.launch = costs.LAUNCH  # the host's time for each kernel and copy
        self.host_knows: Knowledge = {}
        self.trace: Record | None = None
        self.deferral: Deferral | None = None
        # Late copies to the host: the time when each is done, and the function that writes its
        # values when the host knows this. None: copies write their values at once.
        self.arrivals: list[tuple[int, Callable[[], None]]] | None = None
        self.cards = tuple(CardClock(self, i, profile) for i, profile in enumerate(profiles))

    def __repr__(self) -> str:
        return f"<virtual clock: {self.now():.1f} µs modelled>"

    def now(self) -> float:
        """The host's modelled time in µs since CUDA was first used."""
        return self.host / 1e3

    def work(self, duration: float, name: str = "host work") -> None:
        """Keep the host busy for ``duration`` µs, for example for loading a batch."""
        if duration < 0:
            raise ValueError(f"duration={duration!r} is negative. Pass microseconds.")
        start = self.host
        self.host += round(duration * 1e3)
        if self.trace is not None:
            self.trace.add_host(name, start, self.host)

    @contextmanager
    def one_launch(self) -> Iterator[None]:
        """Charge the host one launch for all work within the block, as for a graph's replay."""
        self.host += self.launch
        self.launch = 0
        try:
            yield
        finally:
            self.launch = costs.LAUNCH

    def wait(self, until: int, news: Knowledge, name: str = "wait") -> None:
        """Make the host wait until a time (ns), and add ``news`` to its known work."""
        if until > self.host:
            if self.trace is not None:
                self.trace.add_host(name, self.host, until)
            self.host = until
        self._learn(news)

    def _learn(self, news: Knowledge) -> None:
        """Add ``news`` to the host's known work, which runs now even if it was late."""
        learn(self.host_knows, news)
        if self.deferral is not None:
            self.deferral.reached(news)
        self.let_arrive(self.host)

    def let_arrive(self, moment: int) -> None:
        """Write the values of all copies that are done at a time (ns)."""
        if self.arrivals:
            due = [arrive for end, arrive in self.arrivals if end <= moment]
            self.arrivals = [entry for entry in self.arrivals if entry[0] > moment]
            for arrive in due:
                arrive()

    def at_once(
        self, name: str, tensors: Iterable[Tensor] | None = None
    ) -> AbstractContextManager[None]:
        """A context manager for code that uses memory of cards without deferrable kernels."""
        if self.deferral is None:
            return nullcontext()
        return self.deferral.at_once(name, tensors)

    def wait_for(self, lane: Lane) -> None:
        """Make the host wait until all work of a lane is done."""
        if capturing.ongoing is not None:
            capturing.forbid_waiting(lane)
        self.wait(lane.ready, lane.snapshot())

    def look(self, moment: int, news: Knowledge) -> bool:
        """Whether a time (ns) has passed, for ``query()`` of streams and events."""
        self.host += costs.QUERY
        if self.host < moment:
            return False
        self._learn(news)
        return True

    def synchronize(self) -> None:
        """Make the host wait for all cards."""
        for card in self.cards:
            card.synchronize()

    def utilization(self, index: int) -> int:
        """The percentage of the last second in which a kernel ran on ``cuda:index``."""
        return self.cards[index].utilization()
