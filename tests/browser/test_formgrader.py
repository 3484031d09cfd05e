"""Formgrader over a graded class, in a real browser: what one sees there, and what cannot act."""

import os
import re
import sys
from pathlib import Path

import pytest
from lab_server import serving
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from playwright.sync_api import expect

from tests.grading.courses import Class, filled_in, full_points, references

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(900)]

NAME = "02_tensors"
COMMANDS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
RUN = "window.ran = (window.ran || 0) + 1"
ACTIVE = {
    "text/html": f"<script>{RUN}</script><img src='x' onerror='{RUN}'>",
    "image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg' onload='{RUN}'>"
    f"<script>{RUN}</script></svg>",
    "application/javascript": RUN,
    "text/markdown": f"<script>{RUN}</script> [x](javascript:{RUN}) <b onclick='{RUN}'>b</b>",
    "text/latex": f"</script><script>{RUN}</script>",
}


def hostile() -> dict:
    """A right notebook whose outputs, texts and metadata try to run in the instructor's page."""
    notebook = filled_in(NAME, references(NAME))
    outputs = [
        new_output("display_data", {mime: text, "text/plain": "?"}) for mime, text in ACTIVE.items()
    ]
    outputs.append(new_output("stream", name="stdout", text=f"<script>{RUN}</script>"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs
    own = [
        new_markdown_cell(
            f"<script>{RUN}</script>\n\n<img src='x' onerror='{RUN}'>\n\n"
            f"<form action='/logout'><button>Next</button></form>"
        ),
        new_code_cell("1", outputs=outputs, metadata={"tags": [f"'><script>{RUN}</script>"]}),
        new_code_cell(f'"</pre><script>{RUN}</script>"', outputs=outputs),
    ]
    notebook["cells"][2:2] = own
    return notebook


def honest() -> dict:
    """As handed in by somebody who printed a table of his own, and wrote a word."""
    notebook = filled_in(NAME, references(NAME))
    table = {"text/html": "<table><tr><td>a cell of the table</td></tr></table>", "text/plain": "t"}
    notebook["cells"][2:2] = [
        new_markdown_cell("Why I **did** this: `a < b`."),
        new_code_cell("table", outputs=[new_output("display_data", table)]),
    ]
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Class:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", COMMANDS)  # nbgrader calls alembic by its name
        course = Class.release(tmp_path_factory.mktemp("class"), NAME)
    course.hand_in("ada", {}, notebook=honest())
    course.hand_in("mallory", {}, notebook=hostile())
    report = course.grade()
    assert {each.student for each in report.graded} == {"ada", "mallory"}
    return course


@pytest.fixture(scope="module")
def server(graded):
    """nbgrader's formgrader over that class."""
    command = [sys.executable, "-m", "jupyterlab", "--allow-root"]
    with serving(command, graded.root, {"PATH": COMMANDS}) as served:
        yield served


def submission(page, graded, server, student: str) -> None:
    """Open the page in which an instructor grades what a student handed in."""
    address, token = server
    with graded.gradebook() as book:
        identity = book.find_submission_notebook(NAME, NAME, student).id
    page.goto(f"{address}/lab?token={token}")
    page.goto(f"{address}/formgrader/submissions/{identity}/")
    expect(page.locator("body")).to_contain_text("move_batch")


def test_the_page_shows_the_answers_their_outputs_and_the_points(page, graded, server):
    submission(page, graded, server, "ada")
    expect(page.get_by_role("cell", name="a cell of the table")).to_be_visible()
    expect(page.locator("body")).to_contain_text("Why I did this: a < b.")
    points = page.locator("input.score")
    expect(points.last).to_have_attribute("placeholder", re.compile(r"\d"))  # once they are loaded
    scores = [float(each.get_attribute("placeholder")) for each in points.all()]
    assert sorted(scores) == sorted(full_points(NAME).values())


def test_nothing_of_a_hostile_submission_runs_there(page, graded, server):
    submission(page, graded, server, "mallory")
    page.wait_for_load_state("load")
    assert page.evaluate("window.ran") is None
    assert page.locator("form[action='/logout']").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0


def test_without_our_setting_it_would_run(page, graded):
    """So that the test above cannot pass for another reason."""
    notebook = graded.folder("mallory", "autograded") / f"{NAME}.ipynb"
    html, _ = HTMLExporter().from_filename(str(notebook))
    page.set_content(html)
    assert page.evaluate("window.ran")
