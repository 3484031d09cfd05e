"""Buttons under a check that did not pass: a hint, a solution, and the case alone in a cell.

The output contains everything it shows, as forms do (course_utils/forms). JupyterLab draws it
(course_workspace/labextension) and calls `checking.answering.answer` in the kernel. Other front
ends show the message, which names the same calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from course_utils.checking.single_case import SingleCase
from course_utils.checking.solutions import withheld
from course_utils.checking.view import CheckMessage
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import CouldNotGrade, Failed, Passed

MIME = "application/vnd.on-the-right-device.check+json"


@dataclass(frozen=True)
class Button:
    """A button. call: what a click calls with `answers`: "hint", "solution" or "rerun"."""

    call: str
    label: str
    answers: Mapping[str, Any] = field(default_factory=dict)

    def description(self) -> dict[str, Any]:
        """The button for JupyterLab's drawing, as JSON."""
        return {"call": self.call, "label": self.label, "answers": dict(self.answers)}


@dataclass(frozen=True, repr=False)
class MessageWithButtons(CheckMessage):
    """The message of a check with its buttons."""

    buttons: tuple[Button, ...] = field(kw_only=True)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        html = self._repr_html_()
        drawn = {
            "version": 1,
            "key": self.report.exercise,
            "html": html,
            "text": self.text,
            "buttons": [button.description() for button in self.buttons],
            "shown": [],
        }
        return {MIME: drawn, "text/html": html, "text/plain": self.text}


def with_buttons(
    message: CheckMessage, exercise: Exercise, single: SingleCase | None, next_hint: int
) -> CheckMessage:
    """`message` with its buttons, unless the answer passed or was not judged.

    single: the case in which the check stopped, if it can be run alone.
    next_hint: the number of the hint for a finding that has no hint of its own.
    """
    if isinstance(message.report.outcome, Passed | CouldNotGrade):
        return message
    number, outcome = next_hint, message.report.outcome
    if isinstance(outcome, Failed):
        number = exercise.words.finding(outcome.finding.name).hint or next_hint
    buttons = [hint_button(number, "Hint")]
    if not withheld(exercise):
        buttons.append(Button("solution", "Show a solution"))
    if single is not None:
        where = {
            "function": single.function,
            "case": single.number,
            "seed": single.seed,
            "plain": single.plain,
        }
        buttons.append(Button("rerun", "Put this case into a cell", where))
    return MessageWithButtons(**vars(message), buttons=tuple(buttons))


def hint_button(number: int, label: str) -> Button:
    """The button for one hint."""
    return Button("hint", label, {"number": number})
