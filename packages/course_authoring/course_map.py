"""The map of the course: the minutes and points of each lesson, and their sums."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from course_utils.manifest import Course, ExerciseEntry

_WIDTH = 110


def overview(course: Course) -> str:
    """A table with a line for each lesson, and one for their sums."""
    heads = "Lesson Minutes Assignment Exercises Minutes Points"
    table = _table("", *heads.split())
    for lesson in course.lessons:
        assignment = course.find(lesson.number).assignment
        row = _exercises_in(assignment.exercises if assignment else ())
        name = assignment.name if assignment else "–"
        table.add_row(lesson.number, lesson.title, f"{lesson.minutes}", name, *row)
    in_lessons = sum(lesson.minutes for lesson in course.lessons)
    table.add_section()
    table.add_row("", "together", f"{in_lessons:,}", "", *_exercises_in(course.exercises))
    return f"{_drawn(table)}\n\n`course map 02` lists the exercises of lesson 02."


def exercises_of(course: Course, names: Sequence[str]) -> str:
    """A table with a line for each exercise of `names`, and one for their sums.

    names: of lessons, topics, assignments or exercises. Raises CourseError for any other.
    """
    found = dict.fromkeys(each for name in names for each in course.find(name).exercises)
    table = _table("Exercise", "Title", "Kind", "Minutes", "Points")
    for each in found:
        table.add_row(each.name, each.title, each.kind, f"{each.minutes}", f"{each.points}")
    table.add_section()
    count, *sums = _exercises_in(tuple(found))
    table.add_row("together", count, "", *sums)
    return _drawn(table)


def _exercises_in(exercises: Sequence[ExerciseEntry]) -> tuple[str, str, str]:
    """The number of exercises, and the sums of their minutes and points."""
    minutes = sum(each.minutes for each in exercises)
    points = sum(each.points for each in exercises)
    return f"{len(exercises)}", f"{minutes:,}", f"{points:,}"


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE, pad_edge=False)


def _drawn(table: Table) -> str:
    console = Console(width=_WIDTH, no_color=True, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines()).strip("\n")
