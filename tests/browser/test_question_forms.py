"""Forms in a real JupyterLab: answered by mouse and keyboard, and still there on the next day."""

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from in_browser import a_page, open_notebook, outputs, run_all, wait_until_saved, write_notebook
from playwright.sync_api import Locator, Page, expect

from course_utils import explore
from course_utils.checking.questions import Prediction, Quiz, questions_file, read_questions
from course_utils.forms.form import MIME

pytestmark = [pytest.mark.slow, pytest.mark.more]

ASKED = read_questions(questions_file("03")).values()
QUIZ, OTHER = [each for each in ASKED if isinstance(each, Quiz)][:2]
PREDICTION = next(each for each in ASKED if isinstance(each, Prediction) and each.asks_why)
WRONG = next(choice for choice in QUIZ.choices if choice != QUIZ.right)

expect.set_options(timeout=60_000)

NOTEBOOK = "lessons/forms.ipynb"
CELLS = {
    "import": "from course_utils import explore, predict, quiz",
    "quiz": f'quiz("{QUIZ.key}")',
    "other": f'quiz("{OTHER.key}")',
    "predict": f'predict("{PREDICTION.key}")',
    "explore": 'explore("visible")',
}
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel"
CONTENT = "window.jupyterapp.shell.currentWidget.content"
QUIZ_CELL = f"{CONTENT}.widgets[{list(CELLS).index('quiz')}].model"
FORGED = {
    "image": {
        "question": '<img src="x" onerror="window.forged = 1">',
        "reply": '<p>a reply</p><img src="x" onerror="window.forged = 1">'
        "<script>window.forged = 1</script>",
    },
    "unknown": {"call": "quiz", "key": "02.no-such-question"},
    "other function": {"call": "__import__", "key": "os"},
}
BROKEN = [
    {},
    None,
    [],
    {"fields": 3},
    {"version": 1, "question": 1, "fields": [], "reply": ""},
    {"question": "?", "fields": [{"type": "constructor"}], "reply": ""},
]


@pytest.fixture(scope="module")
def notebook(browser, server, workspace) -> Iterator[Page]:
    """A notebook with two quizzes, a prediction and two explorers, opened once."""
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    write_notebook(workspace / NOTEBOOK, cells)
    with a_page(browser) as page:
        open_notebook(page, server, NOTEBOOK)
        yield page


@pytest.fixture
def asked(notebook, workspace) -> Page:
    """The page with that notebook after its cells have been run, nothing of it answered."""
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)
    run_all(notebook)
    return notebook


def form(page: Page, cell: str) -> Locator:
    return page.locator(".course-form").nth(list(CELLS).index(cell) - 1)


def choice(page: Page, cell: str, text: str) -> Locator:
    return form(page, cell).get_by_role("radio", name=text.replace("`", ""), exact=True)


def recorded(workspace: Path, key: str) -> list[str]:
    lines = (workspace / ".course" / "record.jsonl").read_text().splitlines()
    return [event["chosen"] for event in map(json.loads, lines) if event["name"] == key]


def shown(setting: str, cards: int) -> str:
    """The words of the explorer's picture, made here."""
    return repr(explore("visible", setting=setting, cards=cards))


def kernel_menu(page: Page, item: str) -> None:
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.locator(".lm-Menu-item").filter(has_text=item).first.click()


def restart(page: Page) -> None:
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")


def test_a_question_is_answered_by_mouse_wrong_and_then_right(asked, workspace):
    choice(asked, "quiz", WRONG).click()
    reply = form(asked, "quiz").locator(".course-form-reply")
    expect(reply).to_contain_text("Not quite.")
    form(asked, "quiz").get_by_text(QUIZ.right.replace("`", ""), exact=True).click()
    expect(reply).to_contain_text("Yes.")
    expect(reply).not_to_contain_text("Not quite.")
    assert recorded(workspace, QUIZ.key) == [WRONG, QUIZ.right]
    stored = outputs(asked)["quiz"][0]["data"]
    assert stored[MIME]["fields"][0]["value"] == QUIZ.right
    assert "Yes." in stored[MIME]["reply"] and "Yes." in stored["text/html"]
    assert "text/plain" in stored


def test_two_questions_of_one_kind_do_not_mix(asked, workspace):
    choice(asked, "quiz", QUIZ.right).click()
    choice(asked, "other", OTHER.right).click()
    for cell, right in (("quiz", QUIZ.right), ("other", OTHER.right)):
        expect(form(asked, cell).locator(".course-form-reply")).to_contain_text("Yes.")
        expect(choice(asked, cell, right)).to_be_checked()
    assert recorded(workspace, QUIZ.key) == [QUIZ.right]
    assert recorded(workspace, OTHER.key) == [OTHER.right]


