"""Limits around a learner's code: time, and how much printing is kept."""

import contextlib
import io
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

_TICK = 0.1  # seconds between two looks at the clocks
_PATIENCE = 10  # wall-clock seconds for each second of processor time, and
_AT_LEAST = 30  # never fewer of them: a busy machine is no fault of the answer
_SWALLOWED = 2  # stops that code may catch before every further line is stopped
_TIMERS = (
    {signal.ITIMER_REAL: signal.SIGALRM, signal.ITIMER_PROF: signal.SIGPROF}
    if hasattr(signal, "setitimer")
    else {}
)  # the clock on the wall, and that of the processor


class OutOfTime(BaseException):
    """Raised inside code that ran longer than allowed.

    A BaseException, so that a learner's `except Exception` does not swallow it.
    """


def wall_limit(seconds: float, patience: float = 1.0) -> float:
    """Seconds on the wall that code may take which may compute for `seconds`."""
    return max(_PATIENCE * seconds, _AT_LEAST) * patience


class TimeLimit:
    """waiting: whether the time ran out on the wall clock, so mostly in waiting."""

    def __init__(self, seconds: float, patience: float = 1.0) -> None:
        self.seconds, self.wall = seconds, wall_limit(seconds, patience)
        self.waiting = True
        self._stops = 0
        self._begun, self._computed = time.monotonic(), time.thread_time()

    def tick(self, _signal: int, frame: FrameType | None) -> None:
        """Raise OutOfTime if the time is up; called again and again, in the main thread."""
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

    On the wall clock it may take ten times as long, and half a minute at least; `patience` times
    that, where the machine is known to be slow. Code that catches the interruption is interrupted
    again, in the end at every line. Uses two interval timers of POSIX, in the main thread, so that
    code which takes one signal away still meets the other; elsewhere there is no limit. Code that
    never returns from C cannot be stopped.
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
        if sys.gettrace() is not tracer:  # to set it is an event that audit hooks hear
            sys.settrace(tracer)
        for number, handler in handlers.items():
            # A last signal may still be on its way, and the default is to end the process.
            signal.signal(number, _do_nothing if handler is signal.SIG_DFL else handler)


def _do_nothing(_signal: int, _frame: FrameType | None) -> None:
    pass


def _stop_at_next_line(frame: FrameType | None) -> None:
    """Raise once more at the next line, where a bare `except` does not catch it."""

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
        """The number of characters taken, as of any stream: all of them."""
        room = self._most - self._size
        if room > 0:
            self._kept.append(text[:room])
        self._size += len(text)
        return len(text)

    def writable(self) -> bool:
        """True, as of any stream that can be written to."""
        return True

    @property
    def text(self) -> str:
        """What was kept, and how many characters were not."""
        kept = "".join("".join(self._kept).splitlines(keepends=True)[: self._lines])
        dropped = self._size - len(kept)
        note = f"\n… {dropped} more characters were printed." if dropped > 0 else ""
        return kept + note


@contextlib.contextmanager
def captured() -> Iterator[Excerpt]:
    """Collect what the body prints, to stdout and stderr alike.

    nbgrader takes the mark of a test cell that writes to stderr, even for a mere warning.
    """
    excerpt = Excerpt()
    with contextlib.redirect_stdout(excerpt), contextlib.redirect_stderr(excerpt):
        yield excerpt
