"""The pictures of README and the guide for learners, taken of JupyterLab itself: `make pictures`.

Look at them, then commit."""

from pathlib import Path

import pytest
from in_browser import open_notebook
from PIL import Image

from course_utils.checking.exercises import exercise

ROOT = Path(__file__).resolve().parents[2]
COLOURS = 128  # enough for a screenshot, which then has a third of the size
EDGE = 8  # pixels above the first cell in the picture

pytestmark = pytest.mark.slow


@pytest.fixture
def shoot(page, server):
    """Open a notebook, run it up to the cell `last`, and take a picture from `first` to there."""

    def shot(path: str, first: str, last: str, name: str, answer: tuple[str, str] | None = None):
        page.set_viewport_size({"width": 1120, "height": 2400})
        open_notebook(page, server, path)
        page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
        if answer is not None:
            set_source(page, *answer)
        begin, end = position(page, first), position(page, last)
        run_to(page, end)
        page.evaluate(
            "n => window.jupyterapp.shell.currentWidget.content.scrollToItem(n, 'start')", begin
        )
        boxes = [
            page.locator(f".jp-Cell[data-windowed-list-index='{n}']").bounding_box()
            for n in range(begin, end + 1)
        ]
        left, top = boxes[0]["x"], boxes[0]["y"] - EDGE
        page.mouse.move(0, 0)
        picture = ROOT / "notebooks" / "images" / f"{name}.png"
        page.screenshot(
            path=picture,
            clip={
                "x": left,
                "y": top,
                "width": boxes[0]["width"],
                "height": boxes[-1]["y"]
                + boxes[-1]["height"]
                - top
                - 2,  # the next cell has a frame
            },
        )
        with Image.open(picture) as taken:
            taken.convert("RGB").quantize(COLOURS).save(picture, optimize=True)

    return shot


def position(page, cell: str) -> int:
    return page.evaluate(
        "id => window.jupyterapp.shell.currentWidget.content.widgets"
        ".findIndex(cell => cell.model.id === id)",
        cell,
    )


def set_source(page, cell: str, source: str) -> None:
    page.evaluate(
        "([n, source]) => window.jupyterapp.shell.currentWidget.content.widgets[n]"
        ".model.sharedModel.setSource(source)",
        [position(page, cell), source],
    )


def run_to(page, last: int) -> None:
    """Run the cells up to `last`, and select a cell outside the picture."""
    page.evaluate(
        "async last => { const { content } = window.jupyterapp.shell.currentWidget;"
        " content.activeCellIndex = last + 1;"
        " await window.jupyterapp.commands.execute('notebook:run-all-above'); }",
        last,
    )
    page.wait_for_function(
        "last => window.jupyterapp.shell.currentWidget.content.widgets.slice(0, last + 1)"
        ".every(cell => cell.model.type !== 'code' || cell.model.executionState === 'idle'"
        " && cell.model.executionCount)",
        arg=last,
        timeout=240_000,
    )


def test_a_tensor_on_a_gpu_that_is_not_there(shoot):
    shoot("lessons/02_tensors_on_devices.ipynb", "failing-batch", "batch-map", "lesson_02")


def test_a_check_that_fails(shoot):
    wrong = exercise("tensors.move_batch").path / "wrong" / "loop_without_assignment.py"
    answer = wrong.read_text(encoding="utf-8").partition("\n")[2].strip()
    shoot(
        "assignments/02_tensors/02_tensors.ipynb",
        "move_batch",
        "move_batch_check",
        "failed_check",
        ("move_batch", answer),
    )
