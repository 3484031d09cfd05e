"""What a page of the site says, from its file."""

from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[2]


@cache
def read(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in read(page).find_all(id=True))


def cells(page: Path) -> dict[str, Tag]:
    """The code cells of a page, by what they hold without white space."""
    return {
        squeezed(code.get_text()): cell
        for cell in read(page).select("div.cell")
        if (code := cell.select_one(".cell_input pre"))
    }


def squeezed(text: str) -> str:
    return "".join(text.split())
