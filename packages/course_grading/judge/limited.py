"""A judge that cannot be kept busy for ever by facts that were made to."""

import contextlib
import random
import resource
from collections.abc import Iterator, Sequence
from pathlib import Path

from course_grading.judge.references import References, key_of
from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.folder import Exercise
from exercise_kit.limits import OutOfTime, time_limit

_SECONDS = 5.0  # of processor time; the slowest oracle takes two
_MEMORY = 2 << 30  # bytes more than it begins with


class LimitedJudge(Judge):
    """Judges as the exercise's judge does. Raises TimeoutError or MemoryError where that takes too
    much.

    exercise: the one that it is the judge of.
    references: what the facts that a worker reports are told by.
    met: these facts, by case, of the answer that is examined.
    """

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.references: References = {}
        self.met: list[tuple[Case, Facts]] = []

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases that the judge draws."""
        return self.exercise.judge.cases(rng)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding of a case, within the limits of time and memory."""
        with _within_limits():
            self.met.append((case, facts))
            told = self.exercise.observer.told(facts, self.references[key_of(case)])
            return self.exercise.judge.judge(case, told)

    def run_of(self, facts: Facts) -> int | None:
        """The number of the run that facts are of, within the limits."""
        with _within_limits():
            return self.exercise.judge.run_of(facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding of an error, within the limits."""
        with _within_limits():
            return self.exercise.judge.on_raise(case, raised)


@contextlib.contextmanager
def _within_limits() -> Iterator[None]:
    try:
        with time_limit(_SECONDS, patience=10):  # on the wall: the computer may be busy
            yield
    except OutOfTime as error:
        raise TimeoutError("the facts took too long to judge") from error
    except MemoryError as error:
        raise MemoryError("the facts took too much memory to judge") from error


def limit_memory() -> None:
    """Of this process: what it has now and 2 GiB. Facts that need more raise MemoryError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
