"""Limits for a learner's code: on time, and on the printed text that is kept."""

import contextlib
import io
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

_TICK = 0.1  # seconds between two checks of the clocks
_PATIENCE = 10  # wall-clock seconds for each second of processor time
_AT_LEAST = 30  # minimum of wall-clock seconds: a busy computer is not the answer's fault
_SWALLOWED = 2  # interrupts that code may catch before every further line raises
_TIMERS = (
    {signal.ITIMER_REAL: signal.SIGALRM, signal.ITIMER_PROF: signal.SIGPROF}
    if hasattr(signal, "setitimer")
    else {}
)  # for the wall clock and for processor time


class OutOfTime(BaseException):
    """Raised inside code that ran longer than allowed.

    A BaseException, so that a learner's `except Exception` does not swallow it.
    """


def wall_limit(seconds: float, patience: float = 1.0) -> float:
    """The wall-clock limit in seconds for code with a processor limit of `seconds`."""
    return max(_PATIENCE * seconds, _AT_LEAST) * patience


class TimeLimit:
    """The state of a time limit. waiting: whether the wall-clock limit was the one exceeded."""

    def __init__(self, seconds: float, patience: float = 1.0) -> None:
        self.seconds, self.wall = seconds, wall_limit(seconds, patience)
        self.waiting = True
        self._stops = 0
        self._begun, self._computed = time.monotonic(), time.thread_time()

    def tick(self, _signal: int, frame: FrameType | None) -> None:
        """Raise OutOfTime if the time is up. Called at each tick, in the main thread."""
        computed = time.thread_time() - self._computed > self.seconds
        self.waiting = not computed
        if not computed and time.monotonic() - self._begun <= self.wall:
            return
        self._stops += 1
        if self._stops > _SWALLOWED:
            _stop_at_next_line(frame)
        raise OutOfTime


@contextlib.contextmanager
def time_limit(seconds: float, patience: float = 1.0) -> Iterator[TimeLimit]:
    """Interrupt the body with `OutOfTime` after `seconds` of processor time of this thread.

    The wall-clock limit is ten times as long, at least 30 seconds, times `patience` on a slow
    computer. Code that catches the interrupt is interrupted again, and later at every line. It uses
    two POSIX interval timers in the main thread, so that code that disables one signal still gets
    the other. In other threads, or without POSIX timers, there is no limit. Code that never returns
    from C cannot be stopped.
    """
    limit = TimeLimit(seconds, patience)
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not _TIMERS or not in_main_thread:
        yield limit
        return
    tracer = sys.gettrace()
    handlers = {number: signal.signal(number, limit.tick) for number in _TIMERS.values()}
    for timer in _TIMERS:
        signal.setitimer(timer, _TICK, _TICK)
    try:
        yield limit
    finally:
        for timer in _TIMERS:
            signal.setitimer(timer, 0)
        if sys.gettrace() is not tracer:  # settrace raises an audit event
            sys.settrace(tracer)
        for number, handler in handlers.items():
            # A last signal may still arrive, and the default handler ends the process.
            signal.signal(number, _do_nothing if handler is signal.SIG_DFL else handler)


def _do_nothing(_signal: int, _frame: FrameType | None) -> None:
    pass


def _stop_at_next_line(frame: FrameType | None) -> None:
    """Raise OutOfTime at the next line of any frame, so that catching it does not help."""

    def stop(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            raise OutOfTime
        return stop

    while frame is not None:
        frame.f_trace = stop
        frame = frame.f_back
    sys.settrace(stop)


class Excerpt(io.TextIOBase):
    """A text stream that keeps the first `most` characters and `lines` and counts the rest."""

    def __init__(self, most: int = 2000, lines: int = 30) -> None:
        self._most = most
        self._lines = lines
        self._kept: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        """The number of characters written, which is the length of `text`."""
        room = self._most - self._size
        if room > 0:
            self._kept.append(text[:room])
        self._size += len(text)
        return len(text)

    def writable(self) -> bool:
        """True."""
        return True

    @property
    def text(self) -> str:
        """The kept text, with a note on the number of missing characters."""
        kept = "".join("".join(self._kept).splitlines(keepends=True)[: self._lines])
        dropped = self._size - len(kept)
        note = f"\n… {dropped} more characters were printed." if dropped > 0 else ""
        return kept + note


@contextlib.contextmanager
def captured() -> Iterator[Excerpt]:
    """Collect the text that the body prints to stdout and stderr.

    nbgrader gives no points to a test cell that writes to stderr, even for a warning.
    """
    excerpt = Excerpt()
    with contextlib.redirect_stdout(excerpt), contextlib.redirect_stderr(excerpt):
        yield excerpt
