"""What the browser tests do with a notebook in JupyterLab."""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, Page

SAVED = "() => !window.jupyterapp.shell.currentWidget.context.model.dirty"


@contextlib.contextmanager
def a_page(browser: Browser) -> Iterator[Page]:
    """A page that knows nothing of earlier ones."""
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
    """A notebook of `cells`, whose kernel is the course's."""
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
    text = page.evaluate("JSON.stringify(window.jupyterapp.shell.currentWidget.model.toJSON())")
    return {
        cell["id"]: cell["outputs"]
        for cell in json.loads(text)["cells"]
        if cell["cell_type"] == "code"
    }


def take_picture(page, name: str) -> None:
    """Where COURSE_SCREENSHOTS names a folder: what the page shows, as NAME.png in it."""
    folder = os.environ.get("COURSE_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder, re.sub(r"[^\w.-]+", "_", name) + ".png"))
