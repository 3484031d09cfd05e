"""What a click on a button under a check brings."""

from collections.abc import Mapping
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

from course_utils.checking import practice
from course_utils.checking.buttons import MIME, Button, hint_button
from course_utils.checking.exercises import exercise
from course_utils.checking.lone_case import LoneCase
from course_utils.checking.view import Message
from course_utils.errors import CourseError

_UNKNOWN = "This button is none of the course's: run its cell again."


@dataclass(frozen=True, repr=False)
class Brought:
    """What a click brings.

    button: what stands in the place of the one that was clicked; None if nothing does.
    shown: what to show under the buttons; it replaces what is shown there under the same `name`.
    cell: the source of a new cell.
    """

    button: Button | None
    shown: Message | None = None
    name: str = ""
    cell: str = ""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        brought: dict[str, Any] = {"button": self.button and self.button.description()}
        if self.shown is not None:
            brought["shown"] = {"name": self.name, "data": _bundle(self.shown)}
        if self.cell:
            brought["cell"] = self.cell
        return {MIME: brought, "text/plain": self.shown.text if self.shown else self.cell}


def clicked(call: str, key: str, answers: Mapping[str, Any]) -> Brought:
    """What the button of `call` under a check of the exercise `key` brings.

    answers: as they stand in a notebook's file, which may come from anywhere.

    Raises CourseError for what is no button of the course's.
    """
    if call == "hint":
        return _hint(key, answers)
    return _solution(key) if call == "solution" else _case(key, answers)


def _hint(key: str, answers: Mapping[str, Any]) -> Brought:
    number = answers.get("number")
    if type(number) is not int:
        raise CourseError(_UNKNOWN)
    shown = practice.hint(key, number)
    following = practice.next_hint(exercise(key))
    button = None
    if following:
        button = hint_button(following, "Next hint" if following > number else "Earlier hint")
    return Brought(button, shown, f"hint {number}")


def _solution(key: str) -> Brought:
    shown = practice.solution(key)
    asked_again = isinstance(shown, practice.Prose)
    button = None if asked_again else Button("solution", "Yes, show the solution")
    return Brought(button, shown, "solution")


def _case(key: str, answers: Mapping[str, Any]) -> Brought:
    function, seed, plain = (answers.get(name) for name in ("function", "seed", "plain"))
    number: Any = answers.get("case")  # `LoneCase` says what is wrong with it
    if not isinstance(function, str) or not function.isidentifier() or iskeyword(function):
        raise CourseError(_UNKNOWN)
    seeded = seed is None or type(seed) is int or isinstance(seed, str)
    if not seeded or not isinstance(plain, bool):
        raise CourseError(_UNKNOWN)
    lone = LoneCase(exercise(key), function, number, seed, plain)
    return Brought(Button("rerun", "Put this case into a cell", answers), cell=lone.cell)


def _bundle(message: Message) -> dict[str, str]:
    if isinstance(message, practice.Prose):
        return {"text/markdown": message._repr_markdown_(), "text/plain": message.text}
    return {"text/html": message._repr_html_(), "text/plain": message.text}
