"""`course project`: who wrote each part of the program, and the next part."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from course_utils.manifest import Course
from course_workspace.program.filling import FOLDER, PartState, states

_WORDS = {
    "early": "the course's first version",
    "edited": "edited by you",
    "missing": "not found under this name",
}


def overview(course: Course, workspace: Path) -> tuple[Table, str]:
    """A table of the parts, and a sentence on the next one.

    Raises CourseError if the program is missing, or cannot be read.
    """
    found = states(workspace)
    table = Table(title=f"{workspace / FOLDER}", title_justify="left", box=None, pad_edge=False)
    for heading in ("part", "in", "lesson", "state"):
        table.add_column(heading, header_style="dim", no_wrap=True)
    for state in found:
        style = {"passed": "bold", "early": "dim"}.get(state.origin, "")
        hole = state.hole
        table.add_row(hole.name, hole.file, hole.lesson, _origin(state), style=style)
    return table, _next(course, found)


def _origin(state: PartState) -> str:
    if state.origin != "passed":
        return _WORDS[state.origin]
    day = time.localtime(state.since)
    return f"yours since {day.tm_mday} {time.strftime('%B %Y', day)}"


def _next(course: Course, found: Sequence[PartState]) -> str:
    by_course = (state.hole for state in reversed(found) if state.origin == "early")
    early = {hole.exercise: hole for hole in by_course}
    for assignment in course.assignments:
        for exercise in assignment.exercises:
            if hole := early.get(exercise.name):
                return (
                    f"Next: `{hole.name}`, in lesson {hole.lesson}. Solve “{exercise.title}” "
                    f"in assignment {assignment.name}."
                )
    return "You have written every part that an exercise asks for."
