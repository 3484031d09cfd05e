"""`course doctor NOTEBOOK` and `course reset`: whatever happened to a copy, no work is lost."""

import copy
import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from a_course import ASSIGNMENT_FILE, LESSON_FILE, Author, Learner, answer, cell
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_notebooks.matching import grade_id
from course_utils.errors import CourseError
from course_workspace.carried import carry
from course_workspace.deliver import prepare
from course_workspace.mend import Diagnosis, diagnose, mend
from course_workspace.reset import plan_reset, reset


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
    """Mend, and return what was found. Afterwards all is well, and the file as it was is there."""
    diagnosis = look(author, learner, name)
    before = (learner.workspace / diagnosis.path).read_bytes()
    said = mend(learner.workspace, diagnosis)[0]
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
    assert (diagnosis.found, diagnosis.left, diagnosis.mended) == ([], [], None)
    assert diagnosis.lines() == [f"{ASSIGNMENT_FILE}: all is well."]
    assert mend(learner.workspace, diagnosis) == []
    assert look(author, learner, LESSON_FILE).lines() == [f"{LESSON_FILE}: all is well."]


def test_a_duplicated_cell(author, learner):
    def twice(notebook: NotebookNode) -> None:
        twin = copy.deepcopy(cell(notebook, "double"))
        twin.id, twin.source = "twin", answer("double", "2 * x")
        notebook.cells.insert(5, twin)

    change(learner, twice)
    found = put_right(author, learner)
    assert "Answered in several cells, of which the last one counts: double." in found
    assert "lost, changed or there twice: double." in found
    assert learner.text("double") == answer("double", "2 * x")
    assert answer("double") in learner.texts()


def test_a_duplicated_check(author, learner):
    def twice(notebook: NotebookNode) -> None:
        twin = copy.deepcopy(cell(notebook, "double_check"))
        twin.id = "twin"
        notebook.cells.append(twin)

    change(learner, twice)
    assert "lost, changed or there twice: double_check." in put_right(author, learner)


def test_a_cell_that_was_cut_in_two(author, learner):
    def cut(notebook: NotebookNode) -> None:
        cell(notebook, "double").source = "def double(x):\n    y = x"
        place = notebook.cells.index(cell(notebook, "double"))
        notebook.cells.insert(place + 1, new_code_cell("    return x + y"))

    change(learner, cut)
    assert "Cut in two" in put_right(author, learner)
    assert learner.text("double") == "def double(x):\n    y = x\n    return x + y"


def test_a_retyped_cell(author, learner):
    def retype(notebook: NotebookNode) -> None:
        old = cell(notebook, "double")
        place = notebook.cells.index(old)
        notebook.cells[place] = new_markdown_cell(old.source, id=old.id, metadata=old.metadata)

    change(learner, retype)
    assert "taken as code again: double." in put_right(author, learner)
    assert cell(learner.read(), "double").cell_type == "code"


@pytest.mark.parametrize("name", ["double_check", "double_task", "setup"])
def test_a_deleted_cell(author, learner, name):
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, name)))
    before = learner.texts()
    assert f"put back as released{', above' if name == 'setup' else ''}" in put_right(
        author, learner
    )
    assert cell(learner.read(), name)
    assert set(before) <= set(learner.texts())


def test_a_deleted_exercise(author, learner):
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, "double")))
    assert "without an answer: double." in put_right(author, learner)
    assert "NotImplementedError" in learner.text("double")


def test_two_answers_in_one_cell(author, learner):
    learner.write("double", f"{answer('double')}\n\n\n{answer('triple')}")
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, "triple")))
    assert "Answered in one cell with another exercise: triple." in put_right(author, learner)
    assert answer("triple") in learner.text("double")


def test_an_answer_in_a_cell_of_its_own(author, learner):
    learner.write("double", "")
    change(learner, lambda notebook: notebook.cells.append(new_code_cell(answer("double"))))
    assert "Found in another cell" in put_right(author, learner)
    assert both_answers_stand(learner)


@pytest.mark.parametrize("how", ["metadata", "metadata and ids", "points"])
def test_lost_metadata(author, learner, how):
    def lose(notebook: NotebookNode) -> None:
        if how == "points":
            cell(notebook, "double_check").metadata["nbgrader"]["points"] = 400
            return
        for number, each in enumerate(notebook.cells):
            each.metadata = NotebookNode()
            if how != "metadata":
                each.id = f"x{number}"

    change(learner, lose)
    assert "lost, changed or there twice: double" in put_right(author, learner)
    assert both_answers_stand(learner)
    assert cell(learner.read(), "double_check").metadata["nbgrader"]["points"] == 4


