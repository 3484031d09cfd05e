"""Whether a learner may see the solution of an exercise, by `solutions` in course.toml."""

from datetime import UTC, datetime

from course_utils.manifest import load_manifest
from exercise_kit.folder import Exercise
from exercise_kit.reference import has_reference


def withheld(known: Exercise) -> str:
    """The reason why the solution is not shown now, in a sentence; "" if it is shown.

    Tasks inside lessons are never graded, so their solutions are always shown.
    """
    if not has_reference(known.path):
        return "The solution is not on this machine."
    course = load_manifest()
    if course.solutions == "always" or course.task(known.name):
        return ""
    if course.solutions == "never":
        return "This course does not show the solutions of its assignments."
    due = course.assignment_of(known.name).due
    if due is None:
        return "It is shown after the due date, which your instructor has not set yet."
    if datetime.now(UTC) < due:
        return f"It is shown after the due date, {due.astimezone():%-d %B %Y, %H:%M}."
    return ""