def test_a_question_is_answered_by_keyboard_alone(asked, workspace):
    cells = asked.locator(".jp-Cell").count()
    group = form(asked, "quiz").get_by_role("radiogroup")
    expect(group).to_have_accessible_name(QUIZ.text.replace("`", ""))
    for _ in CELLS:
        asked.keyboard.press("k")  # to the cell above
    for _ in range(5):
        asked.keyboard.press("Tab")
        if group.evaluate("node => node.contains(document.activeElement)"):
            break
    asked.keyboard.press("ArrowDown")  # from the first to the second, which is not answered by it
    second = form(asked, "quiz").get_by_role("radio").nth(1)
    expect(second).to_be_checked()
    expect(second).to_be_focused()
    notice = form(asked, "quiz").locator(".course-form-notice")
    expect(notice).to_have_text("Press Space or Enter to answer.")
    assert not (workspace / ".course" / "record.jsonl").exists()
    for key in ("d", "d", "b", "x", "Enter"):  # the notebook's own keys, but for the last
        asked.keyboard.press(key)
    expect(form(asked, "quiz").locator(".course-form-reply p").first).to_be_visible()
    expect(second).to_be_focused()
    assert recorded(workspace, QUIZ.key) == [second.get_attribute("value")]
    assert asked.locator(".jp-Cell").count() == cells
    asked.evaluate(
        "window.jupyterapp.commands.commandExecuted.connect("
        "(_, { id }) => { window.executed = id; })"
    )
    asked.keyboard.press("Control+s")  # is still the notebook's
    asked.wait_for_function("() => window.executed === 'docmanager:save'")


def run_by(page: Page, key: str) -> str:
    """Press `key`, which runs the first quiz's cell again: the cell that is the active one then."""
    before = page.evaluate(f"{QUIZ_CELL}.executionCount")
    page.keyboard.press(key)
    page.wait_for_function(
        f"before => {QUIZ_CELL}.executionState === 'idle' && {QUIZ_CELL}.executionCount > before",
        arg=before,
    )
    return list(CELLS)[page.evaluate(f"{CONTENT}.activeCellIndex")]


def test_after_an_answer_the_notebooks_keys_are_the_notebooks(asked, workspace):
    choice(asked, "quiz", QUIZ.right).click()
    expect(form(asked, "quiz").locator(".course-form-reply")).to_contain_text("Yes.")
    assert run_by(asked, "Control+Enter") == "quiz"
    assert run_by(asked, "Shift+Enter") == "other"
    assert recorded(workspace, QUIZ.key) == [QUIZ.right]


def test_shift_enter_answers_with_what_the_arrow_keys_have_chosen(asked, workspace):
    form(asked, "quiz").get_by_role("radio").first.focus()
    assert run_by(asked, "Shift+Enter") == "other"
    assert not (workspace / ".course" / "record.jsonl").exists()  # nothing was chosen
    form(asked, "quiz").get_by_role("radio").first.focus()
    asked.keyboard.press("ArrowDown")
    second = form(asked, "quiz").get_by_role("radio").nth(1)
    expect(second).to_be_checked()
    assert run_by(asked, "Shift+Enter") == "other"
    expect(form(asked, "quiz").locator(".course-form-reply p").first).to_be_visible()
    expect(second).to_be_checked()
    assert recorded(workspace, QUIZ.key) == [second.get_attribute("value")]


