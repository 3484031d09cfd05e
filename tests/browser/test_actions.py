"""The buttons under a check, in a real JupyterLab: by mouse and keyboard, and on the next day."""

import json
from pathlib import Path

import nbformat
import pytest
from in_browser import open_notebook, outputs, run_all, wait_until_saved, write_notebook
from playwright.sync_api import Locator, Page, expect

from course_utils.checking import practice
from course_utils.checking.buttons import MIME, MessageWithButtons
from course_utils.checking.exercises import exercise
from course_utils.checking.single_case import SingleCase
from exercise_kit.corpus import known_answers, load_answer
from exercise_kit.reference import reference

pytestmark = [pytest.mark.slow, pytest.mark.more]

expect.set_options(timeout=60_000)

NAME = "freest.who_gets"
EXERCISE = exercise(NAME)
WRONG = next(
    answer for answer in known_answers(EXERCISE.path, "wrong") if answer.expected == "taken-at-once"
)
HINT, HINTS = EXERCISE.words.finding(WRONG.expected).hint, len(EXERCISE.words.hints)
NOTEBOOK = "lessons/actions.ipynb"
CELLS = {
    "import": "from course_utils import check",
    "answer": WRONG.source,
    "check": f'check("{NAME}", {EXERCISE.short})',
    "last": "",
}
SOURCES = (
    "window.jupyterapp.shell.currentWidget.content.widgets"
    ".map(cell => cell.model.sharedModel.getSource())"
)
ACTIVE = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel"


@pytest.fixture
def message(tmp_path, monkeypatch) -> MessageWithButtons:
    """What the check of the notebook says, made here."""
    monkeypatch.setenv("COURSE_WORKSPACE", str(tmp_path))
    practice.record.cache_clear()
    answer = load_answer(WRONG.source, EXERCISE.short, "<answer>")
    yield practice.check(NAME, answer)
    practice.record.cache_clear()


@pytest.fixture
def checked(page, server, workspace) -> Page:
    """The page with a check that did not pass."""
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)
    write_notebook(
        workspace / NOTEBOOK,
        [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()],
    )
    open_notebook(page, server, NOTEBOOK)
    run_all(page)
    return page


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Help").get_by_role("button", name=name, exact=True)


def shown(page: Page) -> Locator:
    return page.locator(".course-shown")


def notice(page: Page) -> Locator:
    return page.locator(".course-form-notice")


def recorded(workspace: Path) -> list[str]:
    lines = (workspace / ".course" / "record.jsonl").read_text().splitlines()
    return [event["kind"] for event in map(json.loads, lines) if event["name"] == NAME]


def test_help_is_one_click_or_key_away_and_stays(checked, workspace):
    button(checked, "Hint").focus()
    for key in ("d", "d", "x", "b"):  # the notebook's own keys
        checked.keyboard.press(key)
    assert checked.evaluate(SOURCES) == list(CELLS.values())
    checked.keyboard.press("Tab")
    expect(button(checked, "Show a solution")).to_be_focused()

    button(checked, "Hint").click()
    expect(shown(checked)).to_have_count(1)
    expect(shown(checked)).to_contain_text(f"Hint {HINT} of {HINTS}.")  # that of the finding
    expect(button(checked, "Next hint")).to_be_focused()
    for count, number in enumerate([*range(HINT + 1, HINTS + 1), *range(1, HINT)], 2):
        checked.keyboard.press("Enter" if number % 2 else " ")
        expect(shown(checked)).to_have_count(count)
        expect(shown(checked).last).to_contain_text(f"Hint {number} of")
    for name in ("Next hint", "Earlier hint"):
        expect(button(checked, name)).to_have_count(0)
    expect(shown(checked).last).to_be_focused()  # since the button is gone
    assert recorded(workspace) == ["check"] + ["hint"] * HINTS

    button(checked, "Show a solution").focus()
    checked.keyboard.press("Enter")
    expect(shown(checked).last).to_contain_text("Sure?")
    expect(button(checked, "Yes, show the solution")).to_be_focused()
    checked.keyboard.press("Enter")
    expect(shown(checked).last).to_contain_text("One solution.")
    first = reference(EXERCISE.path).splitlines()[0]
    expect(shown(checked).last).to_contain_text(first)
    expect(shown(checked)).to_have_count(HINTS + 1)  # in the place of the question
    assert recorded(workspace)[1 + HINTS :] == ["solution", "solution"]

    wait_until_saved(checked, workspace / NOTEBOOK)  # by itself
    stored = outputs(checked)["check"][-1]["data"]
    for kind in ("text/plain", "text/html"):
        assert f"Hint {HINT} of" in stored[kind] and "One solution." in stored[kind]
    checked.reload()
    expect(shown(checked)).to_have_count(HINTS + 1)
    expect(shown(checked).last).to_contain_text(first)
    expect(checked.get_by_role("group", name="Help").get_by_role("button")).to_have_text(
        ["Put this case into a cell"]
    )


