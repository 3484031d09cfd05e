"""The one function that an output in a notebook calls when it is answered or clicked."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, Protocol

import course_utils
from course_utils.checking import practice
from course_utils.checking.buttons import MIME, Button, hint_button
from course_utils.checking.exercises import exercise
from course_utils.checking.single_case import SingleCase
from course_utils.checking.solutions import withheld
from course_utils.checking.view import Message
from course_utils.errors import CourseError

CALLS = ("claim", "explore", "predict", "quiz")
"""The functions of `course_utils` that show a form when they are called with a key alone."""

_UNKNOWN = "The course has no such button. Run its cell again."


class Answered(Protocol):
    """An output that replaces a form, or is added to the output of a check."""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]: ...


def answer(request: str) -> Answered:
    """The form that `request` names, answered; or the output of the button that it names.

    request: JSON with `call`, `key` and `answers`, as they are in a notebook's file. A notebook may
        come from anywhere: its names are looked up here, and no code of it is run.

    Raises CourseError if there is no such form or button, or it does not accept the answers.
    """
    try:
        asked = json.loads(request)
        call, key, answers = asked["call"], asked["key"], asked["answers"]
        known = call in (*CALLS, *_CLICKS) and isinstance(key, str) and isinstance(answers, dict)
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise CourseError("The course has no such form. Run its cell again.")
    if call in _CLICKS:
        return _CLICKS[call](key, answers)
    return getattr(course_utils, call)(key).answered(answers)


@dataclass(frozen=True, repr=False)
class Brought:
    """The output of a click.

    button: replaces the button that was clicked; None only removes it.
    shown: a message to show under the buttons; it replaces the one with the same `name`.
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


def _solution(key: str, _: Mapping[str, Any]) -> Brought:
    shown = practice.solution(key)
    is_last = isinstance(shown, practice.Prose) or withheld(exercise(key))
    button = None if is_last else Button("solution", "Yes, show the solution")
    return Brought(button, shown, "solution")


def _case(key: str, answers: Mapping[str, Any]) -> Brought:
    function, seed, plain = (answers.get(name) for name in ("function", "seed", "plain"))
    number: Any = answers.get("case")  # `SingleCase` raises if it is wrong
    if not isinstance(function, str) or not function.isidentifier() or iskeyword(function):
        raise CourseError(_UNKNOWN)
    seeded = seed is None or type(seed) is int or isinstance(seed, str)
    if not seeded or not isinstance(plain, bool):
        raise CourseError(_UNKNOWN)
    single = SingleCase(exercise(key), function, number, seed, plain)
    return Brought(Button("rerun", "Put this case into a cell", answers), cell=single.cell)


_CLICKS: Mapping[str, Callable[[str, Mapping[str, Any]], Brought]] = {
    "hint": _hint,
    "solution": _solution,
    "rerun": _case,
}
"""The functions of the buttons under a check, by the name of the call."""


def _bundle(message: Message) -> dict[str, str]:
    if isinstance(message, practice.Prose):
        return {"text/markdown": message._repr_markdown_(), "text/plain": message.text}
    return {"text/html": message._repr_html_(), "text/plain": message.text}
