"""A learner in a real browser: `course lab`, lesson 02 from top to bottom, one exercise solved."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from course_utils.checking.exercises import exercise
from course_utils.checking.reference import reference

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]

TAUGHT_WARNING = "The .grad attribute of a Tensor that is not a leaf"  # the lesson announces it

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None and "CI" not in os.environ,
                       reason="no Chromium on this machine (apt install chromium)"),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("learner") / "workspace"


@pytest.fixture(scope="module")
def server(workspace) -> Iterator[tuple[str, str]]:
    """`course lab` on a workspace of its own: its address, and its token."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, address = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    log = (workspace.parent / "lab.log").open("w")
    process = subprocess.Popen(
        [COURSE, "lab", "--no-browser", f"--port={port}", f"--IdentityProvider.token={token}",
         "--LabApp.expose_app_in_browser=True"],
        env={**os.environ, "COURSE_WORKSPACE": str(workspace)}, stdout=log, stderr=log,
    )
    try:
        wait_for(f"{address}/api?token={token}", process)
        yield address, token
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")


@pytest.fixture
def page(server):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def open_notebook(page, server, path: str) -> None:
    address, token = server
    page.goto(f"{address}/lab/tree/{path}?token={token}&reset")
    page.wait_for_function(
        "name => window.jupyterapp?.shell.currentWidget?.context?.path === name"
        " && window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel", arg=path)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()


def run_all(page) -> None:
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.content.widgets.every(cell =>"
        " cell.model.type !== 'code' || !cell.model.sharedModel.getSource().trim()"
        " || cell.model.executionState === 'idle' && cell.model.executionCount)",
        timeout=240_000)


def outputs(page) -> dict[str, list]:
    """The outputs of each code cell, by cell id."""
    text = page.evaluate("JSON.stringify(window.jupyterapp.shell.currentWidget.model.toJSON())")
    return {cell["id"]: cell["outputs"] for cell in json.loads(text)["cells"]
            if cell["cell_type"] == "code"}


def test_lesson_02_runs_from_top_to_bottom_without_an_error(page, server):
    open_notebook(page, server, "lessons/02_tensors_on_devices.ipynb")
    run_all(page)
    found = outputs(page)
    assert len(found) > 30
    errors = {cell: out for cell, outs in found.items() for out in outs
              if out["output_type"] == "error"
              or (out.get("name") == "stderr" and TAUGHT_WARNING not in out["text"])}
    assert errors == {}
    shown = json.dumps(found)
    assert "cuda:3" in shown and ("virtual" in shown or "real" in shown)


def test_a_prediction_is_clicked_and_contrasted(page, server):
    open_notebook(page, server, "lessons/02_tensors_on_devices.ipynb")
    run_all(page)
    question = page.locator(".jp-OutputArea .widget-radio-box").first
    question.scroll_into_view_if_needed()
    question.locator("input[type=radio]").first.click()
    page.get_by_role("status").filter(has_text="Yes.").or_(
        page.get_by_role("status").filter(has_text="Not quite.")).first.wait_for()


def test_an_exercise_is_solved_and_its_pass_is_seen(page, server, workspace):
    open_notebook(page, server, "assignments/02_tensors/02_tensors.ipynb")
    run_all(page)
    before = json.dumps(outputs(page)["move_batch_check"])
    assert "Not attempted yet" in before and "error" not in before
    cell = page.locator(".jp-CodeCell", has_text="def move_batch(").first
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(reference(exercise("tensors.move_batch").path))
    run_all(page)
    assert "Passed." in json.dumps(outputs(page)["move_batch_check"])
    checked = page.locator(".jp-CodeCell", has_text='check("tensors.move_batch", move_batch)').first
    checked.scroll_into_view_if_needed()
    seen = checked.get_by_role("status").filter(has_text="Passed.")
    expect(seen).to_be_visible()
    expect(seen).to_contain_text("At grading they run again")
    assert '"Passed"' in (workspace / ".course" / "record.jsonl").read_text()
