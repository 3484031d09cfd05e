"""A real upgrade: a learner of an older course opens the new one, and changes over to it."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from in_browser import open_notebook, outputs, run_all, save
from lab_server import COURSE, course_lab
from playwright.sync_api import Page, expect

from course_utils.checking.exercises import exercise
from course_workspace.deliver import prepare
from exercise_kit.reference import reference

pytestmark = [pytest.mark.slow, pytest.mark.more]

expect.set_options(timeout=60_000)

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "assignments/source/02_tensors/02_tensors.ipynb"
STEM = "assignments/02_tensors/02_tensors"
COPY = f"{STEM}.ipynb"
LESSON = "notebooks/02_tensors_on_devices.ipynb"
ANSWER = reference(exercise("tensors.fix_mismatch").path)
OLD, NOTE = "An older wording. ", "A note of my own."


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    """What a learner of an older course has: an answer and a note in 02_tensors."""
    older = tmp_path_factory.mktemp("older")
    for name in ("notebooks", "assignments/source"):
        shutil.copytree(ROOT / name, older / name)
    shutil.copy(ROOT / "course.toml", older)
    for path in (SOURCE, LESSON):
        notebook = nbformat.read(older / path, as_version=4)
        text = next(cell for cell in notebook.cells[2:] if cell.cell_type == "markdown")
        text.source = OLD + text.source
        nbformat.write(notebook, older / path)
    workspace = tmp_path_factory.mktemp("learner") / "我的 course"
    prepare(older, workspace)
    notebook = nbformat.read(workspace / COPY, as_version=4)
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == "fix_mismatch")
    notebook.cells[place].source = ANSWER
    notebook.cells.insert(place, nbformat.v4.new_markdown_cell(NOTE))
    nbformat.write(notebook, workspace / COPY)
    return workspace


@pytest.fixture(scope="module")
def server(workspace) -> Iterator[tuple[str, str]]:
    """A start of its own: that is when a new version comes."""
    with course_lab(workspace) as served:
        yield served


def course(workspace: Path, *arguments: str) -> str:
    for _ in range(3):
        done = subprocess.run(
            [COURSE, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "COURSE_WORKSPACE": str(workspace)},
        )
        if "was saved in the meantime. Run this command again" not in done.stderr:
            break  # JupyterLab saves by itself, at any time
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def texts(page: Page) -> list[str]:
    text = page.evaluate("JSON.stringify(window.jupyterapp.shell.currentWidget.model.toJSON())")
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]


def test_a_reset_shows_when_one_comes_back_and_no_save_undoes_it(page, server, workspace):
    open_notebook(page, server, COPY)
    save(page)
    assert ANSWER in texts(page)
    said = course(workspace, "reset", "tensors.fix_mismatch", "--yes")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.wait_for_function(
        "answer => !window.jupyterapp.shell.currentWidget.model.sharedModel.cells"
        ".some(cell => cell.getSource() === answer)",
        arg=ANSWER,
    )
    save(page)
    assert ANSWER not in (workspace / COPY).read_text()
    (kept,) = re.findall(r"Your answer is in (\S+)\.\n", said)
    notebook = nbformat.read(workspace / COPY, as_version=4)
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == "fix_mismatch")
    notebook.cells[place].source = (workspace / kept).read_text().rstrip("\n")
    nbformat.write(notebook, workspace / COPY)  # for the tests that follow


def test_an_upgrade(page, server, workspace):
    # An untouched lesson is the new version already; beside the assignment it lies, as the page
    # tells.
    assert OLD not in (workspace / "lessons/02_tensors_on_devices.ipynb").read_text()
    assert OLD in (workspace / COPY).read_text()
    address, token = server
    page.goto(f"{address}/lab?token={token}&reset")
    expect(page.get_by_text("Assignment 02_tensors has a new version:")).to_contain_text(
        "02_tensors.new.ipynb, with what you wrote (1 answer)"
    )
    open_notebook(page, server, COPY)
    assert any(text.startswith(OLD) for text in texts(page))
    save(page)
    # Use the new version, as the page says, with the notebook open.
    for old, new in ((COPY, f"{STEM}.old.ipynb"), (f"{STEM}.new.ipynb", COPY)):
        page.evaluate(
            "([from, to]) => window.jupyterapp.serviceManager.contents.rename(from, to)", [old, new]
        )
    open_notebook(page, server, COPY)
    now = texts(page)
    assert now.index(NOTE) == now.index(ANSWER) - 1
    assert not any(text.startswith(OLD) for text in now)
    run_all(page)
    assert "Passed." in json.dumps(outputs(page)["fix_mismatch_check"])
    save(page)
    former = (workspace / f"{STEM}.old.ipynb").read_text()
    assert OLD in former and NOTE in former
    assert f"{COPY}: no problems found." in course(workspace, "doctor", "02_tensors")