def test_a_reason_is_kept_with_the_prediction(asked, workspace):
    made = PREDICTION.choices[0]
    choice(asked, "predict", made).click()
    why = form(asked, "predict").get_by_role("textbox")
    why.fill('dd "quoted" \\ and <b>bold</b>')
    why.press("Enter")
    asked.wait_for_function(
        "() => JSON.stringify(window.jupyterapp.shell.currentWidget"
        ".model.toJSON()).includes('<b>bold</b>')"
    )
    stored = outputs(asked)["predict"][0]["data"][MIME]["fields"]
    assert [field["value"] for field in stored] == [made, 'dd "quoted" \\ and <b>bold</b>']
    lines = (workspace / ".course" / "record.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["why"] == 'dd "quoted" \\ and <b>bold</b>'


def test_it_is_all_there_after_a_reload_and_without_a_kernel(asked, workspace):
    choice(asked, "quiz", WRONG).click()
    expect(form(asked, "quiz").locator(".course-form-reply")).to_contain_text("Not quite.")
    wait_until_saved(asked, workspace / NOTEBOOK)  # by itself
    for close in (asked.reload, lambda: kernel_menu(asked, "Shut Down Kernel")):
        close()
        expect(choice(asked, "quiz", WRONG)).to_be_checked()
        expect(form(asked, "quiz").locator(".course-form-reply")).to_contain_text("Not quite.")
        expect(form(asked, "explore").get_by_role("img")).to_be_visible()
        expect(asked.get_by_text("model not found")).to_have_count(0)
    asked.wait_for_function(f"() => !{KERNEL}")
    choice(asked, "quiz", QUIZ.right).click()
    expect(form(asked, "quiz").locator(".course-form-notice")).to_have_text(
        "Start the kernel (menu Kernel, Restart Kernel…), then choose again."
    )
    expect(choice(asked, "quiz", WRONG)).to_be_checked()  # what is shown is what was answered
    kernel_menu(asked, "Restart Kernel…")
    asked.wait_for_function(f"() => {KERNEL}")
    choice(asked, "quiz", QUIZ.right).click()
    expect(form(asked, "quiz").locator(".course-form-reply")).to_contain_text("Yes.")


def test_after_a_restart_a_click_needs_no_import(asked, workspace):
    choice(asked, "quiz", WRONG).click()
    reply = form(asked, "quiz").locator(".course-form-reply")
    expect(reply).to_contain_text("Not quite.")
    restart(asked)
    choice(asked, "quiz", QUIZ.right).click()
    expect(reply).to_contain_text("Yes.")
    assert recorded(workspace, QUIZ.key) == [WRONG, QUIZ.right]


def test_what_the_course_says_besides_the_reply_is_shown(asked, workspace):
    record = workspace / ".course" / "record.jsonl"
    record.mkdir()
    try:
        choice(asked, "quiz", QUIZ.right).click()
        notice = form(asked, "quiz").locator(".course-form-notice")
        expect(notice).to_contain_text("Progress is lost when this notebook's kernel stops")
        expect(form(asked, "quiz").locator(".course-form-reply")).to_contain_text("Yes.")
    finally:
        record.rmdir()


def test_a_figure_moves_by_keyboard(asked):
    picture = form(asked, "explore").get_by_role("img")
    expect(picture).to_have_attribute("alt", shown("2,0", 4))
    slider = form(asked, "explore").get_by_role("slider")
    slider.focus()
    asked.keyboard.press("ArrowRight")
    expect(picture).to_have_attribute("alt", shown("2,0", 5))
    expect(slider).to_be_focused()
    expect(slider).to_have_value("5")
    entry = form(asked, "explore").get_by_role("textbox")
    entry.fill("4,4")
    asked.keyboard.press("Enter")
    expect(picture).to_have_attribute("alt", shown("4,4", 5))
    entry.fill("+")
    asked.keyboard.press("Enter")
    notice = form(asked, "explore").locator(".course-form-notice")
    expect(notice).to_contain_text("torch cannot read '+'")
    expect(entry).to_have_value("+")


def test_a_forged_form_does_nothing_and_says_one_sentence(page, server, workspace):
    field = {"name": "answer", "label": "", "type": "choice", "choices": ["a", "b"], "value": None}
    whole = {
        "version": 1,
        "call": "quiz",
        "key": QUIZ.key,
        "question": "?",
        "fields": [field],
        "reply": "",
    }
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)
    forms = [whole | forged for forged in FORGED.values()] + BROKEN
    cells = [
        nbformat.v4.new_code_cell(
            "", outputs=[nbformat.v4.new_output("display_data", {MIME: form, "text/plain": "?"})]
        )
        for form in forms
    ]
    write_notebook(workspace / "lessons/forged.ipynb", cells)
    open_notebook(page, server, "lessons/forged.ipynb")
    drawn = page.locator(".course-form")
    expect(drawn).to_have_count(len(forms))
    image = drawn.nth(0)
    expect(image.locator("legend")).to_have_text('<img src="x" onerror="window.forged = 1">')
    expect(image.locator(".course-form-reply")).to_have_text("a reply")
    said = {
        "image": "not one of the choices",
        "unknown": "There is no quiz called",
        "other function": "The course has no such form. Run its cell again.",
    }
    for number, name in enumerate(FORGED):
        drawn.nth(number).get_by_role("radio").first.click()
        expect(drawn.nth(number).locator(".course-form-notice")).to_contain_text(said[name])
        expect(drawn.nth(number).get_by_role("radio").first).not_to_be_checked()
    for number in range(len(FORGED), len(forms)):
        expect(drawn.nth(number)).to_have_text("This form cannot be drawn. Run its cell again.")
    assert page.evaluate("window.forged") is None
