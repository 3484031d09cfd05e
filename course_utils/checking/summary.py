"""How far a learner is: the path of assignments, what comes next, and when something is done."""

from collections.abc import Collection, Sequence

from course_utils.checking.record import Record
from course_utils.checking.view import GREY, Line, Message
from course_utils.manifest import Assignment, Exercise, load_manifest


def summary(record: Record) -> Message:
    """Each assignment with its exercises and points, what comes next, and the predictions."""
    assignments = load_manifest().assignments
    exercises = [each for assignment in assignments for each in assignment.exercises]
    tried = {event["name"] for event in record.events("check")}
    passed = _passed(record)
    done = [each for each in exercises if each.name in passed]
    return Message("→", GREY, (
        Line(f"{len(done)} of {len(exercises)} exercises passed.", f"{_points(done)}."),
        *(_row(assignment, passed, tried) for assignment in assignments),
        Line("Next:", _next(assignments, passed)),
        *_predictions(record),
    ))  # fmt: skip


def milestone(name: str, record: Record) -> str:
    """What to say after exercise `name` has passed: "" until its whole assignment has."""
    assignments, passed = load_manifest().assignments, _passed(record)
    for assignment in assignments:
        names = {each.name for each in assignment.exercises}
        if name in names and names <= passed:
            return (f"All {len(names)} exercises of `{assignment.name}` are passed: "
                    f"{_points(assignment.exercises)}. Next: {_next(assignments, passed)}")
    return ""


def _passed(record: Record) -> set[str]:
    """The exercises of which a check has passed, now or earlier."""
    return {event["name"] for event in record.events("check") if event.get("outcome") == "Passed"}


def _row(assignment: Assignment, passed: Collection[str], tried: Collection[str]) -> Line:
    marks = "".join("✓" if each.name in passed else "…" if each.name in tried else "○"
                    for each in assignment.exercises)
    points = sum(each.points for each in assignment.exercises if each.name in passed)
    return Line(marks, f"`{assignment.name}` · {points} of {_points(assignment.exercises)}")


def _next(assignments: Sequence[Assignment], passed: Collection[str]) -> str:
    for assignment in assignments:
        for exercise in assignment.exercises:
            if exercise.name not in passed:
                return (f"“{exercise.title}” in `{assignment.name}` (`{exercise.name}`, about "
                        f"{exercise.minutes} minutes).")
    return "nothing. You have solved every exercise of the course."


def _points(exercises: Sequence[Exercise]) -> str:
    points = sum(each.points for each in exercises)
    return f"{points} point{'' if points == 1 else 's'}"


def _predictions(record: Record) -> list[Line]:
    latest = {event["name"]: event for event in record.events("reveal")}
    right = sum(bool(event.get("right")) for event in latest.values())
    return [Line("", f"{right} of {len(latest)} predictions came true.")] if latest else []
