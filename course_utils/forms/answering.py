"""The one function that a form in a notebook calls when it is answered."""

import json

import course_utils
from course_utils.errors import CourseError
from course_utils.forms.form import Form

CALLS = ("claim", "explore", "predict", "quiz")
"""The functions of `course_utils` that show a form when they are given a key alone."""


def answer(request: str) -> Form:
    """The form that `request` names, answered.

    request: JSON with `call`, `key` and `answers`, as they stand in a notebook's file. A notebook
        may come from anywhere: names in it are looked up here, and nothing of it is run.

    Raises CourseError if there is no such form, or a field does not take its answer.
    """
    try:
        asked = json.loads(request)
        call, key, answers = asked["call"], asked["key"], asked["answers"]
        known = call in CALLS and isinstance(key, str) and isinstance(answers, dict)
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise CourseError("This form is none of the course's: run its cell again.")
    return getattr(course_utils, call)(key).answered(answers)
