"""Apply an exercise: put each case, have what was seen judged, stop at the first finding."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from course_utils.checking.beside import Seen, Unfit
from course_utils.checking.contract import Case, Judge, Raise
from course_utils.checking.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Outcome,
    Passed,
    Place,
    Raised,
    Report,
    TimedOut,
)

PUBLIC_SEED = "the public cases"

Ask = Callable[[Case], Seen]
"""Puts one case to the answer, wherever that lives."""


@cache
def public_cases(name: str, judge: Judge) -> Sequence[Case]:
    """The cases that learners may see: the same on every machine."""
    return judge.cases(random.Random(f"{PUBLIC_SEED}/{name}"))


def hidden_cases(name: str, judge: Judge, seed: str) -> list[tuple[int, Case]]:
    """The same cases with other values, drawn from `seed`, each with its number from 1.

    Those in which nothing is drawn are left out: they have been public. They come in an order of
    the seed's, so that nobody can tell from the number of a call what comes next.
    """
    drawn = judge.cases(random.Random(f"{seed}/{name}"))
    pairs = zip(public_cases(name, judge), drawn, strict=True)
    hidden = [
        (number, case)
        for number, (public, case) in enumerate(pairs, start=1)
        if case.data != public.data
    ]
    random.Random(f"{seed}/{name}/order").shuffle(hidden)
    return hidden


def examine(name: str, judge: Judge, ask: Ask, grading_seed: str | None = None) -> Report:
    """Judge an answer on the public cases and, given a seed, on those drawn from it.

    Stops at the first case that does not pass. Never raises for anything the answer does;
    a keyboard interrupt passes through.
    """
    public = public_cases(name, judge)
    for number, case in enumerate(public, start=1):
        outcome = _outcome(judge, ask, case, patient=grading_seed is not None)
        if outcome is not None:
            return Report(name, outcome, Place(number, len(public), case.title))
    if grading_seed is None:
        return Report(name, Passed(len(public)))
    hidden = hidden_cases(name, judge, grading_seed)
    for number, case in hidden:
        outcome = _outcome(judge, ask, case, patient=True)
        if outcome is not None:
            return Report(name, outcome, Place(number, len(public), case.title, drawn=True))
    return Report(name, Passed(len(public), len(hidden)))


def _outcome(judge: Judge, ask: Ask, case: Case, *, patient: bool) -> Outcome | None:
    """What came of a case, None if it passed. A patient check asks twice before time is up."""
    try:
        seen = ask(case)
        if patient and isinstance(seen, TimedOut):
            seen = ask(case)
        return _judged(judge, case, seen)
    except Exception as fault:  # a fault of the check must never look like one of the answer
        return CouldNotGrade(f"{type(fault).__name__}: {fault}")


def _judged(judge: Judge, case: Case, seen: Seen) -> Outcome | None:
    match seen:
        case TimedOut():
            return seen
        case Unfit(finding):
            return Failed(finding)
        case Raise(type="NotImplementedError", text=""):
            # torch raises such errors as well, and says what it has not; the stub says nothing.
            return NotAttempted()
        case Raise():
            finding = judge.on_raise(case, seen)
            return Failed(finding) if finding else Raised(seen)
        case Mapping():
            finding = judge.judge(case, seen)
            return Failed(finding) if finding else None
