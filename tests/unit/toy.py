"""The exercise of tests/toy_course: double a number. It needs no device."""

from pathlib import Path
from typing import Any

from course_utils.checking.exercises import exercise_in
from exercise_kit.check import check
from exercise_kit.engine import examine
from exercise_kit.outcomes import Report
from exercise_kit.runner import Runner

COURSE = Path(__file__).resolve().parents[1] / "toy_course"
TOY = exercise_in(COURSE, "toy.double")


def runner(answer: Any, **settings: Any) -> Runner:
    """A runner of cases with an answer to the toy exercise."""
    return Runner(TOY.observer, answer, TOY.world, **settings)


def asked(ask: Any, seed: str | None = None) -> Report:
    """The report of the cases, run by `ask`."""
    hidden = None if seed is None else TOY.hidden_cases(seed)
    return examine(TOY.name, TOY.judge, ask, TOY.public_cases, hidden)


def look(answer: Any, seed: str | None = None) -> Report:
    """The report of an answer to the toy exercise."""
    return check(TOY, answer, seed).report