def test_a_failing_case_is_put_into_a_cell_and_run(checked, message, workspace):
    single = SingleCase(EXERCISE, EXERCISE.short, message.report.place.number, plain=True)
    button(checked, "Put this case into a cell").focus()
    checked.keyboard.press("Enter")
    expect(notice(checked)).to_have_text(
        "The case is in the cell below. Press Shift+Enter to run it."
    )
    assert checked.evaluate(SOURCES) == [*list(CELLS.values())[:3], single.cell, ""]
    assert checked.evaluate(ACTIVE) == 3
    button(checked, "Put this case into a cell").click()  # no second one
    checked.wait_for_function(f"() => {ACTIVE} === 3")
    assert checked.evaluate(SOURCES) == [*list(CELLS.values())[:3], single.cell, ""]
    checked.keyboard.press("Shift+Enter")
    result = checked.locator(".jp-Cell").nth(3).locator(".jp-OutputArea-executeResult")
    seen = repr(load_answer(WRONG.source, EXERCISE.short, "<answer>")(*single.case.data.values()))
    assert message.report.outcome.finding.seen.startswith(seen)
    expect(result).to_contain_text(seen)
    wait_until_saved(checked, workspace / NOTEBOOK)
    checked.reload()
    expect(result).to_contain_text(seen)
    assert checked.evaluate(SOURCES)[3] == single.cell

    # After a restart a click still works; without a kernel it says what to do. A page that was just
    # loaded finds its kernel later than its outputs, and a restart before that may never end.
    checked.wait_for_function(f"() => {KERNEL}?.status === 'idle'")
    checked.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    button(checked, "Hint").click()
    expect(shown(checked)).to_contain_text(f"Hint {HINT} of")
    checked.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    checked.wait_for_function(f"() => !{KERNEL}")
    button(checked, "Next hint").click()
    expect(notice(checked)).to_have_text(
        "Start the kernel (menu Kernel, Restart Kernel…), then click again."
    )
    expect(shown(checked)).to_have_count(1)


FORGED = {
    "hint of no number": (
        {"call": "hint", "answers": {"number": "__import__('os')"}},
        "The course has no such button. Run its cell again.",
    ),
    "no such hint": ({"call": "hint", "answers": {"number": 99}}, "has hints 1 to"),
    "no such exercise": (
        {"call": "solution", "answers": {}, "key": "no.such"},
        "There is no exercise named",
    ),
    "another function": ({"call": "lab", "answers": {}}, "The course has no such form"),
    "code for a cell": (
        {
            "call": "rerun",
            "answers": {
                "function": "window.forged\nimport os",
                "case": 1,
                "seed": None,
                "plain": False,
            },
        },
        "The course has no such button. Run its cell again.",
    ),
    "no such case": (
        {
            "call": "rerun",
            "answers": {"function": "f", "case": 10**9, "seed": None, "plain": False},
        },
        "has cases 1 to",
    ),
}
BROKEN = [
    {},
    None,
    [],
    {"html": 1, "buttons": [], "shown": []},
    {"html": "", "buttons": 3, "shown": []},
    {"html": "", "buttons": [{"call": 1}], "shown": []},
    {"html": "", "buttons": [], "shown": [{"name": "a", "data": None}]},
]
IMAGE = '<img src="x" onerror="window.forged = 1"><script>window.forged = 1</script>'


def test_a_forged_output_does_nothing_and_says_one_sentence(page, server, workspace):
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)
    whole = {
        "version": 1,
        "key": NAME,
        "html": f"<p>a message</p>{IMAGE}",
        "text": "",
        "shown": [{"name": "a", "data": {"text/markdown": IMAGE, "text/plain": ""}}],
    }
    buttons = [{"label": IMAGE, **button} for button, _ in FORGED.values()]
    forged = [whole | {"key": button.get("key", NAME), "buttons": [button]} for button in buttons]
    cells = [
        nbformat.v4.new_code_cell(
            "", outputs=[nbformat.v4.new_output("display_data", {MIME: output, "text/plain": "?"})]
        )
        for output in [*forged, *BROKEN]
    ]
    write_notebook(workspace / NOTEBOOK, cells)
    open_notebook(page, server, NOTEBOOK)
    for number, (_, said) in enumerate(FORGED.values()):
        cell = page.locator(".jp-Cell").nth(number)
        cell.scroll_into_view_if_needed()
        expect(cell.get_by_role("button", name=IMAGE, exact=True)).to_have_text(IMAGE)
        cell.get_by_role("button", name=IMAGE, exact=True).click()
        expect(cell.locator(".course-form-notice")).to_contain_text(said)
    for number in range(len(FORGED), len(cells)):
        cell = page.locator(".jp-Cell").nth(number)
        cell.scroll_into_view_if_needed()
        expect(cell.locator(".course-form")).to_have_text(
            "This output cannot be drawn. Run its cell again."
        )
    assert page.evaluate("window.forged") is None
    assert page.evaluate(SOURCES) == [""] * len(cells)
    assert not (workspace / ".course" / "record.jsonl").exists()
