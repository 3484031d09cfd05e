"""Programming exercises as data, checked by what their own answers do.

An exercise is a folder: a task, an answer, a table of cases, and known right and wrong answers. The
answer says what is right; the wrong ones give what went wrong its name. Nothing here knows a
course, a notebook or a grader: what surrounds an answer is handed in as a `World`.
"""

from exercise_kit.contract import Case, Facts, Finding, Judge, Observer, Raise, Raises
from exercise_kit.errors import ExerciseError
from exercise_kit.judging import Look
from exercise_kit.observers import OneCall

__all__ = [
    "Case",
    "ExerciseError",
    "Facts",
    "Finding",
    "Judge",
    "Look",
    "Observer",
    "OneCall",
    "Raise",
    "Raises",
]
