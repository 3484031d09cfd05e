"""The pages of the site, and the content of a page, read from its file."""

from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from course_utils.manifest import load_manifest

ROOT = Path(__file__).resolve().parents[2]
COURSE = load_manifest()
PAGES = [
    "index",
    "search",
    "genindex",
    "virtual_cuda",
    "virtual_cuda_architecture",
    "api/index",
    "lessons/index",
    "lessons/print",
    "lessons/errors",
    "lessons/glossary",
    "lessons/reference",
    "lessons/if_you_come_from_these_notes",
    "guides/learners",
    "guides/instructors",
    "guides/syllabi",
    "guides/teaching",
    "guides/authors",
    "guides/exercises",
    "guides/other_ways",
    "assignments/index",
    *(f"lessons/{lesson.notebook}" for lesson in COURSE.lessons),
    *(f"assignments/{entry.name}/{entry.name}" for entry in COURSE.assignments),
]


@cache
def read(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in read(page).find_all(id=True))


def cells(page: Path) -> dict[str, Tag]:
    """The code cells of a page, by their text without white space."""
    return {
        squeezed(code.get_text()): cell
        for cell in read(page).select("div.cell")
        if (code := cell.select_one(".cell_input pre"))
    }


def squeezed(text: str) -> str:
    return "".join(text.split())
