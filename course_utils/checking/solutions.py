"""Whether a learner may see the solution of an exercise: as `solutions` in course.toml says."""

from datetime import UTC, datetime

from course_utils.manifest import load_manifest
from exercise_kit.folder import Exercise
from exercise_kit.reference import has_reference


def withheld(known: Exercise) -> str:
    """Why its solution is not shown now, in a sentence; "" where it is.

    Tasks inside lessons are never graded: theirs are shown to everybody.
    """
    if not has_reference(known.path):
        return "The solution is not on this machine."
    course = load_manifest()
    if course.solutions == "always" or course.task(known.name):
        return ""
    if course.solutions == "never":
        return "This course shows no solutions of its assignments."
    due = course.assignment_of(known.name).due
    if due is None:
        return "It is shown after the due date, and your instructor has set none yet."
    if datetime.now(UTC) < due:
        return f"It is shown after the due date, {due.astimezone():%-d %B %Y, %H:%M}."
    return ""
