"""The start page in a real JupyterLab."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import nbformat
import pytest
from in_browser import open_notebook, outputs, run_all, write_notebook
from lab_server import COURSE, RUNTIME, started
from playwright.sync_api import Page, expect

from course_utils.checking.exercises import exercise
from course_utils.manifest import load_manifest
from exercise_kit.reference import reference

pytestmark = [pytest.mark.slow, pytest.mark.more]

expect.set_options(timeout=60_000)

MANIFEST = load_manifest()
EXERCISE = MANIFEST.assignments[1].exercises[0]
NOTEBOOK = "lessons/solved.ipynb"
CELLS = {
    "progress": "progress()",  # of which nothing was imported
    "import": "from course_utils import check",
    "answer": reference(exercise(EXERCISE.name).path),
    "check": f'check("{EXERCISE.name}", {EXERCISE.short})',
}
HERE = "window.jupyterapp.shell.currentWidget"


@pytest.fixture
def start(page, server) -> Page:
    """A fresh session, with the record of a learner who has done nothing."""
    address, token = server
    page.goto(f"{address}/lab?token={token}&reset")
    page.get_by_role("heading", name=MANIFEST.title).wait_for()
    return page


@pytest.fixture(autouse=True)
def new_learner(server, workspace):
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)


def wait_for_file(page: Page, path: str) -> None:
    page.wait_for_function(f"path => {HERE}?.context?.path === path", arg=path)


def test_a_fresh_session_opens_on_the_page_and_the_button_on_what_comes_next(start):
    first = MANIFEST.lessons[0]
    expect(start.get_by_role("tab", name="Launcher")).to_have_count(0)
    start.get_by_role("button", name=f"Begin lesson 01: {first.title}").click()
    wait_for_file(start, f"lessons/{first.notebook}.ipynb")
    back = start.locator(".jp-NotebookPanel-toolbar").get_by_role("button", name="Course")
    back.focus()
    start.keyboard.press("Enter")
    expect(start.get_by_role("heading", name="The path")).to_be_visible()


def test_every_lesson_and_exercise_and_page_is_one_link_away(start):
    path = start.get_by_role("region", name="The path")
    for lesson in MANIFEST.lessons:
        expect(path.get_by_role("link", name=f"{lesson.number} {lesson.title}")).to_be_visible()
        expect(path.get_by_role("link", name=f"Assignment {lesson.assignment}")).to_be_visible()
    path.get_by_text(f"{len(MANIFEST.assignments[1].exercises)} exercises, ").first.click()
    expect(start.get_by_role("link", name="Your program, train.py")).to_be_visible()
    start.get_by_role("link", name="Glossary").press("Enter")
    expect(start.locator(".jp-MarkdownViewer h1")).to_contain_text("Glossary")


def test_an_exercise_opens_at_its_task(start):
    assignment = MANIFEST.assignments[1]
    last = assignment.exercises[-1]
    details = (
        start.get_by_role("listitem")
        .filter(has=start.get_by_role("link", name=f"Assignment {assignment.name}"))
        .locator("details")
    )
    details.locator("summary").click()
    details.get_by_role("link", name=last.title).click()
    wait_for_file(start, f"assignments/{assignment.name}/{assignment.name}.ipynb")
    task = start.locator(".jp-Notebook").get_by_role("heading", name=last.title)
    expect(task).to_be_in_viewport()


def test_a_solved_exercise_shows_and_after_a_restart_check_says_what_to_do(page, server, workspace):
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    write_notebook(workspace / NOTEBOOK, cells)
    open_notebook(page, server, NOTEBOOK)
    run_all(page)
    shown = {name: json.dumps(outputs(page)[name], ensure_ascii=False) for name in CELLS}
    assert "Next: lesson 01" in shown["progress"] and "Passed." in shown["check"]

    page.get_by_role("button", name="Course").click()
    expect(
        page.get_by_text(
            f"1 of {sum(len(each.exercises) for each in MANIFEST.assignments)} exercises passed"
        )
    ).to_be_visible()
    expect(
        page.get_by_role("button", name=MANIFEST.assignments[1].exercises[1].title)
    ).to_be_visible()

    page.evaluate(
        "path => window.jupyterapp.commands.execute('docmanager:open', { path })", NOTEBOOK
    )
    wait_for_file(page, NOTEBOOK)
    page.evaluate(f"{HERE}.sessionContext.restartKernel()")
    page.evaluate(f"{HERE}.content.activeCellIndex = {len(CELLS) - 1}")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell')")
    said = page.get_by_text("Run the cells above again: Run > Run All Above Selected Cell.")
    expect(said).to_be_visible()
    assert "Traceback" not in json.dumps(outputs(page)["check"])


def test_the_page_says_when_the_course_is_done(start, workspace):
    with (workspace / ".course" / "record.jsonl").open("w") as file:
        for each in (each for entry in MANIFEST.assignments for each in entry.exercises):
            file.write(json.dumps({"kind": "check", "name": each.name, "outcome": "Passed"}) + "\n")
    start.evaluate("window.dispatchEvent(new Event('focus'))")  # as when one comes back to the tab
    expect(start.get_by_role("heading", name="You have finished the course")).to_be_visible()
    expect(start.get_by_role("img", name="done", exact=True)).not_to_have_count(0)


def variables(workspace: Path) -> dict[str, str]:
    """The environment of another `course lab` on `workspace`."""
    runtime = str(workspace.parent / RUNTIME)
    return {**os.environ, "COURSE_WORKSPACE": str(workspace), "JUPYTER_RUNTIME_DIR": runtime}


def told_by_another(workspace: Path) -> str:
    """What a `course lab` says on a workspace that has one already."""
    command = [COURSE, "lab", "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, env=variables(workspace))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_second_course_lab_points_to_the_first(server, workspace):
    port = server[0].rpartition(":")[2]
    said = told_by_another(workspace)
    assert "already open on this workspace" in said and f":{port}/lab" in said


def test_the_command_that_it_names_stops_the_first_one(tmp_path):
    """Typed anywhere, with no environment active."""
    workspace = tmp_path / "my work"
    first = subprocess.Popen(
        [COURSE, "lab", "--no-browser"], env=variables(workspace), stdout=subprocess.DEVNULL
    )
    try:
        started(first, tmp_path / RUNTIME)
        (command,) = re.findall("^`(.+)` stops it", told_by_another(workspace), re.MULTILINE)
        outside = {**variables(workspace), "PATH": os.defpath}
        stopping = subprocess.Popen(command, shell=True, cwd="/", env=outside)
        # Jupyter asks a server to stop, and ends one that takes over five seconds for it.
        assert first.wait(timeout=60) in (0, -signal.SIGTERM)
        assert stopping.wait(timeout=60) == 0
    finally:
        first.kill()


def test_what_is_said_at_the_start_is_short_and_the_log_is_in_a_file(server, workspace):
    said = (workspace.parent / "lab.log").read_text()
    assert str(workspace) in said and "Address" in said and len(said.splitlines()) < 20
    assert "is running at" in (workspace / ".course" / "jupyter.log").read_text()
