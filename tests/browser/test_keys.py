"""A lesson from its first cell to its last with Shift+Enter, every question answered on the way."""

import json

import pytest
from in_browser import open_notebook, outputs
from playwright.sync_api import Locator, Page, expect

from course_utils.checking.questions import questions_file, read_questions
from course_utils.forms.form import MIME
from course_utils.manifest import load_manifest

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(3600)]

expect.set_options(timeout=60_000)

LESSONS = {lesson.number: lesson.notebook for lesson in load_manifest().lessons}
REASON = "I saw it somewhere"
NOTEBOOK = "window.jupyterapp.shell.currentWidget"
CELL = f"{NOTEBOOK}.content.widgets[number].model"


def shift_enter(page: Page, number: int) -> None:
    """Press it at the cell `number`: the next one is the active one then, and this one runs."""
    before = page.evaluate(f"number => {CELL}.executionCount ?? null", number)
    page.keyboard.press("Shift+Enter")
    page.wait_for_function(
        f"number => {NOTEBOOK}.content.activeCellIndex === number + 1", arg=number
    )
    page.wait_for_function(
        f"([number, before]) => {CELL}.type !== 'code' || {CELL}.executionState === 'idle'"
        f" && {CELL}.executionCount && {CELL}.executionCount !== before",
        arg=[number, before],
        timeout=600_000,  # some cells train for a while
    )


def asked(page: Page, number: int) -> dict | None:
    """The form that the cell `number` shows."""
    shown = page.evaluate(f"number => {CELL}.toJSON().outputs?.[0]?.data ?? {{}}", number)
    return shown.get(MIME)


def answer(form: Locator, fields: list[dict]) -> None:
    """Fill in each field. The last one keeps the focus, and a reason waits for its Enter."""
    for number, field in enumerate(fields):
        node = form.locator("fieldset > :not(legend)").nth(number)
        match field["type"]:
            case "choice":
                node.get_by_role("radio").last.click()
            case "entry":
                node.get_by_role("textbox").click()
                form.page.keyboard.type(REASON)
            case "slider":
                node.get_by_role("slider").press("ArrowRight")
    expect(form.locator(".course-form-reply:not([aria-busy]) > *").first).to_be_visible()
    assert form.evaluate("node => node.contains(document.activeElement)")


@pytest.mark.parametrize("lesson", ["01", pytest.param("07", marks=pytest.mark.full)])
def test_after_every_question_shift_enter_goes_on(page, server, workspace, lesson):
    record = workspace / ".course" / "record.jsonl"
    record.unlink(missing_ok=True)
    open_notebook(page, server, f"lessons/{LESSONS[lesson]}.ipynb")
    page.locator(".jp-Notebook .jp-Cell").first.click()
    for number in range(page.evaluate(f"{NOTEBOOK}.model.cells.length")):
        shift_enter(page, number)
        if form := asked(page, number):
            here = page.locator(f".jp-Cell[data-windowed-list-index='{number}'] .course-form")
            answer(here, form["fields"])
            shift_enter(page, number)
    given = [each for each in map(json.loads, record.read_text().splitlines()) if "chosen" in each]
    reasons = [each["name"] for each in given if each.get("why") == REASON]
    questions = read_questions(questions_file(lesson))
    assert {each["name"] for each in given} == set(questions)
    assert reasons == [key for key, each in questions.items() if getattr(each, "asks_why", False)]
    shown = [each for outs in outputs(page).values() for each in outs]
    assert [each for each in shown if each["output_type"] == "error"] == []
