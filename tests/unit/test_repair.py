"""`course doctor NOTEBOOK` and `course reset`: whatever happened to a copy, no work is lost."""

import copy
import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from a_course import (
    ASSIGNMENT_FILE,
    LESSON_FILE,
    Author,
    Learner,
    answer,
    cell,
    failing_at,
)
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_utils.errors import CourseError
from course_workspace.deliver import prepare
from course_workspace.repair import Diagnosis, diagnose, repair
from course_workspace.reset import plan_reset, reset

pytestmark = pytest.mark.slow


@pytest.fixture
def learner(author: Author, tmp_path: Path) -> Learner:
    prepare(author.root, tmp_path / "workspace")
    learner = Learner(tmp_path / "workspace")
    learner.write("double", answer("double"))
    learner.write("triple", answer("triple", "3 * x"))
    return learner


def look(author: Author, learner: Learner, name: str = "02_foo") -> Diagnosis:
    return diagnose(author.root, learner.workspace, name)


def put_right(author: Author, learner: Learner, name: str = "02_foo") -> str:
    """Fix, and return what was found. Afterwards all is well, and the file as it was is there."""
    diagnosis = look(author, learner, name)
    before = (learner.workspace / diagnosis.path).read_bytes()
    said = repair(learner.workspace, diagnosis)[0]
    kept = re.search("What was there is in (.+?)( and .+)?[.]$", said)[1]
    assert (learner.workspace / kept).read_bytes() == before
    assert look(author, learner).found == []
    nbformat.validate(learner.read())
    return "\n".join(diagnosis.found)


def change(learner: Learner, how: Callable[[NotebookNode], object]) -> None:
    notebook = learner.read()
    how(notebook)
    learner.save(notebook)


def both_answers_stand(learner: Learner) -> bool:
    return (learner.text("double"), learner.text("triple")) == (
        answer("double"),
        answer("triple", "3 * x"),
    )


def test_a_sound_notebook_is_left_alone(author, learner):
    change(learner, lambda notebook: notebook.cells.insert(3, new_markdown_cell("a note")))
    change(learner, lambda notebook: notebook.cells.append(new_code_cell("mine")))
    diagnosis = look(author, learner)
    assert (diagnosis.found, diagnosis.left, diagnosis.repaired) == ([], [], None)
    assert diagnosis.lines() == [f"{ASSIGNMENT_FILE}: all is well."]
    assert repair(learner.workspace, diagnosis) == []
    assert look(author, learner, LESSON_FILE).lines() == [f"{LESSON_FILE}: all is well."]


def twin(name: str, text: str = "") -> Callable[[NotebookNode], None]:
    def do(notebook: NotebookNode) -> None:
        other = copy.deepcopy(cell(notebook, name))
        other.id, other.source = "twin", text or other.source
        notebook.cells.insert(9, other)

    return do


def without(name: str) -> Callable[[NotebookNode], None]:
    return lambda notebook: notebook.cells.remove(cell(notebook, name))


def cut(notebook: NotebookNode) -> None:
    cell(notebook, "double").source = "def double(x):"
    notebook.cells.insert(4, new_code_cell("    return x + x"))


def retyped(notebook: NotebookNode) -> None:
    old = cell(notebook, "double")
    notebook.cells[3] = new_markdown_cell(old.source, id=old.id, metadata=old.metadata)


def elsewhere(notebook: NotebookNode) -> None:
    cell(notebook, "double").source = ""
    notebook.cells.append(new_code_cell(answer("double")))


