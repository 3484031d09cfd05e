"""The content map: where each concept and each erratum is taught, for people and for programs.

It is read from the lessons.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from course_authoring.conversion import notebook_from_text
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.manifest import Course, load_manifest

APPENDIX = "appendix"

_WIDTH = 110
_CODE = re.compile(r"[CE]\d{2,3}[a-z]?")
_LEGEND = """\
Exercises are in minutes. A concept (C050) is something that a lesson teaches; an
erratum (E02) is a mistake, common in notes and posts, that it puts right. By name:
  course map 02       a lesson: its exercises, and the sections that teach each concept
  course map C050     a concept, or an erratum: where it is taught
  course map --all    all of them"""

_HEADING = re.compile(r"^## (.+?)(?: · \d+ min)?$", flags=re.M)


@dataclass(frozen=True)
class TaughtIn:
    """A section of a lesson that teaches an id, and the slugs of the cells that do.

    In the place of a lesson, a page for reference stands by its file's name, the one for errata
    that no lesson takes up as "appendix"; they have no cells.
    """

    lesson: str
    section: str
    cells: tuple[str, ...] = ()


def content_map(root: Path, course: Course) -> dict[str, list[TaughtIn]]:
    """The places of every id ("C050", "E05"), in the order of ids and lessons.

    Raises CourseError if the text of a lesson cannot become a notebook, or a page cannot be read.
    """
    places: dict[str, list[TaughtIn]] = {}
    for lesson in course.lessons:
        for name, section, slugs in _taught(root / "notebooks" / "text" / f"{lesson.notebook}.py"):
            place = TaughtIn(lesson.number, section, tuple(slugs))
            places.setdefault(name, []).append(place)
    appendix = course.appendix.page if course.appendix else ""
    pages = {each.name for each in root.glob("notebooks/*.md")} | ({appendix} - {""})
    for page in sorted(pages):
        for name, section in _explained(root / "notebooks" / page):
            place = TaughtIn(APPENDIX if page == appendix else page, section)
            places.setdefault(name, []).append(place)
    in_order = sorted(places, key=lambda name: (name[0], len(name), name))
    return {name: places[name] for name in in_order}


def meanings(root: Path) -> dict[str, str]:
    """What each id means, in words. Raises CourseError if concepts.toml cannot be read."""
    page = root / "notebooks" / "concepts.toml"
    with explained(page):
        words = tomllib.loads(page.read_text(encoding="utf-8"))
    return {**words["concepts"], **words["errata"]}


def _taught(text: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Each id of a lesson with a section and the slugs of the section's cells that teach it."""
    section = ""
    found: dict[tuple[str, str], list[str]] = {}
    for cell in notebook_from_text(text.read_text(encoding="utf-8")).cells:
        if cell.cell_type == "markdown":
            section = (_HEADING.findall(cell.source) or [section])[-1]
        for name in (*cell.metadata.get("concepts", ()), *cell.metadata.get("errata", ())):
            found.setdefault((name, section), []).append(cell.metadata["slug"])
    for (name, where), slugs in found.items():
        yield name, where, slugs


def _explained(page: Path) -> Iterator[tuple[str, str]]:
    """Each id that a comment in a page names, with the heading above the comment."""
    with explained(page):
        text = page.read_text(encoding="utf-8")
    comment = r"^#+ (.+)\n<!-- (?:concepts|errata): (.+) -->$"
    for section, names in re.findall(comment, text, flags=re.M):
        for name in names.split(", "):
            yield name, section


def overview(root: Path) -> str:
    """A line for each lesson, and what the columns mean."""
    course = load_manifest(root / "course.toml")
    heads = "Lesson Hours Assignment Exercises Minutes Points Concepts Errata"
    table = _table("", *heads.split())
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
    parts = [course.find(name) for name in names if name != APPENDIX and not _CODE.fullmatch(name)]
    exercises = _table("Exercise", "What it asks for", "Kind", "Minutes", "Points")
    for each in dict.fromkeys(each for part in parts for each in part.exercises):
        exercises.add_row(each.name, each.title, each.kind, str(each.minutes), str(each.points))
    codes = _table("Code", "What it is", "Where")
    for code, places in _chosen(root, course, names):
        where = "\n".join(f"{place.lesson}  {place.section}" for place in places)
        codes.add_row(code, words[code], where)
    return "\n\n".join(_drawn(table) for table in (exercises, codes) if table.row_count)


def map_as_json(root: Path, names: Sequence[str]) -> str:
    """The codes as JSON, with the slugs of the cells. Raises CourseError as `map_as_table` does."""
    words = meanings(root)
    entries = {
        code: {"meaning": words[code], "places": [asdict(place) for place in places]}
        for code, places in _chosen(root, load_manifest(root / "course.toml"), names)
    }
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _chosen(root: Path, course: Course, names: Sequence[str]) -> list[tuple[str, list[TaughtIn]]]:
    places = content_map(root, course)
    codes, lessons = set(), set()
    for name in names:
        if name == APPENDIX:
            lessons.add(APPENDIX)
        elif _CODE.fullmatch(name):
            codes.add(name)
        else:
            part = course.find(name)
            if part.assignment is None or part.exercises == part.assignment.exercises:
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


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE, pad_edge=False)


def _drawn(table: Table) -> str:
    console = Console(width=_WIDTH, no_color=True, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines()).strip("\n")