def test_an_edited_check_is_as_it_was_and_where_the_edit_stays_is_said(author, learner):
    learner.write("double_check", 'check("foo.double", double, seed=1)')
    assert look(author, learner).notes == ["Only the old file has what you wrote in cell 6."]
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
    assert (diagnosis.found, diagnosis.mended) == ([], None)
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
    assert diagnosis.mended is None
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
    assert diagnosis.mended is None
    assert "Nothing in the file can be read" in diagnosis.left[0]


def test_a_lesson_that_is_not_json_any_more(author, learner):
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    file = learner.workspace / LESSON_FILE
    data = file.read_bytes()
    file.write_bytes(data[: data.index(b'"between"')])
    diagnosis = look(author, learner, "02_foo_lesson")
    mend(learner.workspace, diagnosis)
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
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, "double_check")))
    diagnosis = look(author, learner)
    learner.write("triple", answer("triple"))
    with pytest.raises(CourseError, match="was saved meanwhile"):
        mend(learner.workspace, diagnosis)
    assert learner.former() == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_folder_that_cannot_be_written(author, learner, monkeypatch, code):
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, "double_check")))
    before, diagnosis = (learner.workspace / ASSIGNMENT_FILE).read_bytes(), look(author, learner)

    def refuse(_: int) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched, pytest.raises(CourseError, match="Nothing was lost"):
        patched.setattr(os, "fsync", refuse)
        mend(learner.workspace, diagnosis)
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
    change(learner, lambda notebook: notebook.cells.remove(cell(notebook, "double")))
    with pytest.raises(CourseError, match="was saved meanwhile"):
        reset(learner.workspace, plan)
    with pytest.raises(CourseError, match="`course doctor 02_foo --mend` puts that right"):
        plan_reset(author.root, learner.workspace, "foo.double")
    (learner.workspace / ASSIGNMENT_FILE).unlink()
    with pytest.raises(CourseError, match="is not there: `course lab` puts it there"):
        plan_reset(author.root, learner.workspace, "foo.double")


# --- any damage


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["own", "edit", "answer", "delete", "copy", "retype", "move", "strip"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(actions=ACTIONS)
def test_nothing_that_the_learner_wrote_is_lost(author, learner, actions):
    released = look(author, learner).carried.notebook
    mine, delivered = copy.deepcopy(released), {each.source for each in released.cells}
    for number, (action, here, there) in enumerate(actions):
        damage(mine, number, action, here, there)
    before = copy.deepcopy((released, mine))
    carried = carry(mine, released, released)
    assert (released, mine) == before
    nbformat.validate(carried.notebook)
    texts = "\n".join(each.source for each in carried.notebook.cells)
    for number, each in enumerate(mine.cells, 1):
        if each.source not in delivered:
            assert each.source in texts or f"cell {number}" in carried.left
    graded = [each.id for each in released.cells if grade_id(each)]
    assert [each.id for each in carried.notebook.cells if each.id in graded] == graded
    assert carry(carried.notebook, released, released).mended == ()


def damage(notebook: NotebookNode, number: int, action: str, here: int, there: int) -> None:
    cells = notebook.cells
    chosen = cells[here % len(cells)] if cells else None
    match action:
        case "own":
            cells.insert(here % (len(cells) + 1), new_code_cell(f"own_{number} = {there}"))
        case "edit" if chosen:
            chosen.source = f"edited_{number} = {there}"
        case "answer" if chosen:
            chosen.source = answer(("double", "triple")[there % 2], str(number))
        case "delete" if chosen:
            cells.remove(chosen)
        case "copy" if chosen:
            twin = copy.deepcopy(chosen)
            twin.id = f"twin-{number}"
            cells.insert(there % (len(cells) + 1), twin)
        case "retype" if chosen:
            cells[cells.index(chosen)] = new_markdown_cell(
                chosen.source, metadata=chosen.metadata, id=chosen.id
            )
        case "move" if chosen:
            cells.remove(chosen)
            cells.insert(there % (len(cells) + 1), chosen)
        case "strip" if chosen:
            chosen.metadata, chosen.id = NotebookNode(), f"stripped-{number}"