def unmarked(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.metadata = NotebookNode()


def nameless(notebook: NotebookNode) -> None:
    unmarked(notebook)
    for number, each in enumerate(notebook.cells):
        each.id = f"x{number}"


def richer(notebook: NotebookNode) -> None:
    cell(notebook, "double_check").metadata["nbgrader"]["points"] = 400


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (twin("double", answer("double", "0")), "of which the last one counts: double."),
        (twin("double_check"), "lost, changed or there twice: double_check."),
        (cut, "Cut in two"),
        (retyped, "taken as code again: double."),
        (without("double_check"), "put back as released: double_check."),
        (without("double_task"), "put back as released: double_task."),
        (without("setup"), "put back as released, above"),
        (elsewhere, "Found in another cell"),
        (unmarked, "lost, changed or there twice: double"),
        (nameless, "lost, changed or there twice: double"),
        (richer, "lost, changed or there twice: double_check."),
    ],
)
def test_damage_is_put_right_and_the_answers_stand(author, learner, damage, sentence):
    change(learner, damage)
    before = learner.texts()
    assert sentence in put_right(author, learner)
    if "the last one counts" in sentence:
        assert learner.text("double") == answer("double", "0")
        assert answer("double") in learner.texts()
    else:
        assert both_answers_stand(learner)
    if damage not in (cut, elsewhere):
        assert set(before) <= set(learner.texts())
    assert cell(learner.read(), "double_check").metadata["nbgrader"]["points"] == 4


def test_two_answers_in_one_cell(author, learner):
    learner.write("double", f"{answer('double')}\n\n\n{answer('triple')}")
    change(learner, without("triple"))
    assert "Answered in one cell with another exercise: triple." in put_right(author, learner)
    assert learner.text("triple") == "# Answered in the cell double, above."


def test_a_deleted_exercise(author, learner):
    change(learner, without("double"))
    assert "without an answer: double." in put_right(author, learner)
    assert "NotImplementedError" in learner.text("double")


def test_an_edited_check_is_as_it_was_and_where_the_edit_stays_is_said(author, learner):
    learner.write("double_check", 'check("foo.double", double, seed=1)')
    (note,) = look(author, learner).notes
    assert note.startswith("Only the old file has what you wrote in cell 6 (“check(")
    assert "put back as released: double_check." in put_right(author, learner)
    assert b"seed=1" in learner.former()[0]


def test_an_edited_setup_is_as_it_was_and_what_was_added_is_kept(author, learner):
    learner.write("setup", "import math\nimport json\nlab(gpus=2)")
    assert "setup" in put_right(author, learner)
    assert learner.text("setup") == "import math"
    assert "import json" in learner.texts()
    assert b"lab(gpus=2)" in learner.former()[0]


def test_results_and_notes_stay(author, learner):
    def work(notebook: NotebookNode) -> None:
        cell(notebook, "title").source = "# Foo, and what I thought of it"
        cell(notebook, "double_check").outputs = [new_output("stream", text="Passed.")]
        image = {"a.png": {"image/png": "AAAA"}}
        notebook.cells.insert(4, new_markdown_cell("![](attachment:a.png)", attachments=image))
        notebook.cells.remove(cell(notebook, "triple_task"))

    change(learner, work)
    put_right(author, learner)
    assert cell(learner.read(), "double_check").outputs[0].text == "Passed."
    assert learner.text("title") == "# Foo, and what I thought of it"
    [picture] = [each for each in learner.read().cells if "attachments" in each]
    assert picture.attachments == {"a.png": {"image/png": "AAAA"}}


def test_an_answer_that_nobody_can_know_is_said_and_stays(author, learner):
    def hide(notebook: NotebookNode) -> None:
        place = notebook.cells.index(cell(notebook, "double"))
        notebook.cells[place] = new_code_cell("def twice(x):\n    return x + x")

    change(learner, hide)
    diagnosis = look(author, learner)
    assert (diagnosis.found, diagnosis.repaired) == ([], None)
    [left] = diagnosis.left
    assert left.startswith("double could not be matched") and "cell 4 may be the answer" in left
    assert left.endswith("Put the answer into its own cell.")


