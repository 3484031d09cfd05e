"""Limits around a learner's code: time, and how much printing is kept."""

import contextlib
import io
import signal
import threading
from collections.abc import Iterator


class OutOfTime(BaseException):
    """Raised inside code that ran longer than allowed.

    A BaseException, so that a learner's `except Exception` does not swallow it.
    """


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the body after `seconds` with `OutOfTime`.

    Uses the real-time interval timer of POSIX, in the main thread. Elsewhere there is no limit.
    The timer repeats, since code may catch the first interruption.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not in_main_thread:
        yield
        return

    def interrupt(_signal: int, _frame: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Excerpt(io.TextIOBase):
    """A text stream that keeps the first `most` characters and `lines` and counts the rest."""

    def __init__(self, most: int = 2000, lines: int = 30) -> None:
        self._most = most
        self._lines = lines
        self._kept: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        room = self._most - self._size
        if room > 0:
            self._kept.append(text[:room])
        self._size += len(text)
        return len(text)

    def writable(self) -> bool:
        return True

    @property
    def text(self) -> str:
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
