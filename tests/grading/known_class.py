"""A class that hands in the known answers, right and wrong, with the expected outcomes."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from course_grading.results import Graded
from course_utils.checking.exercises import place_of
from exercise_kit.corpus import KnownAnswer, known_answers
from tests.grading.courses import ASSIGNMENTS, ROOT, full_points, references

Met = dict[str, str]
"""The outcome of each exercise of a submission."""


def classmates(
    assignment: str, accepted: int | None, wrong: int | None
) -> Iterator[tuple[str, dict[str, KnownAnswer]]]:
    """The students and their answers: one of every exercise each, until all are used.

    accepted, wrong: the largest number of answers of each exercise; None for all.
    """
    for kind, most in (("accepted", accepted), ("wrong", wrong)):
        answers = {
            each.short: known_answers(place_of(ROOT, each.name), kind)[:most]
            for each in ASSIGNMENTS[assignment].exercises
        }
        for number, row in enumerate(zip_longest(*answers.values()), start=1):
            pairs = zip(answers, row, strict=True)
            yield f"{kind}{number}", {short: each for short, each in pairs if each is not None}


def texts(assignment: str, answers: Mapping[str, KnownAnswer]) -> dict[str, str]:
    """The texts of the cells: these answers, and the reference for exercises without one."""
    return references(assignment, parts=True) | {
        short: each.source for short, each in answers.items()
    }


def expected(assignment: str, answers: Mapping[str, KnownAnswer]) -> Met:
    right = dict.fromkeys(full_points(assignment, parts=True), "passed")
    return right | {short: answer.expected for short, answer in answers.items()}


def met(graded: Graded) -> Met:
    return {
        verdict.exercise.partition(".")[2]: verdict.finding or verdict.kind
        for verdict in graded.verdicts
    }