def test_a_cell_of_another_version_is_told(author, learner):
    def add(notebook: NotebookNode) -> None:
        old = {"nbgrader": {**cell(notebook, "double").metadata["nbgrader"], "grade_id": "old"}}
        notebook.cells.append(new_code_cell(answer("old"), metadata=old))

    change(learner, add)
    assert "since this assignment has no such exercise: old." in put_right(author, learner)
    assert answer("old") in learner.texts()


# --- the file itself


def test_a_renamed_notebook(author, learner):
    folder = (learner.workspace / ASSIGNMENT_FILE).parent
    (learner.workspace / ASSIGNMENT_FILE).rename(folder / "my answers.ipynb")
    with pytest.raises(CourseError, match=r"is missing, but my answers\.ipynb is in its folder"):
        look(author, learner)
    found = put_right(author, learner, "assignments/02_foo/my answers.ipynb")
    assert "It was renamed" in found
    assert both_answers_stand(learner)
    assert {file.name for file in folder.iterdir()} == {"02_foo.ipynb", "my answers.ipynb"}


def test_a_renamed_notebook_beside_a_fresh_copy(author, learner):
    folder = (learner.workspace / ASSIGNMENT_FILE).parent
    (learner.workspace / ASSIGNMENT_FILE).rename(folder / "mine.ipynb")
    prepare(author.root, learner.workspace)
    put_right(author, learner, "assignments/02_foo/mine.ipynb")
    assert both_answers_stand(learner)
    assert {file.name for file in folder.iterdir()} == {
        "02_foo.ipynb",
        "02_foo.old.ipynb",
        "mine.ipynb",
    }


def test_two_notebooks_with_answers(author, learner):
    path = "assignments/02_foo/02_foo-Copy1.ipynb"
    learner.save(learner.read(), path)
    diagnosis = look(author, learner, path)
    assert diagnosis.repaired is None
    assert "there are answers in that one, too" in diagnosis.left[0]


def test_an_answer_that_only_a_copy_has(author, learner):
    """As when two tabs saved the notebook, and one of them a copy of it."""
    learner.save(learner.read(), "assignments/02_foo/02_foo-Copy1.ipynb")
    plan = plan_reset(author.root, learner.workspace, "foo.triple")
    reset(learner.workspace, plan)
    found = put_right(author, learner)
    assert found == "triple has no answer here, and one in 02_foo-Copy1.ipynb."
    assert both_answers_stand(learner)


def test_an_answer_that_only_a_file_of_before_has_was_taken_out_on_purpose(author, learner):
    learner.save(learner.read(), "assignments/02_foo/02_foo.old.ipynb")
    reset(learner.workspace, plan_reset(author.root, learner.workspace, "foo.triple"))
    assert look(author, learner).found == []


@pytest.mark.parametrize("how", ["cut off", "twice", "merge marks", "a byte"])
def test_a_notebook_that_is_not_json_any_more(author, learner, how):
    file = learner.workspace / ASSIGNMENT_FILE
    data = file.read_bytes()
    file.write_bytes(
        {
            "cut off": data[: data.index(b'"triple_try"')],
            "twice": data + data,
            "merge marks": data.replace(
                b'  {\n   "cell_type": "code"',
                b'<<<<<<< mine\n=======\n>>>>>>> theirs\n  {\n   "cell_type": "code"',
                1,
            ),
            "a byte": data.replace(b'"nbformat": 4', b'"nbformat" \x00 4'),
        }[how]
    )
    assert "The file is damaged" in put_right(author, learner)
    assert both_answers_stand(learner)


def test_an_empty_file_and_a_checkpoint(author, learner):
    file = learner.workspace / ASSIGNMENT_FILE
    saved = file.parent / ".ipynb_checkpoints/02_foo-checkpoint.ipynb"
    saved.parent.mkdir()
    saved.write_bytes(file.read_bytes())
    file.write_bytes(b"")
    assert "JupyterLab's checkpoint" in put_right(author, learner)
    assert both_answers_stand(learner)


