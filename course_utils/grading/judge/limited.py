"""A judge that cannot be kept busy for ever by facts that were made to."""

import contextlib
import random
import signal
from collections.abc import Iterator, Sequence
from types import FrameType

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise

_SECONDS = 60.0  # of processor time; the slowest oracle takes two


class Limited(Judge):
    """Judges as `judge` does. Raises TimeoutError where that takes too long."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def cases(self, rng: random.Random) -> Sequence[Case]:
        return self._judge.cases(rng)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        with _in_time():
            return self._judge.judge(case, facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        with _in_time():
            return self._judge.on_raise(case, raised)


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """Judges are ours and catch no interruption, so that this can be simpler than for answers."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("the facts took too long to judge")
