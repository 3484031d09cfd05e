"""Apply an exercise: put each case, have what was seen judged, stop at the first finding."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

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


def case_of(name: str, judge: Judge, number: int, seed: str | None = None) -> Case:
    """A case by its number, from 1: the public one or, given a seed, that drawn from it."""
    if seed is None:
        return public_cases(name, judge)[number - 1]
    return _drawn_cases(name, judge, seed)[number - 1]


def _drawn_cases(name: str, judge: Judge, seed: str) -> Sequence[Case]:
    return judge.cases(random.Random(f"{seed}/{name}"))


@lru_cache(maxsize=256)
def hidden_cases(name: str, judge: Judge, seed: str) -> Sequence[tuple[int, Case]]:
    """The same cases with other values, drawn from `seed`, each with its number from 1.

    Those in which nothing is drawn are left out: they have been public. They come in an order of
    the seed's, so that nobody can tell from the number of a call what comes next.
    """
    drawn = _drawn_cases(name, judge, seed)
    pairs = zip(public_cases(name, judge), drawn, strict=True)
    hidden = [
        (number, case)
        for number, (public, case) in enumerate(pairs, start=1)
        if case.data != public.data
    ]
    random.Random(f"{seed}/{name}/order").shuffle(hidden)
    return hidden


def examine(
    name: str, judge: Judge, ask: Ask, grading_seed: str | None = None, *, patient: bool = True
) -> Report:
    """Judge an answer on the public cases and, given a seed, on those drawn from it.

    patient: whether, given a seed, a case that timed out is put once more.

    Stops at the first case that does not pass. Never raises for anything the answer does;
    a keyboard interrupt passes through.
    """
    public = public_cases(name, judge)
    patient = patient and grading_seed is not None
    for number, case in enumerate(public, start=1):
        outcome = _outcome(judge, ask, case, patient=patient)
        if outcome is not None:
            return Report(name, outcome, Place(number, len(public), case.title))
    if grading_seed is None:
        return Report(name, Passed(len(public)))
    hidden = hidden_cases(name, judge, grading_seed)
    for number, case in hidden:
        outcome = _outcome(judge, ask, case, patient=patient)
        if outcome is not None:
            return Report(name, outcome, Place(number, len(public), case.title, drawn=True))
    return Report(name, Passed(len(public), len(hidden)))


def _outcome(judge: Judge, ask: Ask, case: Case, *, patient: bool) -> Outcome | None:
    """What came of a case, None if it passed. A patient check asks twice before time is up."""
    try:
        seen = ask(case)
        if patient and isinstance(seen, TimedOut):
            seen = ask(case)
        return judged(judge, case, seen)
    except Exception as fault:  # a fault of the check must never look like one of the answer
        return CouldNotGrade(f"{type(fault).__name__}: {fault}")


def judged(judge: Judge, case: Case, seen: Seen) -> Outcome | None:
    """What came of a case, None if it passed."""
    match seen:
        case TimedOut():
            return seen
        case Unfit(unfit):
            return Failed(unfit)
        case Raise(type="NotImplementedError", text=""):
            # torch raises such errors as well, and says what it has not; the stub says nothing.
            return NotAttempted()
        case Raise():
            finding = judge.on_raise(case, seen)
            return Failed(finding) if finding else Raised(seen)
        case Mapping():
            finding = judge.judge(case, seen)
            return Failed(finding) if finding else None
