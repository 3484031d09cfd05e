"""The virtual clock: when the host, the streams and the copy engines would be busy.

Values are computed at once, whatever the stream; this is only book-keeping of modelled time, in
whole nanoseconds. The host launches work in the order of the program. A piece of work starts when
it is launched, its stream is free and its engine is free; kernels of different streams run side by
side, copies of one direction queue up in that direction's copy engine. As in PyTorch, where side
streams are "non-blocking" ones, the default stream is a stream like any other.

The clock also keeps what the host and each stream know to be finished (``Lane.knows``), which is
what a hazard report compares with (``tracing``).
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

_WINDOW = 1_000_000_000  # ns over which utilization() looks back, NVML's longest sample period
_RESOLUTION = _WINDOW // 100
_KERNEL = costs.KERNEL  # found a little sooner here, by every kernel
_H2D, _D2H, _P2P = "H2D", "D2H", "P2P"
COMPUTE = "compute"

Knowledge = dict["Lane", int]


StreamIds = dict[int, int]
"""Card -> the number of its stream; 0, the default stream, where a card is missing."""

_MOST_CHANGES = 10_000  # of streams that are remembered; functions made before have no stream


class _CurrentStreams(threading.local):
    """The current streams of a thread.

    ``history`` tells which they were when autograd made a function: (the number of the first
    function made with them, the streams), in order. The default streams are left out.
    ``in_use``: whether any thread ever chose one.
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
            self.history.pop()  # no function was made meanwhile
        if chosen != (self.history[-1][1] if self.history else {}):
            self.history.append((number, chosen))
            del self.history[:-_MOST_CHANGES]


current_streams = _CurrentStreams()


class Lane:
    """One stream of one card, as the clock sees it.

    ``ready`` is when all its work is done, ``count`` how many pieces of work it was given while a
    trace was on, ``knows`` how many of those of other lanes it has waited for.
    """

    __slots__ = ("card", "count", "knows", "ready", "stream")

    def __init__(self, card: CardClock, stream: int) -> None:
        self.card = card
        self.stream = stream
        self.ready = 0
        self.count = 0
        self.knows: Knowledge = {}

    def wait(self, until: int, news: Knowledge) -> None:
        """Begin no further work before a moment, and know what ``news`` says."""
        self.ready = max(self.ready, until)
        learn(self.knows, news)

    def snapshot(self) -> Knowledge:
        """What whoever waits for this lane will know."""
        known = dict(self.knows)
        learn(known, self.card.clock.host_knows)  # the host gave the work after it knew this
        known[self] = self.count
        return known


def learn(known: Knowledge, news: Knowledge) -> None:
    """Add what ``news`` says to ``known``."""
    for lane, count in news.items():
        if count > known.get(lane, 0):
            known[lane] = count


class _Lanes(dict[int, Lane]):
    """The lanes of one card by stream number, made when first asked for."""

    def __init__(self, card: CardClock) -> None:
        self._card = card

    def __missing__(self, stream: int) -> Lane:
        lane = self[stream] = Lane(self._card, stream)
        return lane


