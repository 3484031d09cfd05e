"""Find an exercise's observer and judge by its name, such as "tensors.move_batch"."""

import difflib
import importlib
from typing import Any

from course_utils.checking.contract import Judge, Observer
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest


def observer(name: str) -> Observer:
    """The observer of exercise `name`. Raises CourseError for a name that does not exist."""
    return _find("course_utils.exercises", "OBSERVERS", name)


def judge(name: str) -> Judge:
    """The judge of exercise `name`. Raises CourseError for a name that does not exist."""
    return _find("course_utils.judging", "JUDGES", name)


def exercise_names() -> list[str]:
    """Every exercise of the course, in the order of the manifest."""
    return [
        exercise.name
        for assignment in load_manifest().assignments
        for exercise in assignment.exercises
    ]


def _find(package: str, table: str, name: str) -> Any:
    require_name(name)
    module = importlib.import_module(f"{package}.{name.partition('.')[0]}")
    found = getattr(module, table).get(name)
    if found is None:
        raise CourseError(f"{module.__name__}.{table} has no entry {name!r}: add it there.")
    return found


def require_name(name: object) -> None:
    """Raise CourseError, with the nearest names, unless `name` is an exercise of the course."""
    known = exercise_names()
    if name in known:
        return
    if not isinstance(name, str):
        raise CourseError(
            f"The first argument is the exercise's name, a text such as {known[0]!r}; "
            f"you gave an object of type {type(name).__name__}."
        )
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    advice = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"Known: {known}."
    raise CourseError(f"There is no exercise named {name!r}. {advice}")
