"""A judge with limits on time and memory, against facts that are made to keep it busy."""

import contextlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.folder import Exercise
from exercise_kit.limits import OutOfTime, time_limit

_SECONDS = 5.0  # of processor time; the slowest judge needs two

References = Mapping[str, Any]
"""`key_of(case)` → the reference results of the case, for one exercise."""


def key_of(case: Case) -> str:
    """The data of a case as a dict key."""
    return json.dumps(case.data, sort_keys=True)


class LimitedJudge(Judge):
    """The judge of an exercise, with limits. Raises TimeoutError or MemoryError beyond them.

    exercise: its exercise.
    references: key of a case → reference results, which turn a worker's facts into facts to judge.
    """

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.references: References = {}

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases that the judge draws."""
        return self.exercise.judge.cases(rng)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding of a case, within the limits of time and memory."""
        with _within_limits():
            references = self.references.get(key_of(case), {})
            told = self.exercise.observer.told(facts, references)
            return self.exercise.judge.judge(case, told)

    def run_of(self, facts: Facts) -> int | None:
        """The number of the run in these facts, within the limits."""
        with _within_limits():
            return self.exercise.judge.run_of(facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding of an error, within the limits."""
        with _within_limits():
            return self.exercise.judge.on_raise(case, raised)


@contextlib.contextmanager
def _within_limits() -> Iterator[None]:
    try:
        with time_limit(_SECONDS, patience=10):  # wall-clock limit × 10: the computer may be busy
            yield
    except OutOfTime as error:
        raise TimeoutError("the facts took too long to judge") from error
    except MemoryError as error:
        raise MemoryError("the facts took too much memory to judge") from error
