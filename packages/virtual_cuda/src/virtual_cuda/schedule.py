"""The queues of all streams while ``races`` are on, and who runs next (``racing``).

Nothing runs before the host waits for it, or has queued more than CUDA would. Then the streams go
by an order that is drawn anew each time: the first one whose next piece of work may run, runs it.
With ``late``, nothing is drawn: all work runs when it is launched, but for one piece and what waits
for that.
"""

from __future__ import annotations

import random
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType

import torch
from torch import Tensor
from torch.utils._python_dispatch import _disable_current_modes

from . import runtime
from .memory.arenas import UNCOUNTED, Route, this_thread
from .memory.shadows import Block, Shadows, Suspect, storage_of
from .random import CudaGenerator, State, drawing_from
from .retag import bytes_of, cpu_alias, is_lazy
from .timing.clock import Clock, Knowledge, Lane

_MOST_PENDING = 1024  # as many as CUDA queues before the host waits for room
_NOT_THE_PROGRAM = {"torch", "virtual_cuda", "contextlib"}


@dataclass(frozen=True)
class Race:
    """Work that ran before other work although that was given first, and what came of it.

    ``late`` is the number of the work that came late, among all that was launched.
    """

    late: int
    titles: tuple[str, str]
    seen: str

    def __str__(self) -> str:
        first, second = self.titles
        return f"{first} came late: {second} did not wait for it. {self.seen}"


@dataclass
class RaceReport:
    """What one ``races`` found. ``at_once``: how often operators ran that cannot be deferred."""

    seed: int
    late: int | None = None
    races: list[Race] = field(default_factory=list)
    at_once: Counter[str] = field(default_factory=Counter)
    deferred: int = 0

    def __str__(self) -> str:
        order = f"seed {self.seed}" if self.late is None else f"late {self.late}"
        lines = [f"races, {order}: {race}" for race in self.races]
        if not lines:
            lines = [f"races, {order}: as in eager execution, {self.deferred} deferred"]
        if self.races and self.late is None:
            alone = " or ".join(f"late={late}" for late in {race.late: None for race in self.races})
            lines.append(f"the shortest schedule that shows it, one piece of work late: {alone}")
        if self.at_once:
            names = ", ".join(f"{name} {count} ×" for name, count in self.at_once.items())
            lines.append(f"run at once, since they cannot be deferred: {names}")
        return "\n".join(lines)


@dataclass(eq=False, repr=False)
class Work:
    """A piece of work in the queue of its stream.

    ``number`` is its place there, ``order`` its place among all work, ``after`` what it waits for.
    ``run`` may answer what of the host's did not wait for it.
    """

    lane: Lane
    number: int
    order: int
    after: Knowledge
    title: str
    run: Callable[[], str | None]
    states: dict[CudaGenerator, State]
    blocks: dict[Block, bool]  # whether they are written
    suspect: Suspect | None = None

    @property
    def where(self) -> str:
        """The stream, in words."""
        return f"stream {self.lane.stream} of cuda:{self.lane.card.index}"


