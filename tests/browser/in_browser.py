"""Helpers of browser tests for a notebook in JupyterLab."""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, Page


@contextlib.contextmanager
def a_page(browser: Browser) -> Iterator[Page]:
    """A page in a new browser context, without cookies or storage of earlier pages."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(60_000)
    try:
        yield page
    finally:
        page.close()


def open_notebook(page, server, path: str) -> None:
    address, token = server
    page.goto(f"{address}/lab/tree/{path}?token={token}&reset")
    page.wait_for_function(
        "name => window.jupyterapp?.shell.currentWidget?.context?.path === name"
        " && window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel",
        arg=path,
    )
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()


def write_notebook(path: Path, cells: Sequence[nbformat.NotebookNode]) -> Path:
    """Write a notebook of `cells` with the course's kernel."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel})
    nbformat.write(made, path)
    return path


def run_all(page) -> None:
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.content.widgets.every(cell =>"
        " cell.model.type !== 'code' || !cell.model.sharedModel.getSource().trim()"
        " || cell.model.executionState === 'idle' && cell.model.executionCount)",
        timeout=240_000,
    )


def outputs(page) -> dict[str, list]:
    """The outputs of each code cell, by cell id."""
    cells = json.loads(_notebook(page))["cells"]
    return {cell["id"]: cell["outputs"] for cell in cells if cell["cell_type"] == "code"}


def _notebook(page) -> str:
    return page.evaluate("JSON.stringify(window.jupyterapp.shell.currentWidget.model.toJSON())")


def save(page) -> None:
    """Save the notebook after its kernel has sent its information, so that it stays saved."""
    notebook = "window.jupyterapp.shell.currentWidget"
    page.wait_for_function(f"() => {notebook}.sessionContext.session?.kernel?.status === 'idle'")
    page.evaluate(f"{notebook}.context.save()")


def wait_until_saved(page, file: Path) -> None:
    """Wait until the notebook's file has the content of the page.

    JupyterLab's mark for unsaved changes is not reliable just after a change. Its autosave waits
    ten times as long as the last save took: on a busy machine, minutes.
    """
    deadline = time.monotonic() + 300
    while _contents(file.read_text(encoding="utf-8")) != _contents(_notebook(page)):
        assert time.monotonic() < deadline, f"{file} was not saved"
        page.wait_for_timeout(100)


def _contents(text: str) -> list[tuple]:
    """Sources and outputs of the cells; empty if the file is still being written."""
    with contextlib.suppress(nbformat.reader.NotJSONError):
        return [(cell.source, cell.get("outputs")) for cell in nbformat.reads(text, 4).cells]
    return []


def take_picture(page, name: str) -> None:
    """Save a screenshot of the page as NAME.png in the folder COURSE_SCREENSHOTS, if it is set."""
    folder = os.environ.get("COURSE_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder, re.sub(r"[^\w.-]+", "_", name) + ".png"))
