"""A learner in a real browser: `course lab`, lesson 02 from top to bottom, one exercise solved."""

import json
from pathlib import Path

import nbformat
import pytest
from axe import draw_all, judge
from in_browser import open_notebook, outputs, run_all
from playwright.sync_api import expect

from course_utils.checking.exercises import exercise
from exercise_kit.reference import reference

ROOT = Path(__file__).resolve().parents[2]
TAUGHT_WARNING = "called a synchronizing CUDA operation"  # the lesson announces it

pytestmark = pytest.mark.slow


def test_lesson_02_runs_without_an_error_and_all_can_read_its_figures(page, server):
    open_notebook(page, server, "lessons/02_tensors_on_devices.ipynb")
    draw_all(page)
    run_all(page)
    found = outputs(page)
    cells = nbformat.read(ROOT / "notebooks" / "02_tensors_on_devices.ipynb", as_version=4).cells
    assert len(found) == sum(cell.cell_type == "code" for cell in cells)
    errors = {
        cell: out
        for cell, outs in found.items()
        for out in outs
        if out["output_type"] == "error"
        or (out.get("name") == "stderr" and TAUGHT_WARNING not in out["text"])
    }
    assert errors == {}
    shown = json.dumps(found)
    assert "cuda:3" in shown and ("virtual" in shown or "real" in shown)
    figures = page.locator(".jp-OutputArea-output img")
    expect(figures).to_have_count(sum("<img" in json.dumps(outs) for outs in found.values()))
    judge(page, "figures")


@pytest.mark.parametrize(
    ("lesson", "anchor", "term"),
    [
        ("02_tensors_on_devices", "asynchronous", "asynchronous"),
        pytest.param(
            "06_finding_the_freest_gpu", "race-condition", "race condition", marks=pytest.mark.more
        ),
    ],
)
def test_a_link_to_the_glossary_opens_it_to_be_read(page, server, lesson, anchor, term):
    """At the entry, and from there a link leads back to the lesson."""
    path = f"lessons/{lesson}.ipynb"
    open_notebook(page, server, path)
    page.evaluate(  # JupyterLab renders only the cells in sight
        "link => { const { content } = window.jupyterapp.shell.currentWidget;"
        " content.scrollToItem(content.widgets.findIndex("
        " cell => cell.model.sharedModel.getSource().includes(link))) }",
        f"glossary.md#{anchor}",
    )
    page.locator(f"a[href*='glossary.md'][href$='#{anchor}']").first.click()
    preview = page.locator(".jp-MarkdownViewer")
    expect(preview.get_by_role("heading", name=term)).to_be_in_viewport()
    preview.locator(f"h2:has-text('{term}') + p a").click()
    page.wait_for_function(
        "name => window.jupyterapp.shell.currentWidget.context.path === name", arg=path
    )


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
