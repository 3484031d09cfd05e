"""Every screen of ours, judged by axe-core in a real JupyterLab.

The figures of a lesson are judged where the lesson runs, in test_lab.py.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from axe import draw_all, judge
from in_browser import open_notebook, run_all, write_notebook
from playwright.sync_api import Page, expect

from course_utils.checking.exercises import exercise
from course_utils.checking.questions import Claim, Prediction, Quiz, questions_file, read_questions
from course_utils.manifest import load_manifest
from course_workspace.deliver import prepare
from exercise_kit.corpus import known_answers
from exercise_kit.reference import reference

pytestmark = [pytest.mark.slow, pytest.mark.more]

expect.set_options(timeout=60_000)

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = load_manifest()
FAILED = exercise("freest.who_gets")
PASSED = exercise("machine.where_new")
ASKED = [
    each
    for lesson in MANIFEST.lessons
    for each in read_questions(questions_file(lesson.number)).values()
]
QUIZ = next(each for each in ASKED if isinstance(each, Quiz))
WRONG = next(choice for choice in QUIZ.choices if choice != QUIZ.right)
PREDICTION = next(each for each in ASKED if isinstance(each, Prediction) and each.asks_why)
CLAIM = next(each for each in ASKED if isinstance(each, Claim))


def wrong(finding: str) -> str:
    return next(
        answer.source
        for answer in known_answers(FAILED.path, "wrong")
        if answer.expected == finding
    )


CHECK = f'check("{FAILED.name}", {FAILED.short})'
CHECKS = [
    "from course_utils import check, progress",
    f"{wrong('taken-at-once')}\n\nprint('a line of my own')\n{CHECK}",
    f'{reference(PASSED.path)}\n\ncheck("{PASSED.name}", {PASSED.short})',
    f"def {FAILED.short}(free, users, startup):\n    return 1 / 0\n\n{CHECK}",
    f"def {FAILED.short}(free, users, startup):\n    raise NotImplementedError\n\n{CHECK}",
    "progress()",
]
QUESTIONS = [
    "from course_utils import claim, explore, predict, quiz, reveal, verdict",
    f'quiz("{QUIZ.key}")',
    f'predict("{PREDICTION.key}")',
    f'reveal("{PREDICTION.key}", "{PREDICTION.choices[-1]}")',
    f'claim("{CLAIM.key}")',
    f'verdict("{CLAIM.key}")',
    'explore("visible")',
]


@pytest.fixture
def start(page, server, workspace) -> Page:
    """The start page, with the record of a learner who has done nothing."""
    (workspace / ".course" / "record.jsonl").unlink(missing_ok=True)
    address, token = server
    page.goto(f"{address}/lab?token={token}&reset")
    page.get_by_role("heading", name=MANIFEST.title).wait_for()
    return page


def passed(workspace: Path, names: list[str]) -> None:
    with (workspace / ".course" / "record.jsonl").open("w") as file:
        for name in names:
            file.write(json.dumps({"kind": "check", "name": name, "outcome": "Passed"}) + "\n")


def come_back(page: Page) -> None:
    page.evaluate("window.dispatchEvent(new Event('focus'))")


def opened(page: Page, server, workspace: Path, name: str, cells: list[str]) -> None:
    """Open a notebook of these cells and run it, all of it drawn and not only what is in sight.

    A file for each name: the page may still be saving the notebook that it had open before.
    """
    path = f"lessons/{name}.ipynb"
    write_notebook(workspace / path, [nbformat.v4.new_code_cell(cell) for cell in cells])
    open_notebook(page, server, path)
    draw_all(page)
    run_all(page)


def test_the_start_page_of_a_new_learner(start):
    start.locator(".course-start summary").nth(1).click()
    judge(start, "start, new")


@pytest.fixture
def as_it_was(workspace) -> Iterator[None]:
    """Puts back what an upgrade changes in the workspace of all tests."""
    names = (f"lessons/{MANIFEST.lessons[0].notebook}.ipynb", ".course/delivered.json")
    before = {workspace / name: (workspace / name).read_bytes() for name in names}
    yield
    for file, content in before.items():
        file.write_bytes(content)
    for new in (workspace / "lessons").glob("*.new.ipynb"):
        new.unlink()


def test_the_start_page_on_the_way(start, workspace, tmp_path, as_it_was):
    for name in ("notebooks", "assignments/source"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "course.toml", tmp_path)
    name = MANIFEST.lessons[0].notebook
    lesson = f"{name}.ipynb"
    for path in (tmp_path / "notebooks" / lesson, workspace / "lessons" / lesson):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_markdown_cell(f"A note in {path.parent.name}."))
        nbformat.write(notebook, path)
    assert prepare(tmp_path, workspace).beside == [f"lessons/{name}.new.ipynb"]
    exercises = [each.name for each in MANIFEST.assignments[0].exercises]
    passed(workspace, [*exercises, MANIFEST.assignments[1].exercises[0].name])
    come_back(start)
    expect(start.get_by_role("heading", name="New")).to_be_visible()
    expect(start.get_by_role("img", name="done", exact=True)).not_to_have_count(0)
    judge(start, "start, on the way")


def test_the_start_page_when_everything_is_done(start, workspace):
    passed(workspace, [each.name for entry in MANIFEST.assignments for each in entry.exercises])
    come_back(start)
    expect(start.get_by_role("heading", name="You have finished the course")).to_be_visible()
    judge(start, "start, done")


def test_checks_with_a_hint_and_a_solution_open(page, server, workspace):
    opened(page, server, workspace, "checks", CHECKS)
    for said in ("Not yet", "Passed.", "Your code raised an error.", "Not attempted yet."):
        expect(page.locator(".jp-OutputArea-output").filter(has_text=said).first).to_be_visible()
    failed = page.locator(".course-form").first
    for button in ("Hint", "Show a solution", "Yes, show the solution"):
        failed.get_by_role("button", name=button).click()
        expect(failed.locator("[aria-busy]")).to_have_count(0)  # till then a click is none
    expect(failed).to_contain_text("One solution.")
    judge(page, "checks")


def test_questions_answered_and_open(page, server, workspace):
    opened(page, server, workspace, "questions", QUESTIONS)
    question = page.locator(".course-form").first
    expect(question).to_contain_text(WRONG.replace("`", ""))  # or it says what is there instead
    question.get_by_role("radio", name=WRONG.replace("`", ""), exact=True).click()
    expect(question.locator(".course-form-reply")).to_contain_text("Not quite.")
    expect(page.locator(".course-form img")).to_have_count(1)
    judge(page, "questions")
