"""The learner's progress as a message."""

from course_utils.checking.record import Record
from course_utils.checking.view import GREY, Line, Message
from course_utils.manifest import load_manifest


def summary(record: Record) -> Message:
    """One line per exercise in the order of the course, then the predictions."""
    lines: list[Line] = []
    done = total = 0
    for assignment in load_manifest().assignments:
        for exercise in assignment.exercises:
            checks = record.events("check", exercise.name)
            passed = any(event.get("outcome") == "Passed" for event in checks)
            hints = len(record.events("hint", exercise.name))
            total += 1
            done += passed
            lines.append(Line(_state(passed, len(checks)), f"{exercise.name} · {exercise.title}"
                                                           f"{_with_hints(hints)}"))
    lines.insert(0, Line(f"{done} of {total} exercises passed.", _predictions(record)))
    return Message("→", GREY, tuple(lines))


def _state(passed: bool, checks: int) -> str:
    if passed:
        return "✓ passed"
    return f"… tried {checks}×" if checks else "○ open"


def _with_hints(count: int) -> str:
    return f" ({count} hint{'s' if count > 1 else ''})" if count else ""


def _predictions(record: Record) -> str:
    latest = {event["name"]: event for event in record.events("reveal")}
    right = sum(bool(event.get("right")) for event in latest.values())
    return f"{right} of {len(latest)} predictions came true." if latest else ""
