"""What learners call: check, hint, solution and progress."""

from typing import Any

from course_utils.checking import registry
from course_utils.checking.engine import examine
from course_utils.checking.mode import AUTOGRADING, SCORED, hidden_seed
from course_utils.checking.outcomes import Report
from course_utils.checking.record import record
from course_utils.checking.reference import reference
from course_utils.checking.shell import clear_outputs, name_missing_answers
from course_utils.checking.summary import summary
from course_utils.checking.view import GREY, CheckMessage, Line, Message, report_message
from course_utils.errors import CourseError

_GPUS = 4

name_missing_answers()


class CheckFailed(CourseError):
    """A check that did not pass, under nbgrader: a test cell that raised scores zero."""


def check(name: str, answer: Any) -> CheckMessage:
    """Check `answer`, your function, against exercise `name` and say what came of it.

    The public cases run; while grading, the hidden ones as well. Where nbgrader reads the
    result, a check that does not pass raises `CheckFailed`. Raises CourseError if there is no
    such exercise.
    """
    observer, judge = registry.observer(name), registry.judge(name)
    device = _device_sentence() if observer.needs_devices else ""
    report = examine(observer, judge, answer, hidden_seed())
    message = report_message(report, device)
    record().add("check", name, outcome=type(report.outcome).__name__, **_finding(report))
    if SCORED:
        # nbgrader gives no point to a cell that wrote to stderr (nbgrader/utils.py,
        # determine_grade), be it a library's log: only the verdict may stay in its outputs.
        clear_outputs()
        if not report.passed:
            raise CheckFailed(message.text)
    return message


def hint(name: str) -> Message:
    """The next hint for exercise `name`: from a nudge to a worked example of something similar."""
    if AUTOGRADING:
        return _withheld("Hints")
    hints = registry.judge(name).hints
    shown = len(record().events("hint", name))
    number = min(shown, len(hints) - 1)
    record().add("hint", name)
    last = number == len(hints) - 1
    more = "This is the last one." if last else f'`hint("{name}")` again shows the next one.'
    lead = f"Hint {number + 1} of {len(hints)}."
    return Prose("→", GREY, (Line(lead, more),), hints[number])


def solution(name: str) -> Message:
    """An explained solution of exercise `name`. It is shown when asked for a second time."""
    registry.require_name(name)
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
    return Prose("→", GREY, (lead,), f"```python\n{reference(name)}\n```")


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


def _device_sentence() -> str:
    from course_utils.devices import current_lab, lab

    active = current_lab()
    if active is None or len(active) < _GPUS:
        active = lab(gpus=_GPUS)
    return f"{len(active)} {active.kind} GPUs"


def _finding(report: Report) -> dict[str, str]:
    finding = getattr(report.outcome, "finding", None)
    return {"finding": finding.kind.name} if finding else {}
