"""The pattern of the rewritten lessons, where a script can count: site/guides/lessons.md."""

import ast
import re
from pathlib import Path

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode
from test_lesson_skeleton import (
    REWRITTEN,
    TEXTS,
    calls,
    cells,
    code,
    helpers,
    is_question,
    keys,
    lesson,
    prose,
)

ROOT = Path(__file__).resolve().parents[2]
MOST_CALLS = 3
PREDICTIONS = 2
WORDS_A_MINUTE, LINE, OUTPUT, QUESTION, ALOUD, TASK = 110, 7, 40, 75, 20, 7 * 60  # in seconds
FORMS = {"check", "quiz", "predict", "reveal", "claim", "verdict", "log_in"}
"""Functions of the course that a lesson calls alone in any number of cells."""

NEW = [path for path in TEXTS if path.stem[:2] in REWRITTEN]
pytestmark = pytest.mark.parametrize("text", NEW, ids=lambda path: path.stem)


def statements(cell: NotebookNode) -> list[ast.stmt]:
    return ast.parse(TransformerManager().transform_cell(cell.source)).body


def made(text: Path) -> set[str]:
    """The functions and classes that stand in the lesson, so that a learner can change them."""
    definitions = (ast.FunctionDef, ast.ClassDef)
    return {
        each.name
        for cell in code(text)
        for each in statements(cell)
        if isinstance(each, definitions)
    }


def is_only_a_call(cell: NotebookNode, courses: set[str], own: set[str]) -> bool:
    """Whether a cell only calls functions of the course, with nothing that the learner made."""
    called = [
        each.value
        for each in statements(cell)
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)
    ]
    if len(called) < len(statements(cell)):
        return False
    names = {node.id for each in called for node in ast.walk(each) if isinstance(node, ast.Name)}
    functions = {getattr(each.func, "id", "") for each in called}
    return functions <= courses - FORMS and not names & own


def test_few_cells_are_only_a_call_of_the_course(text):
    """The last table, in the section on the project, is not counted."""
    last = max(i for i, cell in enumerate(cells(text)) if re.match(r"## The project", cell.source))
    counted = [
        cell.metadata["slug"]
        for cell in cells(text)[:last]
        if cell.cell_type == "code" and is_only_a_call(cell, helpers(text), made(text))
    ]
    assert len(counted) <= MOST_CALLS, counted


def test_it_has_two_recorded_predictions(text):
    assert len(keys(text, "predict")) >= PREDICTIONS


def test_the_story_stays_on_the_server(text):
    """The learner logs in to a server, and looks at its GPUs with nvidia-smi."""
    assert calls(text, "log_in")
    assert any("nvidia-smi" in cell.source for cell in code(text))


def test_a_task_says_what_must_be_true(text):
    """Not how many lines a right answer changes."""
    tasks = [
        ROOT / "assignments" / "exercises" / each.name.replace(".", "/") / "task.md"
        for each in lesson(text).tasks
    ]
    texts = [prose(text), *(path.read_text(encoding="utf-8") for path in tasks)]
    count = r"(one|two|three|four|\d+)( single)? lines?"
    assert not re.findall(rf"(?i)\b(?:change|edit|replace) (?:only )?{count}", "\n".join(texts))


def test_recorded_numbers_have_card_date_and_address(text):
    """In the cell that names them `Recorded`."""
    for cell in cells(text):
        if cell.cell_type == "markdown" and re.search(r"\*\*Recorded", cell.source):
            assert "](https://" in cell.source
            assert re.search(r"\b20\d\d\b", cell.source)
            assert re.search(r"\b[ABHLPTV]\d{2,4}\b|\b(RTX|GTX|TITAN|Titan) ", cell.source)


def seconds(cell: NotebookNode) -> float:
    """The time that a learner needs for a cell, by the formula in site/guides/lessons.md.

    A check stands for its task. Cells that only import, define or assign show nothing.
    """
    if cell.cell_type == "markdown":
        words = len(re.findall(r"\w[\w.'’()-]*", cell.source))
        aloud = len(re.findall(r"^\d+\. .*\?$", cell.source, flags=re.M))
        return words * 60 / WORDS_A_MINUTE + aloud * ALOUD
    if is_question(cell):
        return QUESTION
    if cell.source.startswith("check("):
        return TASK
    silent = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign)
    shows = any(not isinstance(each, silent) for each in statements(cell))
    return LINE * sum(bool(line.strip()) for line in cell.source.splitlines()) + OUTPUT * shows


def minutes(text: Path) -> dict[str, float]:
    """The minutes of each section that says its minutes, by its heading."""
    spent: dict[str, float] = {}
    section = ""
    for cell in cells(text):
        for piece in re.split(r"^(?=## )", cell.source, flags=re.M):
            if piece.startswith("## "):
                section = piece.splitlines()[0]
            if section.endswith(" min"):
                taken = seconds(NotebookNode(cell_type=cell.cell_type, source=piece)) / 60
                spent[section] = spent.get(section, 0.0) + taken
    return spent


def test_the_minutes_are_those_of_the_formula(text):
    """Rounded, in each section; the goals and the last page have none."""
    said = {section: int(section.split()[-2]) for section in minutes(text)}
    computed = {section: round(taken) for section, taken in minutes(text).items()}
    assert said == computed, f"together {sum(computed.values())}"
