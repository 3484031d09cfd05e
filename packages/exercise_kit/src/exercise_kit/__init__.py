"""Programming exercises as data: an answer is checked against the exercise's own answer.

An exercise is a folder: a task, an answer, a table of cases, and known accepted and wrong answers.
The exercise's own answer defines the right facts, and its wrong answers name the mistakes. The
package needs no course, notebook or grader. A course passes the surroundings of an answer as a
`World`.
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
