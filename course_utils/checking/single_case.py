"""A case of an exercise alone: the line that runs it, and a cell with that line."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from course_utils.checking.view import where
from course_utils.errors import CourseError
from exercise_kit.contract import Case
from exercise_kit.facts import brief, describe, is_described
from exercise_kit.folder import Exercise
from exercise_kit.observers import OneCall
from exercise_kit.outcomes import NEVER_CALLED, Failed, Place, Raised, Report, TimedOut
from exercise_kit.text import clip

_NOT_SHOWN = {"input-changed", "nothing-returned"}
"""Findings that a cell which ends with a call does not show."""

_LONGEST = 100  # characters of a call that is still easy to edit

Seed = int | str | None


@dataclass(frozen=True)
class SingleCase:
    """One case, and the call of the answer in a learner's notebook.

    function: the name of the answer there.
    number: of the case, from 1.
    seed: None for the public case; else the seed of its values.
    plain: whether to call the answer itself, if its arguments are short literals; else `rerun`.

    Raises CourseError if there is no such case.
    """

    exercise: Exercise
    function: str
    number: int
    seed: Seed = None
    plain: bool = False

    def __post_init__(self) -> None:
        if type(self.number) is not int or not 1 <= self.number <= self.of:
            raise CourseError(
                f"{self.exercise.name} has cases 1 to {self.of}; you asked for {self.number!r}."
            )

    @cached_property
    def of(self) -> int:
        """The number of cases of the exercise."""
        return len(self.exercise.public_cases)

    @cached_property
    def case(self) -> Case:
        """The case itself, drawn from the seed if there is one."""
        seed = None if self.seed is None else str(self.seed)
        return self.exercise.case(self.number, seed)

    @property
    def place(self) -> Place:
        """The number of the case and its title."""
        return Place(self.number, self.of, self.case.title, drawn=self.seed is not None)

    @property
    def line(self) -> str:
        """A line of Python that runs the case."""
        if self.plain and self._plain_call:
            return self._plain_call
        seed = "" if self.seed is None else f", seed={self.seed!r}"
        return f'rerun("{self.exercise.name}", {self.function}, case={self.number}{seed})'

    @property
    def cell(self) -> str:
        """A cell that runs the case, wherever the answer is defined."""
        title = f"# {self.function}: {where(self.place)}"
        if self.line != self._plain_call:
            return f"{title}\nfrom course_utils import rerun\n\n{self.line}"
        result: Any = (self.case.right or {}).get("result")
        expected = f"# expected: {clip(brief(result), _LONGEST)}\n" if is_described(result) else ""
        return f"{title}\n{expected}{self.line}"

    @property
    def called(self) -> str:
        """The call of the answer with its arguments, on one line; "" if there is no single call."""
        inputs = self.exercise.observer.prepare(self.case.data)
        names = self.exercise.observer.parameters
        if not isinstance(inputs, list | tuple) or len(inputs) != len(names):
            return ""
        arguments = ", ".join(brief(describe(value)) for value in inputs)
        return clip(f"{self.function}({arguments})", 300)

    @cached_property
    def _plain_call(self) -> str:
        """The call with its arguments, "" unless they are short literals."""
        kind = type(observer := self.exercise.observer)
        if (kind.observe, kind.prepare) != (OneCall.observe, OneCall.prepare):
            return ""
        return literal_call(self.function, observer.prepare(self.case.data))


def single_case(
    exercise: Exercise, answer: Any, report: Report, seed: Seed = None
) -> SingleCase | None:
    """The case in which a check stopped; None if no case can show the problem."""
    place, outcome = report.place, report.outcome
    if place is None or not isinstance(outcome, Failed | Raised | TimedOut):
        return None
    finding = outcome.finding.name if isinstance(outcome, Failed) else ""
    if finding in NEVER_CALLED:
        return None
    given = getattr(answer, "__name__", "")
    return SingleCase(
        exercise,
        given if given.isidentifier() else exercise.short,
        place.number,
        seed if place.drawn else None,
        plain=finding not in _NOT_SHOWN,
    )


def literal_call(function: str, arguments: Any) -> str:
    """The call of `function` as Python; "" if an argument is not a literal, or it is too long."""
    try:
        written = [repr(argument) for argument in arguments]
        literal = all(map(_same, map(ast.literal_eval, written), arguments))
    except (ValueError, SyntaxError):  # nan, a tensor, a device
        return ""
    call = f"{function}({', '.join(written)})"
    return call if literal and len(call) <= _LONGEST else ""


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal, with the same types at every level (no NumPy number)."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        return _same([*one.items()], [*other.items()])
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other
