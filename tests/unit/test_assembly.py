"""An assignment's notebook: made of folders, and taken apart into them again."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from toy import COURSE

from course_authoring.assembly import put_together, taken_apart
from course_authoring.text import absorb, build
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = tmp_path / "course"
    shutil.copytree(COURSE, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def notebook(root: Path) -> Path:
    return root / "assignments/source/90_toy/90_toy.ipynb"


def edit(root: Path, old: str, new: str) -> None:
    text = notebook(root).read_text(encoding="utf-8")
    assert old in text
    notebook(root).write_text(text.replace(old, new, 1), encoding="utf-8")


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(root.rglob("*.*")) if path.is_file()}


def test_a_notebook_is_made_of_the_manifest_an_introduction_and_the_folders(course):
    cells = nbformat.read(notebook(course), as_version=4).cells
    assert [cell.id for cell in cells] == [
        "title",
        "setup",
        "double_task",
        "double",
        "double_try",
        "double_check",
        "before-you-submit",
    ]
    task, answer, check = cells[2], cells[3], cells[5]
    assert task.source.startswith("## 1. Double a number\n\n*Write · 3 points · 5 minutes*")
    assert answer.metadata.nbgrader.solution and not answer.metadata.nbgrader.locked
    assert check.source == 'check("toy.double", double)' and check.metadata.nbgrader.points == 3
    assert cells[6].source == (
        "Save it and submit.\n\n"
        "In a terminal (*File > New > Terminal*), `course submit 90_toy` says what will be "
        "graded,\nand hands it in, or makes the file to upload.\n\n"
        "Back to [lesson 90, *Doubling*](../../lessons/90_doubling.ipynb)"
    )


def test_an_answer_that_is_a_class_is_checked_by_its_own_name(course):
    answer = course / "assignments/exercises/toy/double/answer.py"
    answer.write_text(answer.read_text().replace("def double(x):", "class Double:"))
    (assignment,) = load_manifest(course / "course.toml").assignments
    text = put_together(course, assignment)
    assert 'check("toy.double", Double)' in text
    assert taken_apart(course, assignment, text)[answer].startswith("class Double:")


def test_what_changes_in_a_folder_or_the_manifest_reaches_the_notebook(course):
    for file, old, new in (
        ("course.toml", "points = 3", "points = 4"),
        ("assignments/exercises/toy/double/task.md", "twice the", "two times the"),
    ):
        path = course / file
        path.write_text(path.read_text().replace(old, new))
    assert [change.what for change in build(course)] == ["updated"]
    text = notebook(course).read_text()
    assert "4 points" in text and '"points": 4' in text and "two times the" in text


def test_what_was_edited_in_jupyterlab_goes_to_its_own_file(course):
    edit(course, "It returns twice", "It gives twice")
    edit(course, "# A number and itself.", "# Itself, twice.")
    edit(course, "# Assignment 90: Doubling", "# Assignment 90: Doubles")
    edit(course, '"# double(3)"', '"# double(4)"')
    assert [change.what for change in absorb(course)] == ["absorbed", "updated"]
    place = course / "assignments/exercises/toy/double"
    assert "It gives twice" in (place / "task.md").read_text()
    answer = (place / "answer.py").read_text()
    assert "# Itself, twice." in answer and answer.endswith("# %% try\n# double(4)\n")
    assert "Doubles" in (course / "assignments/text/90_toy.py").read_text()
    assert build(course, check=True) == [] and absorb(course) == []


def test_absorbing_nothing_changes_nothing(course):
    before = files(course)
    path = notebook(course)
    content = nbformat.read(path, as_version=4)
    content.cells[1].outputs = [nbformat.v4.new_output("stream", text="ran")]
    nbformat.write(content, path)
    assert absorb(course) == []
    build(course)
    assert files(course) == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3 points", "9 points", "titles, points and minutes come from course.toml"),
        ("## 1. Double a number", "## 1. Triple a number", "titles, points and minutes come from"),
        (r"check(\"toy.double\", double)", "True", "and the check from the name"),
        ("90_doubling.ipynb", "91.ipynb", "the end, from `course submit` on, was edited"),
    ],
)
def test_what_the_manifest_decides_cannot_be_edited_there(course, old, new, said):
    before = (course / "assignments/exercises/toy/double/task.md").read_bytes()
    edit(course, old, new)
    with pytest.raises(CourseError, match=said):
        absorb(course)
    assert (course / "assignments/exercises/toy/double/task.md").read_bytes() == before


def test_a_cell_between_the_exercises_and_a_lost_one_are_named(course):
    content = nbformat.read(notebook(course), as_version=4)
    stray = new_code_cell("x = 1", id="stray", metadata={"slug": "stray"})
    content.cells.insert(5, stray)
    nbformat.write(content, notebook(course))
    with pytest.raises(CourseError, match="the cell stray belongs to no exercise"):
        absorb(course)
    content.cells = [cell for cell in content.cells if cell.id not in ("stray", "double_try")]
    nbformat.write(content, notebook(course))
    with pytest.raises(CourseError, match=r"the cell double_try is missing\. Put it back"):
        absorb(course)


def test_a_lost_last_cell_is_named(course):
    content = nbformat.read(notebook(course), as_version=4)
    content.cells.pop()
    nbformat.write(content, notebook(course))
    with pytest.raises(CourseError, match=r"the cell before-you-submit is missing\. Put it back"):
        absorb(course)


def test_a_conflict_is_set_beside_the_introduction(course):
    edit(course, "It returns twice", "It gives twice")
    task = course / "assignments/exercises/toy/double/task.md"
    task.write_text(task.read_text().replace("twice the", "two times the"))
    with pytest.raises(CourseError, match="text and notebook both changed"):
        absorb(course)
    beside = course / "assignments/text/90_toy.from-notebook.py"
    assert "It gives twice" in beside.read_text() and "two times the" in task.read_text()
