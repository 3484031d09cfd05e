"""What learners call: check, hint, solution and progress."""

from typing import Any

from course_utils.checking import held
from course_utils.checking.beside import Beside
from course_utils.checking.engine import examine
from course_utils.checking.exercises import exercise
from course_utils.checking.mode import AUTOGRADING, SCORED, hidden_seed
from course_utils.checking.outcomes import CouldNotGrade, Report
from course_utils.checking.record import record
from course_utils.checking.reference import reference
from course_utils.checking.shell import clear_outputs, name_missing_answers
from course_utils.checking.summary import milestone, summary
from course_utils.checking.view import GREY, CheckMessage, Line, Message, report_message
from course_utils.errors import CourseError

_GPUS = 4

name_missing_answers()


class CheckFailed(CourseError):
    """A check that did not pass, under nbgrader: a test cell that raised scores zero."""


def check(name: str, answer: Any, *, seed: int | str | None = None) -> CheckMessage | None:
    """Check `answer`, your function, against exercise `name` and say what came of it.

    The cases that everybody has run; given a `seed`, all of them once more with values drawn from
    it, as at grading, where only the instructor knows the seed. Where nbgrader reads the result, a
    check that does not pass raises `CheckFailed`, and one that could not be made leaves the cell to
    the instructor. Raises CourseError if there is no such exercise.
    """
    known = exercise(name)
    notes = [f"Checked on {_devices()}."] if known.observer.needs_devices else []
    beside = Beside(known.observer, answer)
    drawn_from = hidden_seed() or (None if seed is None else str(seed))
    report = examine(name, known.judge, beside, drawn_from)
    if beside.left_running:
        notes.append("A thread that your code started is still running. If it prints into other "
                     "cells, restart the kernel.")
    record().add("check", name, outcome=type(report.outcome).__name__, **_finding(report))
    if report.passed and not SCORED and (done := milestone(name, record())):
        notes.append(done)
    message = report_message(report, known.words, notes, beside.printed, secret=AUTOGRADING)
    if SCORED:
        # nbgrader gives no point to a cell that wrote to stderr (nbgrader/utils.py,
        # determine_grade), be it a library's log: only the verdict may stay in its outputs.
        clear_outputs()
        if isinstance(report.outcome, CouldNotGrade):
            return held.display(message)
        if not report.passed:
            raise CheckFailed(message.text)
    return message


def hint(name: str, number: int | None = None) -> Message:
    """The next hint for exercise `name`: from a nudge to a worked example of something similar.

    number: a certain hint, from 1. Raises CourseError if there is none of that number.
    """
    hints = exercise(name).words.hints
    if AUTOGRADING:
        return _withheld("Hints")
    if number is not None and number not in range(1, len(hints) + 1):
        raise CourseError(f"{name} has hints 1 to {len(hints)}; you asked for {number!r}.")
    number = number or min(len(record().events("hint", name)) + 1, len(hints))
    record().add("hint", name)
    more = "This is the last one."
    if number < len(hints):
        more = f'`hint("{name}", {number + 1})` shows the next one.'
    lead = f"Hint {number} of {len(hints)}."
    return Prose("→", GREY, (Line(lead, more),), hints[number - 1])


def solution(name: str) -> Message:
    """An explained solution of exercise `name`. It is shown when asked for a second time."""
    folder = exercise(name).path
    if AUTOGRADING:
        return _withheld("Solutions")
    asked_before = bool(record().events("solution", name))
    record().add("solution", name)
    if not asked_before:
        return Message("→", GREY, (
            Line("Sure?", "What you find yourself stays longer than what you read."),
            Line("Next:", f'`hint("{name}")` gives a step; `solution("{name}")` once more shows '
                          "the whole solution."),
        ))
    lead = Line("One solution.", "Others are as right: the checks accept any that does the same.")
    return Prose("→", GREY, (lead,), f"```python\n{reference(folder)}\n```")


def progress() -> Message:
    """How far you are: exercises passed and tried, hints used, predictions that came true."""
    return summary(record())


class Prose(Message):
    """A message with a Markdown text under its lines (its `excerpt`)."""

    @property
    def text(self) -> str:
        head = Message(self.mark, self.tone, self.lines).text
        return f"{head}\n\n{self.excerpt}"

    def _repr_html_(self) -> None:
        return None

    def _repr_markdown_(self) -> str:
        head = "  \n".join(f"**{line.lead}** {line.text}" for line in self.lines)
        return f"{head}\n\n{self.excerpt}"


def _withheld(what: str) -> Message:
    return Message("→", GREY, (Line(f"{what} are not shown while grading.", ""),))


def _devices() -> str:
    from course_utils.devices import current_lab, lab

    active = current_lab()
    if active is None or len(active) < _GPUS:
        active = lab(gpus=_GPUS)
    return f"{len(active)} {active.kind} GPUs"


def _finding(report: Report) -> dict[str, str]:
    finding = getattr(report.outcome, "finding", None)
    return {"finding": finding.name} if finding else {}
