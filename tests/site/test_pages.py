"""The site's pages, as files: what is there, what it leads to, and what it keeps to itself."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from site_pages import PAGES, ROOT, anchors, cells, read, squeezed

from course_utils.checking.exercises import exercise
from course_utils.manifest import load_manifest

COURSE = load_manifest()
LESSONS = [lesson.notebook for lesson in COURSE.lessons]
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
FROM_ELSEWHERE = re.compile(r"""(?:url\(|@import|fetch\(|import\()\s*["']?(?:https?:)?//""")

# the first test waits for the build
pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(3600)]


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_the_build_has_no_word_of_warning(log):
    assert "build succeeded." in log
    assert not re.search(r": (WARNING|ERROR): ", log)


def test_every_page_is_there(site):
    assert [page for page in PAGES if not (site / f"{page}.html").is_file()] == []


def test_a_progress_bar_is_shown_when_it_is_done(site):
    """As on a screen, where each bar is drawn over the one before; that of the first images."""
    for name in LESSONS:
        for block in read(site / f"lessons/{name}.html").select(".cell_output .highlight pre"):
            bars = re.findall(r"^drawing shapes: .*$", block.get_text(), re.MULTILINE)
            assert all("100%|" in bar for bar in bars), (name, block.get_text())


def test_nothing_is_loaded_from_the_network(site):
    found = []
    for page in pages(site):
        for tag in read(page).find_all([*LOADING, "link"]):
            loads = tag.get(LOADING.get(tag.name, "href")) or ""
            if urlsplit(loads).netloc:
                found.append((page.name, loads))
    for file in [*site.rglob("*.css"), *site.rglob("*.js")]:
        found += [(file.name, hit[0]) for hit in FROM_ELSEWHERE.finditer(file.read_text())]
    assert found == []


def test_every_internal_link_and_anchor_leads_somewhere(site):
    lost = []
    for page in pages(site):
        for link in read(page).find_all("a", href=True):
            place = urlsplit(link["href"])
            if place.scheme:
                continue
            target = (page.parent / unquote(place.path)).resolve() if place.path else page
            anchor = unquote(place.fragment)
            if not target.is_file() or (anchor and anchor not in anchors(target)):
                lost.append((page.relative_to(site).as_posix(), link["href"]))
    assert lost == []


def test_no_anchor_of_a_page_is_there_twice(site):
    for page in pages(site):
        assert len(read(page).find_all(id=True)) == len(anchors(page)), page


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_question_shows_its_answer(site, lesson):
    source = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4)
    answering = [
        cell.source
        for cell in source.cells
        if cell.cell_type == "code" and re.search(r"\b(reveal|verdict)\(", cell.source)
    ]
    asking = [cell for cell in source.cells if cell.source.startswith(("predict(", "claim("))]
    assert len(answering) == len(asking)
    assert asking or lesson[:2] in ("01", "02")  # where one decides by oneself
    for page in (f"{lesson}.html", "print.html"):
        found = cells(site / "lessons" / page)
        for cell in answering:
            outputs = found[squeezed(cell)].select(".cell_output")
            assert outputs, cell
            for output in outputs:
                folded = output.find_parent("details")
                assert folded is not None and not folded.has_attr("open"), cell
                assert "Predict first, then open" in folded.summary.get_text()


def test_no_page_has_a_solution(site):
    solutions = {}
    for entry in COURSE.assignments:
        source = nbformat.read(
            ROOT / "assignments" / "source" / entry.name / f"{entry.name}.ipynb", as_version=4
        )
        known = squeezed("\n".join(cell.source for cell in source.cells))
        for each in entry.exercises:
            answer = (exercise(each.name).path / "answer.py").read_text(encoding="utf-8")
            (solution,) = re.findall(r"### BEGIN SOLUTION\n(.*)### END SOLUTION", answer, re.DOTALL)
            assert squeezed(solution) in known  # so it would be found
            solutions[each.name] = squeezed(solution)
    for page in pages(site):
        text = squeezed(read(page).get_text())
        assert [name for name, solution in solutions.items() if solution in text] == [], page


def test_every_picture_has_words(site):
    for page in pages(site):
        assert [img["src"][:80] for img in read(page).find_all("img") if not img.get("alt")] == []