def program_line() -> str:
    """Where the program is now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _NOT_THE_PROGRAM:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "no line of Python"


class _Here(threading.local):
    """Whether this thread is inside of an operator, whose own calls are a part of it."""

    inside = False


class Schedule:
    """The queues of all streams, the second memory, and who runs next."""

    def __init__(self, seed: int, late: int | None, clock: Clock) -> None:
        self.report = RaceReport(seed, late)
        self.shadows = Shadows()
        self.lock = threading.RLock()
        self.arriving: dict[int, Knowledge] = {}  # memory of the host, and what will write it
        self._clock = clock
        self._random = random.Random(seed)
        self._late = late
        self._queues: dict[Lane, deque[Work]] = {}
        self._pending = 0
        self._here = _Here()
        self.is_running = False

    @property
    def is_inside(self) -> bool:
        """Whether this thread is inside of an operator."""
        return self._here.inside

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Within the block, operators of this thread do only what eager execution does."""
        before, self._here.inside = self._here.inside, True
        try:
            yield
        finally:
            self._here.inside = before

    def add(
        self,
        lane: Lane,
        number: int,
        name: str,
        run: Callable[[], str | None],
        blocks: dict[Block, bool],
        states: dict[CudaGenerator, State] | None = None,
    ) -> Work:
        """Queue work that has just been launched; the host may know already that it is done."""
        self.report.deferred += 1
        after = {other: count for other, count in lane.knows.items() if other is not lane}
        title = f'"{name}" on stream {lane.stream} of cuda:{lane.card.index} ({program_line()})'
        work = Work(lane, number, self.report.deferred, after, title, run, states or {}, blocks)
        for block, writes in blocks.items():
            block.users[work] = writes
        self._queues.setdefault(lane, deque()).append(work)
        self._pending += 1
        self.reached({lane: self._clock.host_knows.get(lane, 0)})
        if self._late is not None:
            self._run(lambda: all(self._lateness(queue)[0] for queue in self._ready(self._queues)))
        if self._pending > _MOST_PENDING:
            self._run(lambda: self._pending <= _MOST_PENDING)
        return work

    def reached(self, news: Knowledge) -> None:
        """Run what the host knows to be done now, and before it what the seed says."""
        with self.lock:
            if not self.is_running:
                self._run(lambda: not any(self._lacks(*entry) for entry in news.items()))

    def _lacks(self, lane: Lane, count: int) -> bool:
        queue = self._queues.get(lane)
        return queue is not None and len(queue) > 0 and queue[0].number <= count

    def _run(self, is_enough: Callable[[], bool]) -> None:
        if is_enough():
            return
        lanes = [lane for lane, queue in self._queues.items() if queue]
        self._random.shuffle(lanes)
        with self._apart():
            while not is_enough():
                ready = self._ready(lanes)
                queue = next(ready) if self._late is None else min(ready, key=self._lateness)
                self._pending -= 1
                self._do(queue.popleft())

    def _ready(self, lanes: Iterable[Lane]) -> Iterator[deque[Work]]:
        """The queues whose first piece of work may run."""
        for queue in map(self._queues.__getitem__, lanes):
            if queue and not any(self._lacks(*entry) for entry in queue[0].after.items()):
                yield queue

    def _lateness(self, queue: deque[Work]) -> tuple[bool, int]:
        return queue[0].order == self._late, queue[0].order

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Within the block, what runs is not counted, timed, or seen by modes of the program."""
        state, trace = runtime.ready(), self._clock.trace
        lost = state.lost
        self.is_running, self._clock.trace = True, None
        with ExitStack() as stack:
            for allocator in state.allocators:
                allocator.begin_route(Route(UNCOUNTED, this_thread()))
                stack.callback(allocator.end_route, UNCOUNTED)
            stack.enter_context(self.inside())
            stack.enter_context(_disable_current_modes())
            stack.enter_context(torch._C._AutoDispatchBelowAutograd())
            stack.enter_context(torch.autocast("cuda", enabled=False))
            try:
                yield
            finally:
                self.is_running, self._clock.trace, state.lost = False, trace, lost

    def _do(self, work: Work) -> None:
        for block in work.blocks:
            del block.users[work]
        for block, writes in work.blocks.items():
            for other, other_writes in block.users.items():
                assert isinstance(other, Work)
                if other.order < work.order and (writes or other_writes):
                    work.suspect = work.suspect or (other.order, (other.title, work.title))
                    other.suspect = other.suspect or work.suspect
        for block in work.blocks:
            work.suspect = work.suspect or block.suspect
        try:
            with drawing_from(work.states):
                if reason := work.run():
                    work.suspect = work.suspect or (work.order, (work.title, reason))
        except (RuntimeError, IndexError) as error:
            if work.suspect is None:
                raise
            self.found(work.suspect, f"{work.title} then failed: {error}")
        for block, writes in work.blocks.items():
            if writes:
                block.suspect = work.suspect

    def compare(self, tensor: Tensor, name: str) -> None:
        """Take note where what is read here is not what eager execution gives."""
        block = self.shadows.block_of(storage_of(tensor))
        late = next((user for user, writes in block.users.items() if writes), None)
        here = f'"{name}" ({program_line()})'
        suspect = block.suspect if late is None else (late.order, (late.title, here))
        if suspect is None or is_lazy(tensor):
            return
        if not same_bytes(cpu_alias(tensor), self.shadows.view(tensor)):
            self.found(suspect, f"{here} reads other values than in eager.")

    def found(self, suspect: Suspect, seen: str) -> None:
        """Add a race to the report, once for two lines of the program."""
        if all(race.titles != suspect[1] for race in self.report.races):
            self.report.races.append(Race(*suspect, seen))

    @contextmanager
    def at_once(self, name: str, tensors: Iterable[Tensor] | None = None) -> Iterator[None]:
        """Within the block, programs see the second memory, and may change it.

        For what cannot be deferred. First the current streams run of the cards of the tensors.
        Without tensors: those of all cards, and all memory but what other streams have yet to
        write.
        """
        if self.is_inside:
            yield
            return
        self.report.at_once[name] += 1
        given = tensors if tensors is None else [t for t in tensors if t.is_cuda]
        self.show(name, given)
        with self.inside():
            yield

    def show(self, name: str, tensors: Sequence[Tensor] | None) -> None:
        """Let the current streams run, and the program see the second memory."""
        cards = self._clock.cards
        with self.lock, self.inside():
            used = cards if tensors is None else {cards[t.get_device()] for t in tensors}
            for card in used:
                self.reached(card.lane.snapshot())
            if tensors is None:
                living = self.shadows.living()
                tensors = [bytes_of(s) for s, block in living if not block.is_written_later]
            for tensor in tensors:
                self.compare(tensor, name)
                self.shadows.publish(storage_of(tensor))


def same_bytes(first: Tensor, second: Tensor) -> bool:
    """Whether two tensors of the CPU are equal, NaNs included."""
    a, b = (tensor.contiguous().view(-1).view(torch.uint8) for tensor in (first, second))
    return torch.equal(a, b)
