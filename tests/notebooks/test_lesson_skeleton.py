"""Every lesson has the same skeleton, and holds everything that course.toml promises of it."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from course_authoring.text import notebook_from_text
from course_utils.checking.questions import (
    FALSE,
    Claim,
    Prediction,
    Quiz,
    questions_file,
    read_questions,
)
from course_utils.manifest import Lesson, load_manifest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted((ROOT / "notebooks" / "text").glob("[0-9][0-9]_*.py"))
MOST_LINES = 8
MOST_LINES_TO_FIX = 12
MOST_LINES_OF_A_FILE = 30
REWRITTEN = tuple(f"{number:02}" for number in range(1, 13))
"""The lessons in their new form, by number."""
QUESTIONS = ("predict(", "quiz(", "claim(")

pytestmark = pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)


@cache
def cells(text: Path) -> list[NotebookNode]:
    return notebook_from_text(text.read_text(encoding="utf-8")).cells


def prose(text: Path) -> str:
    return "\n\n".join(cell.source for cell in cells(text) if cell.cell_type == "markdown")


def code(text: Path) -> list[NotebookNode]:
    return [cell for cell in cells(text) if cell.cell_type == "code"]


def lesson(text: Path) -> Lesson:
    return load_manifest().lesson(text.stem[:2])


def headings(text: Path) -> list[str]:
    """The headings of the second level, in order."""
    return re.findall(r"^## (.+)$", prose(text), flags=re.M)


def is_question(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and cell.source.startswith(QUESTIONS)


def calls(text: Path, function: str) -> list[ast.Call]:
    """Every call of `function` in the lesson's code."""
    python = TransformerManager().transform_cell  # of a cell with %%writefile or a `!command`
    return [
        node
        for cell in code(text)
        for node in ast.walk(ast.parse(python(cell.source)))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function
    ]


def keys(text: Path, function: str) -> list[str]:
    return [ast.literal_eval(call.args[0]) for call in calls(text, function)]


def mapped(text: Path, field: str) -> set[str]:
    """The ids that the metadata of some code cell claim."""
    return {name for cell in code(text) for name in cell.metadata.get(field, ())}


def test_title_is_the_manifests(text):
    first = cells(text)[0]
    assert first.cell_type == "markdown"
    assert first.source.splitlines()[0] == f"# {lesson(text).title}"
    assert len(re.findall(r"^# ", prose(text), flags=re.M)) == 1


def test_is_named_as_in_the_manifest(text):
    assert text.stem == lesson(text).notebook


def test_goals_are_verbs(text):
    goals = prose(text).split("## What you will be able to do")[1].split("\n\n**Time")[0]
    items = re.findall(r"^- (.+)$", goals, flags=re.M)
    assert len(items) >= 4
    assert all(re.match(r"\*\*[a-z]+\*\* ", item) for item in items), items


def test_time_and_prerequisites_are_told(text):
    assert f"**Time:** about {lesson(text).time}" in prose(text)
    assert "**Prerequisites:**" in prose(text)


def test_every_section_tells_its_minutes(text):
    """All but the goals and the last page; together they are the minutes of the lesson."""
    timed = headings(text)[1:-1]
    told = [re.search(r" · (\d+) min$", heading) for heading in timed]
    assert all(told), [heading for heading, found in zip(timed, told, strict=True) if not found]
    assert sum(int(found[1]) for found in told) == lesson(text).minutes


@dataclass(frozen=True)
class Limits:
    """What a lesson may have at most, and numbers that it may choose from.

    plumbing: the share of the lines of code that name `course_utils`, or a helper of the lesson.
    """

    cells: int
    words: int
    questions: int
    plumbing: float
    claims: tuple[int, ...]
    recalled: tuple[int, ...]
    tasks: tuple[int, ...]


