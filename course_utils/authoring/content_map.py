"""The content map: where each concept and each erratum is taught, read from the lessons."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from course_utils.authoring.conversion import notebook_from_text
from course_utils.authoring.files import explained
from course_utils.manifest import Course

APPENDIX = "appendix"

_HEADING = re.compile(r"^## (.+?)(?: · \d+ min)?$", flags=re.M)


@dataclass(frozen=True)
class Place:
    """A section of a lesson that teaches an id, and the slugs of the cells that do.

    The lesson "appendix" has no cells.
    """

    lesson: str
    section: str
    cells: tuple[str, ...] = ()


def content_map(root: Path, course: Course) -> dict[str, list[Place]]:
    """The places of every id ("C050", "E05"), in the order of ids and lessons.

    Raises CourseError if the text of a lesson cannot become a notebook, or if the page of the
    appendix cannot be read.
    """
    places: dict[str, list[Place]] = {}
    for lesson in course.lessons:
        for name, section, slugs in _taught(root / "notebooks" / "text" / f"{lesson.notebook}.py"):
            place = Place(lesson.number, section, tuple(slugs))
            places.setdefault(name, []).append(place)
    if course.appendix:
        for name, section in _corrected(root / "notebooks" / course.appendix.page):
            places.setdefault(name, []).append(Place(APPENDIX, section))
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


def _corrected(page: Path) -> Iterator[tuple[str, str]]:
    """Each erratum of the appendix with the heading above the comment that names it."""
    with explained(page):
        text = page.read_text(encoding="utf-8")
    for section, names in re.findall(r"^#+ (.+)\n<!-- errata: (.+) -->$", text, flags=re.M):
        for name in names.split(", "):
            yield name, section
