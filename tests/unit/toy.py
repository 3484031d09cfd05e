"""The exercise of tests/toy_course: double a number. It needs no device."""

from pathlib import Path
from typing import Any

from course_utils.checking.beside import Beside
from course_utils.checking.engine import examine
from course_utils.checking.exercises import ExerciseFolder
from course_utils.checking.outcomes import Report

COURSE = Path(__file__).resolve().parents[1] / "toy_course"
TOY = ExerciseFolder("toy.double", COURSE)


def look(answer: Any, seed: str | None = None) -> Report:
    """What comes of an answer to the toy exercise."""
    return examine(TOY.name, TOY.judge, Beside(TOY.observer, answer), seed)