# An honest hour, as learners with a clock took it; the first lesson has forty minutes.
NEW = Limits(50, 1_250, 6, 0.12, claims=(0, 1, 2), recalled=(1, 2), tasks=(2, 3))
OLD = Limits(110, 2_800, 22, 0.33, claims=(3, 4, 5, 6, 7, 8), recalled=(3,), tasks=(0,))


def limits(text: Path) -> Limits:
    return NEW if lesson(text).number in REWRITTEN else OLD


def test_it_is_no_longer_than_it_may_be(text):
    assert len(cells(text)) <= limits(text).cells
    assert len(re.findall(r"\w[\w.'’()-]*", prose(text))) <= limits(text).words


def test_it_asks_for_code_and_not_only_for_choices(text):
    assert sum(map(is_question, cells(text))) <= limits(text).questions
    assert len(lesson(text).tasks) in limits(text).tasks


def helpers(text: Path) -> set[str]:
    """What the lesson imports from the course, with the names of the packages."""
    packages = {"course_utils", "lesson_parts"}
    names = {
        alias.asname or alias.name
        for cell in code(text)
        for node in ast.walk(ast.parse(TransformerManager().transform_cell(cell.source)))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in packages
        for alias in node.names
    }
    return packages | names


def test_its_code_is_what_a_practitioner_types(text):
    """Lines in which a learner answers are not counted: questions, `check`, `reveal`, `verdict`."""
    sources = [cell.source for cell in code(text) if not is_question(cell)]
    lines = [line for source in sources for line in source.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("check(", "reveal(", "verdict("))]
    plumbing = re.compile(rf"\b({'|'.join(helpers(text))})\b")
    most = limits(text).plumbing * len(lines)
    assert sum(bool(plumbing.search(line)) for line in lines) <= most


def test_the_parts_come_in_order(text):
    found = headings(text)
    assert found[0] == "What you will be able to do"
    assert found[1].startswith("Before we start")
    assert found[-2].startswith("What you learned")
    assert found[-1] == "The assignment, and the next lesson"
    assert limits(text) is NEW or any("Error clinic" in heading for heading in found[2:-2])


def test_it_begins_with_questions_from_before(text):
    before = [key for key in keys(text, "quiz") if ".before." in key]
    assert len(before) in limits(text).recalled
    later = next(i for i, cell in enumerate(cells(text)) if cell.source.startswith("## 1."))
    asked = [cell for cell in cells(text)[:later] if is_question(cell)]
    assert len(asked) == len(before)


def test_every_prediction_is_contrasted_with_what_happened(text):
    assert keys(text, "predict") == keys(text, "reveal")


def test_an_outcome_is_the_last_statement_of_its_cell(text):
    """A notebook shows the value of the last one alone."""
    for cell in code(text):
        *before, _ = ast.parse(TransformerManager().transform_cell(cell.source)).body
        called = [each.value for each in before if isinstance(each, ast.Expr)]
        shown = {getattr(each.func, "id", "") for each in called if isinstance(each, ast.Call)}
        assert not shown & {"reveal", "verdict", "check"}, cell.metadata["slug"]


def questions(text: Path, kind: type) -> dict[str, Any]:
    asked = read_questions(questions_file(text.stem[:2]))
    return {key: question for key, question in asked.items() if isinstance(question, kind)}


def test_it_asks_every_question_of_its_file_once(text):
    for call, kind in (("quiz", Quiz), ("predict", Prediction), ("claim", Claim)):
        asked = keys(text, call)
        assert len(set(asked)) == len(asked)
        assert set(asked) == set(questions(text, kind))


def test_every_second_prediction_asks_for_a_reason(text):
    asked = [question.asks_why for question in questions(text, Prediction).values()]
    assert sum(asked) >= len(asked) // 2


def test_no_cell_tells_the_answer_to_a_question(text):
    """Neither the right choice nor an explanation stands in the code that a learner sees."""
    for cell in code(text):
        if is_question(cell):
            assert re.fullmatch(r'(quiz|predict|claim)\("[0-9a-z.-]+"\)', cell.source), cell.source