class CardClock:
    """One card: its lanes, its copy engines, and how long it has been busy."""

    def __init__(self, clock: Clock, index: int, profile: DeviceProfile) -> None:
        self.clock = clock
        self.index = index
        self.lanes = _Lanes(self)
        self._default_lane = self.lanes[0]
        self._engines = {_H2D: 0, _D2H: 0, _P2P: 0}  # when each is free
        self._ns_per_flop = 1e9 / profile.peak_flops
        self._ns_per_byte = 1e9 / profile.memory_bandwidth
        self._ns_per_pinned_byte = 1e9 / profile.pinned_bandwidth
        self._ns_per_pageable_byte = 1e9 / profile.pageable_bandwidth
        self._cycles_per_ns = profile.clock / 1e3
        # Time in which at least one kernel ran, and what that sum was when some kernels began.
        self._busy = self._busy_until = self._next_mark = 0
        self._marks: deque[tuple[int, int]] = deque([(0, 0)], maxlen=_WINDOW // _RESOLUTION + 2)

    @property
    def lane(self) -> Lane:
        """The lane of the calling thread's current stream."""
        if _CurrentStreams.in_use:  # what a thread has of its own takes long to find
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
        """Copy from the host. From pageable memory, or blocking, the host waits."""
        self._host_copy(_H2D, nbytes, pinned, non_blocking)

    def copy_out(self, nbytes: int, pinned: bool, non_blocking: bool) -> None:
        """Copy to the host. To pageable memory, or blocking, the host waits."""
        self._host_copy(_D2H, nbytes, pinned, non_blocking)

    def _host_copy(self, engine: str, nbytes: int, pinned: bool, non_blocking: bool) -> None:
        rate = self._ns_per_pinned_byte if pinned else self._ns_per_pageable_byte
        lane = self.lane
        name = f"{engine} {'pinned' if pinned else 'pageable'}"
        self._engine_work(engine, name, int(nbytes * rate), [lane])
        if not (pinned and non_blocking):
            self.clock.wait_for(lane)

    def copy_to(self, other: CardClock, nbytes: int) -> None:
        """Copy to another card over PCIe. Both current streams take part, the host does not."""
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
        """Let the host wait for all streams of this card."""
        for lane in list(self.lanes.values()):
            self.clock.wait_for(lane)

    def utilization(self) -> int:
        """Percent of the last second in which a kernel ran.

        The second ends now, or where work is still queued, when that will be done. Before the
        clock started, the card was idle.
        """
        since = max(self.clock.host, self._busy_until) - _WINDOW
        before = 0
        for (begin, busy), (_, most) in pairwise([*self._marks, (0, self._busy)]):
            if begin <= since:  # busy from then on, or until all work of this mark was done
                before = min(busy + since - begin, most)
        return round(100 * (self._busy - before) / _WINDOW)


class Record(Protocol):
    """Who is told of all work while a trace is on (``tracing``). Times are ns."""

    def add(self, lane: Lane, engine: str, name: str, start: int, end: int) -> None:
        """Take note of a piece of work of a card."""

    def add_host(self, name: str, start: int, end: int) -> None:
        """Take note of a time in which the host works or waits."""

    def touch(self, lane: Lane, reads: Iterable[Tensor], writes: Iterable[Tensor]) -> None:
        """Take note of the memory that the work just added uses."""

    def born(self, lane: Lane, tensor: Tensor) -> None:
        """Take note of memory that was made for a lane."""

    def recorded(self, lane: Lane, tensor: Tensor) -> None:
        """Take note of a ``record_stream``."""


class Deferral(Protocol):
    """Who runs work late while ``races`` are on (``racing``)."""

    def reached(self, news: Knowledge) -> None:
        """Run what the host knows to be done."""

    def at_once(
        self, name: str, tensors: Iterable[Tensor] | None = None
    ) -> AbstractContextManager[None]:
        """A block around what cannot be deferred."""


class Clock:
    """The time of one virtual machine. ``host`` is the host's own time, in ns since the start."""

    def __init__(self, profiles: Sequence[DeviceProfile]) -> None:
        self.host = 0
        self.launch = costs.LAUNCH  # what every kernel and copy costs the host
        self.host_knows: Knowledge = {}
        self.trace: Record | None = None
        self.deferral: Deferral | None = None
        # What copies to the host will do when the host learns that they are done, and when that is
        # the case; None where their values are there at once.
        self.arrivals: list[tuple[int, Callable[[], None]]] | None = None
        self.cards = tuple(CardClock(self, i, profile) for i, profile in enumerate(profiles))

    def __repr__(self) -> str:
        return f"<virtual clock: {self.now():.1f} µs modelled>"

    def now(self) -> float:
        """The host's modelled time in µs since CUDA was first used."""
        return self.host / 1e3

    def work(self, duration: float, name: str = "host work") -> None:
        """Let the host be busy for ``duration`` µs, as with loading or preparing a batch."""
        if duration < 0:
            raise ValueError(f"duration={duration!r} is negative; give microseconds.")
        start = self.host
        self.host += round(duration * 1e3)
        if self.trace is not None:
            self.trace.add_host(name, start, self.host)

    @contextmanager
    def one_launch(self) -> Iterator[None]:
        """All work inside costs the host one launch together, as the replay of a graph."""
        self.host += self.launch
        self.launch = 0
        try:
            yield
        finally:
            self.launch = costs.LAUNCH

    def wait(self, until: int, news: Knowledge, name: str = "wait") -> None:
        """Let the host wait for a moment, after which it knows what ``news`` says."""
        if until > self.host:
            if self.trace is not None:
                self.trace.add_host(name, self.host, until)
            self.host = until
        self._learn(news)

    def _learn(self, news: Knowledge) -> None:
        """What the host knows to be done now is done now, however late it was to be."""
        learn(self.host_knows, news)
        if self.deferral is not None:
            self.deferral.reached(news)
        self.let_arrive(self.host)

    def let_arrive(self, moment: int) -> None:
        """Let the values of all copies be there that are done at a moment."""
        if self.arrivals:
            due = [arrive for end, arrive in self.arrivals if end <= moment]
            self.arrivals = [entry for entry in self.arrivals if entry[0] > moment]
            for arrive in due:
                arrive()

    def at_once(
        self, name: str, tensors: Iterable[Tensor] | None = None
    ) -> AbstractContextManager[None]:
        """Around what uses memory of cards past the kernels that can be deferred."""
        if self.deferral is None:
            return nullcontext()
        return self.deferral.at_once(name, tensors)

    def wait_for(self, lane: Lane) -> None:
        """Let the host wait until all work of a lane is done."""
        if capturing.ongoing is not None:
            capturing.forbid_waiting(lane)
        self.wait(lane.ready, lane.snapshot())

    def look(self, moment: int, news: Knowledge) -> bool:
        """Whether a moment has passed: what ``query()`` of streams and events answers."""
        self.host += costs.QUERY
        if self.host < moment:
            return False
        self._learn(news)
        return True

    def synchronize(self) -> None:
        """Let the host wait for all cards."""
        for card in self.cards:
            card.synchronize()

    def utilization(self, index: int) -> int:
        """Percent of the last second in which a kernel ran on ``cuda:index``."""
        return self.cards[index].utilization()