def test_a_file_of_which_nothing_is_left(author, learner):
    (learner.workspace / ASSIGNMENT_FILE).write_bytes(b"\xff" * 100)
    diagnosis = look(author, learner)
    assert diagnosis.repaired is None
    assert "Nothing in the file can be read" in diagnosis.left[0]


def test_a_lesson_that_is_not_json_any_more(author, learner):
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    file = learner.workspace / LESSON_FILE
    data = file.read_bytes()
    file.write_bytes(data[: data.index(b'"between"')])
    diagnosis = look(author, learner, "02_foo_lesson")
    repair(learner.workspace, diagnosis)
    assert learner.texts(LESSON_FILE) == ["# Foo", "x = 1  # mine", "Between.", "y = 2"]
    assert look(author, learner, "02_foo_lesson").found == []


def test_names(author, learner, tmp_path, monkeypatch):
    for name in ("02", "02_foo", "foo", "foo.double", ASSIGNMENT_FILE):
        assert look(author, learner, name).path == ASSIGNMENT_FILE
    monkeypatch.chdir((learner.workspace / ASSIGNMENT_FILE).parent)
    assert look(author, learner, "02_foo.ipynb").path == ASSIGNMENT_FILE
    with pytest.raises(CourseError, match="did you mean 02_foo"):
        look(author, learner, "02_fooo")
    (tmp_path / "elsewhere.ipynb").write_text("{}")
    with pytest.raises(CourseError, match="is not in your workspace"):
        look(author, learner, str(tmp_path / "elsewhere.ipynb"))


def test_a_file_that_was_saved_meanwhile_is_left_alone(author, learner):
    change(learner, without("double_check"))
    diagnosis = look(author, learner)
    learner.write("triple", answer("triple"))
    with pytest.raises(CourseError, match="was saved meanwhile"):
        repair(learner.workspace, diagnosis)
    assert learner.former() == []


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, "full")])
def test_a_repair_that_is_stopped_leaves_the_file_whole(author, learner, monkeypatch, fault):
    change(learner, without("double_check"))
    before, diagnosis = (learner.workspace / ASSIGNMENT_FILE).read_bytes(), look(author, learner)
    for step in (1, 2):  # the former file, and the new one
        with monkeypatch.context() as patched, pytest.raises((KeyboardInterrupt, CourseError)):
            patched.setattr(os, "fsync", failing_at(step, fault))
            repair(learner.workspace, diagnosis)
        assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before
    put_right(author, learner)


# --- reset


def test_an_exercise_is_put_back_to_its_starting_text(author, learner):
    plan = plan_reset(author.root, learner.workspace, "foo.double")
    assert plan.answer == answer("double")
    said = reset(learner.workspace, plan)
    assert "NotImplementedError" in learner.text("double")
    assert learner.text("triple") == answer("triple", "3 * x")
    kept = (learner.workspace / ASSIGNMENT_FILE).with_name("double.old.py")
    assert kept.read_text() == answer("double") + "\n"
    assert kept.relative_to(learner.workspace).as_posix() in said[0]
    assert plan_reset(author.root, learner.workspace, "foo.double").answer == ""


def test_what_cannot_be_reset(author, learner):
    with pytest.raises(CourseError, match="did you mean foo"):
        plan_reset(author.root, learner.workspace, "foo.dubble")
    with pytest.raises(CourseError, match=r"Name one exercise, as in `course reset foo\.double`"):
        plan_reset(author.root, learner.workspace, "02_foo")
    plan = plan_reset(author.root, learner.workspace, "foo.double")
    change(learner, without("double"))
    with pytest.raises(CourseError, match="was saved meanwhile"):
        reset(learner.workspace, plan)
    with pytest.raises(CourseError, match="`course doctor 02_foo --fix` puts that right"):
        plan_reset(author.root, learner.workspace, "foo.double")
    (learner.workspace / ASSIGNMENT_FILE).unlink()
    with pytest.raises(CourseError, match="is not there: `course lab` puts it there"):
        plan_reset(author.root, learner.workspace, "foo.double")
