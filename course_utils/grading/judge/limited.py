"""A judge that cannot be kept busy for ever by facts that were made to."""

import contextlib
import random
import resource
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise

_SECONDS = 5.0  # of processor time; the slowest oracle takes two
_MEMORY = 2 << 30  # bytes more than it begins with


class Limited(Judge):
    """Judges as `judge` does. Raises TimeoutError or MemoryError where that takes too much."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def cases(self, rng: random.Random) -> Sequence[Case]:
        return self._judge.cases(rng)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        with _within_limits():
            return self._judge.judge(case, facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        with _within_limits():
            return self._judge.on_raise(case, raised)


@contextlib.contextmanager
def _within_limits() -> Iterator[None]:
    """Judges are ours and catch no interruption, so that this can be simpler than for answers."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    except MemoryError as error:
        raise MemoryError("the facts took too much memory to judge") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """Of this process: what it has now and 2 GiB. Facts that need more raise MemoryError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("the facts took too long to judge")
