"""Contradictions between entries of a manifest, each of which is valid on its own."""

from collections import Counter
from collections.abc import Iterable, Iterator

from course_utils.manifest_entries import Course
from course_utils.nearest import suggestion


def problems(course: Course) -> Iterator[str]:
    """Names that are used twice, and lessons and assignments that do not refer to each other."""
    again = "its {} is used twice; rename or remove one"
    for number in _twice(lesson.number for lesson in course.lessons):
        yield f"lesson {number}: {again.format('number')}"
    for name in _twice(assignment.name for assignment in course.assignments):
        yield f"assignment {name}: {again.format('name')}"
    for assignment in course.assignments:
        for exercise in assignment.exercises:
            if exercise.name != (should := f"{assignment.topic}.{exercise.short}"):
                place = f"it is in assignment {assignment.name}"
                yield f'exercise {exercise.name}: {place}; rename it to "{should}"'
    for name in _twice((*course.exercise_names, *(each.name for each in course.dropped))):
        yield f"exercise {name}: {again.format('name')}"
    parts = {*course.exercise_names, *(assignment.name for assignment in course.assignments)}
    parts |= {lesson.notebook for lesson in course.lessons}
    for old, new in course.renamed.items():
        if new not in parts:
            yield f"[[renamed]] {old}: {new} is unknown; {suggestion(new, parts)}"
        if old in parts:
            yield f"[[renamed]] {old}: this version has that name too; remove the entry"
    for name in _twice(course.appendix.errata if course.appendix else ()):
        yield f"[appendix]: errata has {name} twice; remove one"
    by_number = {lesson.number: lesson for lesson in course.lessons}
    names = [assignment.name for assignment in course.assignments]
    for lesson in course.lessons:
        here = f"lesson {lesson.number}"
        for key in ("prerequisites", "concepts", "errata"):
            for name in _twice(getattr(lesson, key)):
                yield f"{here}: {key} has {name} twice; remove one"
        for number in lesson.prerequisites:
            if number not in by_number:
                hint = suggestion(number, by_number)
                yield f"{here}: the prerequisite {number} is not a lesson; {hint}"
            if number >= lesson.number:
                yield f"{here}: the prerequisite {number} is not an earlier lesson; remove it"
        if lesson.assignment is not None and lesson.assignment not in names:
            hint = suggestion(lesson.assignment, names)
            yield f"{here}: the assignment {lesson.assignment} is unknown; {hint}"
        if course.appendix and (both := set(lesson.errata) & set(course.appendix.errata)):
            yield f"[appendix]: {min(both)} is also in {here}; keep it in one place"
    for assignment in course.assignments:
        here = f"assignment {assignment.name}"
        if assignment.lesson not in by_number:
            hint = suggestion(assignment.lesson, by_number)
            yield f"{here}: the lesson {assignment.lesson} is unknown; {hint}"
        elif by_number[assignment.lesson].assignment != assignment.name:
            yield (
                f"{here}: lesson {assignment.lesson} does not name it; "
                f'write assignment = "{assignment.name}" there'
            )


def _twice(names: Iterable[str]) -> Iterator[str]:
    return (name for name, count in Counter(names).items() if count > 1)
