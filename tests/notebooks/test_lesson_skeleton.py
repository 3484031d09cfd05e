"""Every lesson has the same skeleton, and holds everything that course.toml promises of it."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from nbformat import NotebookNode

from course_utils.authoring.text import notebook_from_text
from course_utils.checking.questions import Prediction, Quiz, questions_file, read_questions
from course_utils.manifest import Lesson, load_manifest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted((ROOT / "notebooks" / "text").glob("[0-9][0-9]_*.py"))
MOST_LINES = 8
QUESTIONS = ("predict(", "quiz(")

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
    return [
        node
        for cell in code(text)
        for node in ast.walk(ast.parse(cell.source))
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
    goals = prose(text).split("## What you will be able to do")[1].split("\n\n**Minutes")[0]
    items = re.findall(r"^- (.+)$", goals, flags=re.M)
    assert len(items) >= 4
    assert all(re.match(r"\*\*[a-z]+\*\* ", item) for item in items), items


def test_minutes_and_prerequisites_are_told(text):
    assert f"**Minutes:** {lesson(text).minutes}" in prose(text)
    assert "**Prerequisites:**" in prose(text)


def test_the_parts_come_in_order(text):
    found = headings(text)
    assert found[0] == "What you will be able to do"
    assert found[1].startswith("Before we start")
    assert found[-2] == "What you learned"
    assert found[-1] == "The assignment, and the next lesson"
    assert any("Error clinic" in heading for heading in found[2:-2])


def test_it_begins_with_three_questions_from_before(text):
    before = [key for key in keys(text, "quiz") if ".before." in key]
    assert len(before) == 3
    later = next(i for i, cell in enumerate(cells(text)) if cell.source.startswith("## 1."))
    asked = [cell for cell in cells(text)[:later] if is_question(cell)]
    assert len(asked) == 3


def test_every_prediction_is_contrasted_with_what_happened(text):
    assert keys(text, "predict") == keys(text, "reveal")


def test_it_asks_every_question_of_its_file_once(text):
    questions = read_questions(questions_file(text.stem[:2]))
    for call, kind in (("quiz", Quiz), ("predict", Prediction)):
        asked = keys(text, call)
        assert len(set(asked)) == len(asked)
        assert set(asked) == {key for key, asked in questions.items() if isinstance(asked, kind)}


def test_no_cell_tells_the_answer_to_a_question(text):
    """Neither the right choice nor an explanation stands in the code that a learner sees."""
    for cell in code(text):
        if is_question(cell):
            assert re.fullmatch(r'(quiz|predict)\("[0-9a-z.-]+"\)', cell.source), cell.source


def test_every_claim_meets_a_cell_and_a_fact(text):
    kinds = "".join(
        "R"
        if cell.cell_type == "code" and not is_question(cell)
        else "".join(
            "c" if "Claim" in mark else "f"
            for mark in re.findall(
                r"^> \*\*(Claim in circulation|The fact)\.\*\*", cell.source, flags=re.M
            )
        )
        for cell in cells(text)
    )
    assert "c" in kinds
    assert kinds.count("c") == kinds.count("f")
    assert re.fullmatch(r"(R*cR+f)+R*", kinds), "a claim, the cell that refutes it, the fact"


def test_the_clinic_shows_real_messages_and_cures(text):
    clinic = prose(text).split("Error clinic")[1].split("## What you learned")[0]
    cases = re.findall(r"\*\*Case \d+\.\*\*", clinic)
    assert len(cases) >= 3
    assert clinic.count("cure") + clinic.count("Cure") >= len(cases)
    assert sum("except" in cell.source for cell in code(text)) >= len(cases)


def test_it_ends_with_three_questions_about_itself(text):
    number = text.stem[:2]
    assert len([key for key in keys(text, "quiz") if key.startswith(f"{number}.after.")]) == 3


def test_the_recap_asks_before_it_answers(text):
    recap = prose(text).split("## What you learned")[1]
    assert "<details><summary>Answers</summary>" in recap
    asked, answered = recap.split("<details>")
    numbered = re.compile(r"^\d+\. ", flags=re.M)
    assert len(numbered.findall(asked)) == len(numbered.findall(answered)) >= 3


def test_the_assignment_is_named(text):
    last = cells(text)[-1].source
    assert f"`{lesson(text).assignment}`" in last
    assert "**Next lesson:**" in last


def test_code_cells_are_short(text):
    for cell in code(text):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= MOST_LINES, cell.id


def test_prose_leads_to_every_code_cell(text):
    for before, cell in zip(cells(text), cells(text)[1:], strict=False):
        if cell.cell_type == "code":
            assert before.cell_type == "markdown" or is_question(before), cell.id


def test_no_cell_is_left_without_a_word_after_it(text):
    assert cells(text)[-1].cell_type == "markdown"


def test_the_four_words_are_used(text):
    for word in ("choose", "move", "run", "bring back"):
        assert re.search(rf"\*\*{word}\*\*", prose(text), flags=re.I), word


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
