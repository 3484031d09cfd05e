"""`course project`: whose each part of the program is, and which one comes next."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from course_utils.manifest import Course
from course_workspace.program.filling import FOLDER, PartState, states

_WORDS = {
    "early": "the course's early form",
    "by hand": "changed by hand",
    "missing": "not there under this name",
}


def overview(course: Course, workspace: Path) -> tuple[Table, str]:
    """A table of the parts, and a sentence on the next one.

    Raises CourseError if the program is not there, or cannot be read.
    """
    found = states(workspace)
    table = Table(title=f"{workspace / FOLDER}", title_justify="left", box=None, pad_edge=False)
    for heading in ("part", "in", "lesson", "whose"):
        table.add_column(heading, header_style="dim", no_wrap=True)
    for state in found:
        style = {"passed": "bold", "early": "dim"}.get(state.whose, "")
        hole = state.hole
        table.add_row(hole.name, hole.file, hole.lesson, _whose(state), style=style)
    return table, _next(course, found)


def _whose(state: PartState) -> str:
    if state.whose != "passed":
        return _WORDS[state.whose]
    day = time.localtime(state.since)
    return f"yours since {day.tm_mday} {time.strftime('%B %Y', day)}"


def _next(course: Course, found: Sequence[PartState]) -> str:
    early = {state.hole.exercise: state.hole for state in reversed(found) if state.whose == "early"}
    for assignment in course.assignments:
        for exercise in assignment.exercises:
            if hole := early.get(exercise.name):
                return (
                    f"Next: `{hole.name}`, which lesson {hole.lesson} is about. “{exercise.title}” "
                    f"in assignment {assignment.name} asks for it."
                )
    return "Every part that an exercise asks for is yours."
