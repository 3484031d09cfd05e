"""The content map as people read it, and as programs do."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from course_utils.authoring.content_map import APPENDIX, Place, content_map, meanings
from course_utils.errors import CourseError
from course_utils.manifest import Course, Exercise, Part, load_manifest

Row = tuple[str, list[Place]]

_WIDTH = 110
_CODE = re.compile(r"[CE]\d{2,3}[a-z]?")
_LEGEND = """\
Exercises are in minutes. A concept (C050) is something that a lesson teaches; an
erratum (E02) is a mistake, common in notes and posts, that it puts right. By name:
  course map 02       a lesson: its exercises, and the sections that teach each concept
  course map C050     a concept, or an erratum: where it is taught
  course map --all    all of them"""


def overview(root: Path) -> str:
    """A line for each lesson, and what the columns mean."""
    course = load_manifest(root / "course.toml")
    table = _table(
        "",
        "Lesson",
        "Hours",
        "Assignment",
        "Exercises",
        "Minutes",
        "Points",
        "Concepts",
        "Errata",
    )
    for lesson in course.lessons:
        part = course.find(lesson.number)
        table.add_row(
            lesson.number,
            lesson.title,
            lesson.time.split()[0],
            part.assignment.name if part.assignment else "–",
            str(len(part.exercises)),
            str(sum(each.minutes for each in part.exercises)),
            str(sum(each.points for each in part.exercises)),
            str(len(lesson.concepts)),
            str(len(lesson.errata)),
        )
    if course.appendix:
        table.add_row("", course.appendix.page, *[""] * 6, str(len(course.appendix.errata)))
    return f"{_drawn(table)}\n\n{_LEGEND}"


def map_as_table(root: Path, names: Sequence[str]) -> str:
    """The exercises of what is named, and a line for each code: what it means, where it is taught.

    names: codes ("C050", "E02"), parts of the course, "appendix"; all codes if there are none.
    Raises CourseError for a name that is none of these.
    """
    words = meanings(root)
    course = load_manifest(root / "course.toml")
    codes = _table("Code", "What it is", "Where")
    for code, places in _chosen(root, course, names):
        where = "\n".join(f"{place.lesson}  {place.section}" for place in places)
        codes.add_row(code, words[code], where)
    tables = [*_exercises(course, names), codes]
    return "\n\n".join(_drawn(table) for table in tables if table.row_count)


def map_as_json(root: Path, names: Sequence[str]) -> str:
    """The codes as JSON, with the slugs of the cells. Raises CourseError as `map_as_table` does."""
    words = meanings(root)
    entries = {
        code: {"meaning": words[code], "places": [asdict(place) for place in places]}
        for code, places in _chosen(root, load_manifest(root / "course.toml"), names)
    }
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _exercises(course: Course, names: Iterable[str]) -> list[Table]:
    found: dict[str, Exercise] = {}
    for name in names:
        if not _CODE.fullmatch(name) and name != APPENDIX:
            found |= {each.name: each for each in course.find(name).exercises}
    table = _table("Exercise", "What it asks for", "Kind", "Minutes", "Points")
    for each in found.values():
        table.add_row(each.name, each.title, each.kind, str(each.minutes), str(each.points))
    return [table]


def _chosen(root: Path, course: Course, names: Sequence[str]) -> list[Row]:
    places = content_map(root, course)
    codes, lessons = set(), set()
    for name in names:
        if name == APPENDIX:
            lessons.add(APPENDIX)
        elif _CODE.fullmatch(name):
            codes.add(name)
        elif not _is_one_exercise(part := course.find(name)):
            lessons.add(part.lesson.number)
    if unknown := sorted(codes - set(places)):
        raise CourseError(
            f"The content map has no {' and no '.join(unknown)}: `course map --all` "
            "prints every code."
        )
    return [
        (code, found)
        for code, found in places.items()
        if not names or code in codes or any(place.lesson in lessons for place in found)
    ]


def _is_one_exercise(part: Part) -> bool:
    return part.assignment is not None and part.exercises != part.assignment.exercises


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE, pad_edge=False)


def _drawn(table: Table) -> str:
    console = Console(width=_WIDTH, no_color=True, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines()).strip("\n")