def test_every_claim_meets_its_verdict(text):
    """In the cell that shows it, so that nothing tells the verdict before it ran."""
    assert keys(text, "claim") == keys(text, "verdict")
    assert not re.search(r"Claim in circulation|The fact\.", prose(text))


def test_a_third_of_the_claims_are_true_or_true_with_a_condition(text):
    claims = questions(text, Claim).values()
    assert len(claims) in limits(text).claims
    assert sum(claim.right != FALSE for claim in claims) >= len(claims) / 3


def test_the_clinic_shows_real_messages_and_cures(text):
    """A lesson in its new form has one only if there are cases that surprise."""
    *_, clinic = prose(text).split("## What you learned")[0].partition("Error clinic")
    if limits(text) is NEW and not clinic:
        return
    cases = re.findall(r"\*\*Case \d+\.\*\*", clinic)
    assert len(cases) >= (2 if limits(text) is NEW else 3)
    assert clinic.count("cure") + clinic.count("Cure") >= len(cases)
    assert sum("except" in cell.source for cell in code(text)) >= len(cases)


def test_it_ends_with_questions_about_itself(text):
    after = [key for key in keys(text, "quiz") if key.startswith(f"{text.stem[:2]}.after.")]
    assert len(after) in limits(text).recalled


def test_the_recap_asks_before_it_answers(text):
    recap = prose(text).split("## What you learned")[1]
    assert "<details><summary>Answers</summary>" in recap
    asked, answered = recap.split("<details>")
    numbered = re.compile(r"^\d+\. ", flags=re.M)
    assert len(numbered.findall(asked)) == len(numbered.findall(answered)) >= 3


def test_it_ends_with_the_project(text):
    assert headings(text)[-3].startswith("The project")


def test_the_last_page_leads_on(text):
    """To the assignment, in words, and to the next lesson that there is, if there is one."""
    last, here = cells(text)[-1].source, lesson(text)
    lessons = load_manifest().lessons
    name = here.assignment
    title = f"Assignment {here.number}: {load_manifest().assignment(name).title}"
    assert f"[{title}](../assignments/{name}/{name}.ipynb)" in last
    later = [other for other in lessons if other.number > here.number]
    assert [name for name in re.findall(r"\]\((\d\d_\w+\.ipynb)\)", last)] == [
        f"{other.notebook}.ipynb" for other in later[:1]
    ]


def test_code_cells_are_short(text):
    for cell in code(text):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= most_lines(cell.source, lesson(text)), cell.id


def most_lines(source: str, here: Lesson) -> int:
    """How many lines a cell may have: more if it is a file, or the program of a task."""
    if source.startswith("%%writefile "):
        return MOST_LINES_OF_A_FILE
    tasks = (each.name.partition(".")[2] for each in here.tasks)
    to_fix = any(re.search(rf"^def {name}\(", source, flags=re.M) for name in tasks)
    return MOST_LINES_TO_FIX if to_fix else MOST_LINES


def test_prose_leads_to_every_code_cell(text):
    for before, cell in zip(cells(text), cells(text)[1:], strict=False):
        if cell.cell_type == "code":
            assert before.cell_type == "markdown" or is_question(before), cell.id


def test_no_cell_is_left_without_a_word_after_it(text):
    assert cells(text)[-1].cell_type == "markdown"


def test_no_cell_asks_for_a_gpu(text):
    assert not re.search(r"(needs?|requires?) a (real )?GPU", prose(text), flags=re.I)


def test_slugs_are_unique_kebab_case(text):
    slugs = [cell.metadata.get("slug", "") for cell in cells(text)]
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in slugs)
    assert len(set(slugs)) == len(slugs)


def test_every_concept_has_a_cell(text):
    assert mapped(text, "concepts") == set(lesson(text).concepts)


def test_every_erratum_has_a_cell(text):
    assert mapped(text, "errata") == set(lesson(text).errata)
