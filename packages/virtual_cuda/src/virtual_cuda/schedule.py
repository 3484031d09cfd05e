"""The queues of all streams while ``races`` are on, and the order of their work (``racing``).

Work runs only when the host waits for it, or has queued more than CUDA allows. Then an order of the
streams is drawn each time, and the first stream whose next work can run, runs it. With ``late``
nothing is drawn: all work runs when it is launched, except one operation and the work that waits
for it.
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

_MOST_PENDING = 1024  # launches that CUDA queues before the host must wait
_NOT_THE_PROGRAM = {"torch", "virtual_cuda", "contextlib"}


@dataclass(frozen=True)
class Race:
    """A race: work that ran before earlier work without a wait, and its effect.

    ``late`` is the number of the late work among all launched work.
    """

    late: int
    titles: tuple[str, str]
    seen: str

    def __str__(self) -> str:
        first, second = self.titles
        return f"{first} came late: {second} did not wait for it. {self.seen}"


@dataclass
class RaceReport:
    """The report of one ``races``. ``at_once``: operator that cannot be deferred → calls."""

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
            lines.append(f"the shortest schedule that shows it, one operation late: {alone}")
        if self.at_once:
            names = ", ".join(f"{name} {count} ×" for name, count in self.at_once.items())
            lines.append(f"run at once, because they cannot be deferred: {names}")
        return "\n".join(lines)


@dataclass(eq=False, repr=False)
class Work:
    """One operation in the queue of its stream.

    ``number`` is its place there, ``order`` its place among all work, ``after`` the work that it
    waits for. ``run`` may return a text on host memory that did not wait for it.
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
        """The stream, as text."""
        return f"stream {self.lane.stream} of cuda:{self.lane.card.index}"


def program_line() -> str:
    """The file and line that the program executes now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _NOT_THE_PROGRAM:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "no line of Python"


class _Here(threading.local):
    """Whether this thread is inside an operator, whose inner calls belong to it."""

    inside = False


class Schedule:
    """The queues of all streams, the second memory, and the order of work."""

    def __init__(self, seed: int, late: int | None, clock: Clock) -> None:
        self.report = RaceReport(seed, late)
        self.shadows = Shadows()
        self.lock = threading.RLock()
        self.arriving: dict[int, Knowledge] = {}  # host address -> the copies that will write it
        self._clock = clock
        self._random = random.Random(seed)
        self._late = late
        self._queues: dict[Lane, deque[Work]] = {}
        self._pending = 0
        self._here = _Here()
        self.is_running = False

    @property
    def is_inside(self) -> bool:
        """Whether this thread is inside an operator."""
        return self._here.inside

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Run operators of this thread only eagerly within the block."""
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
        """The queued work of a new launch. It may be done already, by the host's knowledge."""
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
        """Run the work that the host now knows to be done, and other work before it by the seed."""
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
        """The queues whose first operation can run."""
        for queue in map(self._queues.__getitem__, lanes):
            if queue and not any(self._lacks(*entry) for entry in queue[0].after.items()):
                yield queue

    def _lateness(self, queue: deque[Work]) -> tuple[bool, int]:
        return queue[0].order == self._late, queue[0].order

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Run work within the block without counting, timing, and the program's modes."""
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
        """Report a race if a tensor that is read here differs from eager execution."""
        block = self.shadows.block_of(storage_of(tensor))
        late = next((user for user, writes in block.users.items() if writes), None)
        here = f'"{name}" ({program_line()})'
        suspect = block.suspect if late is None else (late.order, (late.title, here))
        if suspect is None or is_lazy(tensor):
            return
        if not same_bytes(cpu_alias(tensor), self.shadows.view(tensor)):
            self.found(suspect, f"{here} reads other values than in eager execution.")

    def found(self, suspect: Suspect, seen: str) -> None:
        """Add a race to the report, once for each pair of program lines."""
        if all(race.titles != suspect[1] for race in self.report.races):
            self.report.races.append(Race(*suspect, seen))

    @contextmanager
    def at_once(self, name: str, tensors: Iterable[Tensor] | None = None) -> Iterator[None]:
        """Let programs use and change the second memory within the block.

        For operators that cannot be deferred. First the current streams of the tensors' cards run.
        Without tensors: the current streams of all cards, and all memory except the parts that
        other streams will still write.
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
        """Run the current streams, and copy the second memory to the program's memory."""
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
    """Whether two CPU tensors have equal bytes, also for NaN."""
    a, b = (tensor.contiguous().view(-1).view(torch.uint8) for tensor in (first, second))
    return torch.equal(a, b)
