"""The one function that an output in a notebook calls when it is answered, or clicked."""

import json
from typing import Any, Protocol

import course_utils
from course_utils.errors import CourseError

CALLS = ("claim", "explore", "predict", "quiz")
"""The functions of `course_utils` that show a form when they are given a key alone."""

CLICKS = ("hint", "rerun", "solution")
"""What the buttons under a check ask for."""


class Answered(Protocol):
    """What takes the place of a form, or goes with what stands under a check."""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]: ...


def answer(request: str) -> Answered:
    """The form that `request` names, answered; or what the button that it names brings.

    request: JSON with `call`, `key` and `answers`, as they stand in a notebook's file. A notebook
        may come from anywhere: names in it are looked up here, and nothing of it is run.

    Raises CourseError if there is no such form or button, or it does not take its answers.
    """
    try:
        asked = json.loads(request)
        call, key, answers = asked["call"], asked["key"], asked["answers"]
        known = call in CALLS + CLICKS and isinstance(key, str) and isinstance(answers, dict)
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise CourseError("This form is none of the course's: run its cell again.")
    if call in CLICKS:
        from course_utils.checking.clicks import clicked

        return clicked(call, key, answers)
    return getattr(course_utils, call)(key).answered(answers)
