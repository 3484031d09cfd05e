"""One page with all lessons, made of their pages, for printing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

PAGE = "lessons/print"
OPENER = """\
<p class="opener"><button type="button" onclick="
  for (const each of document.querySelectorAll('details.hide')) each.open = true;
">Open every answer</button></p>
"""


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    lessons = sorted(
        name
        for name in app.env.all_docs
        if name.startswith("lessons/") and name.removeprefix("lessons/")[0].isdigit()
    )
    pages = [article(Path(app.outdir) / f"{name}.html", name.split("/")[1]) for name in lessons]
    body = OPENER + "\n".join(f'<div class="lesson">{page}</div>' for page in pages)
    yield PAGE, {"title": "All lessons on one page", "body": body}, "page.html"


def article(page: Path, name: str) -> str:
    """The article of a page as HTML; its anchors get the prefix `name`, so that they are unique."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    found = soup.find("article")
    assert isinstance(found, Tag), page
    for tag in found.find_all(id=True):
        tag["id"] = f"{name}-{tag['id']}"
    for link in found.find_all("a", href=True):
        href = str(link["href"])
        if href.startswith("#"):
            link["href"] = f"#{name}-{href[1:]}"
    return found.decode_contents()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-collect-pages", collect)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
