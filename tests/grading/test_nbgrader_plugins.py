"""`nbgrader autograde` and formgrader's button give the grades that `course grade` gives."""

import json
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from classroom import make_class
from courses import (
    ASSIGNMENTS,
    ROOT,
    Class,
    filled_in,
    full_points,
    opened,
    parsed,
    references,
)
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.apps import NbGraderAPI

from course_grading.nbgrader_plugins import GradingExporter
from course_utils.errors import CourseError
from tests.kept import only

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)
OWN_JUDGE = GradingExporter._judge
HELD = ("cut_off", "with_a_link", "in_words")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]  # of nbgrader


@pytest.fixture(scope="module")
def handed_in(release, tmp_path_factory) -> Class:
    """The known answers, some accidents, one that is late, and one with a link to the gradebook."""
    course = release(tmp_path_factory.mktemp("handed_in"))
    released = nbformat.from_dict(filled_in(ASSIGNMENT, {}))
    for each in make_class(ROOT, ASSIGNMENTS[ASSIGNMENT]):
        if each.student != "endless_loop":
            course.hand_in(each.student, {}, notebook=each.fill_in(released))
    course.hand_in("late", references(ASSIGNMENT), stamp="2026-11-03 11:30:00 UTC")
    cut_off = json.dumps(filled_in(ASSIGNMENT, {}))[:5000]
    (course.hand_in("cut_off", {}) / f"{ASSIGNMENT}.ipynb").write_text(cut_off)
    linked = course.hand_in("with_a_link", references(ASSIGNMENT))
    (linked / "data.db").symlink_to(course.root / "gradebook.db")
    (linked / "endless.bin").symlink_to("/dev/zero")
    (linked / "notes").mkdir()
    (linked / "notes" / "mine.txt").write_text("notes")
    in_words = filled_in(ASSIGNMENT, references(ASSIGNMENT))
    for cell in in_words["cells"]:
        if cell["id"] == "fix_mismatch":
            cell.update(cell_type="markdown", source="I would move it.")
            del cell["outputs"], cell["execution_count"]
    course.hand_in("in_words", {}, notebook=in_words)
    with course.gradebook() as book:
        book.find_assignment(ASSIGNMENT).duedate = parsed() + timedelta(hours=1)
        book.db.commit()
    return course


@pytest.fixture(scope="module")
def ours(handed_in, tmp_path_factory, one_executor) -> Class:
    course = handed_in.copied(tmp_path_factory.mktemp("ours"))
    course.grade()
    return course


@pytest.fixture(scope="module")
def one_crew_for_nbgrader(executor):
    """Exporters do not start judges of their own."""
    with pytest.MonkeyPatch.context() as patch:
        lent = SimpleNamespace(grade=lambda job: executor.submit(job).result())
        patch.setattr(GradingExporter, "_judge", lambda *_: lent)
        yield


@pytest.fixture(scope="module")
def theirs(handed_in, tmp_path_factory, one_crew_for_nbgrader) -> Class:
    """Graded by what formgrader's button calls, one student after the other."""
    course = handed_in.copied(tmp_path_factory.mktemp("theirs"))
    for student in sorted(path.name for path in (course.root / "submitted").iterdir()):
        done = button(course, student)
        assert done["success"], done["log"]
    return course


def button(course: Class, student: str) -> dict:
    return opened(course.root).autograde(ASSIGNMENT, student)


def test_gradebooks_are_equal_row_by_row(ours, theirs):
    rows = ours.rows()
    assert len(rows) == 13 * len(FULL)
    assert theirs.rows() == rows
    assert {row["student"] for row in rows if row["waits"]} == set(HELD)
    assert {row["late"] > 0 for row in rows if row["student"] == "late"} == {True}


def test_autograded_notebooks_are_equal(ours, theirs):
    one, other = verdicts(ours), verdicts(theirs)
    assert one == other and len(one) == 13


def verdicts(course: Class) -> dict[str, list]:
    """What each notebook shows in each of its cells."""
    found = {}
    for path in sorted((course.root / "autograded").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        found[path.parts[-3]] = [
            (
                cell.source,
                cell.metadata.get("nbgrader"),
                cell.metadata.get("course"),
                cell.get("outputs"),
            )
            for cell in notebook.cells
        ]
    return found


@pytest.mark.parametrize("road", ["ours", "theirs"])
def test_what_a_link_points_to_is_not_copied(road, request):
    course: Class = request.getfixturevalue(road)
    place = course.folder("with_a_link", "autograded")
    names = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    assert names <= {f"{ASSIGNMENT}.ipynb", "timestamp.txt", "notes/mine.txt"}
    for row in course.rows("with_a_link"):
        assert row["auto"] is None and row["waits"]
        assert "is a link" in dict(row["comments"])["fix_mismatch"]


def test_the_button_grades_one_student_again(theirs, tmp_path):
    course = theirs.copied(tmp_path / "course")
    with course.gradebook() as book:
        grade = book.find_grade("fix_mismatch_check", ASSIGNMENT, ASSIGNMENT, "empty")
        grade.manual_score = 1.5
        book.db.commit()
    others = [row for row in course.rows() if row["student"] != "empty"]
    course.hand_in("empty", references(ASSIGNMENT))
    assert button(course, "empty")["success"]
    assert [row for row in course.rows() if row["student"] != "empty"] == others
    rows = course.rows("empty")
    found = {row["cell"]: (row["auto"], row["manual"], row["waits"]) for row in rows}
    expected = {f"{name}_check": (points, None, False) for name, points in FULL.items()}
    assert found == expected | {"fix_mismatch_check": (FULL["fix_mismatch"], 1.5, True)}


def test_course_grade_goes_on_after_the_button(theirs, tmp_path, one_executor):
    """It finds nothing of its own, grades all, and every grade stays what it was."""
    course = theirs.copied(tmp_path / "course")
    rows = course.rows()
    assert course.grade().unchanged == set()
    assert course.rows() == rows


@pytest.mark.more
def test_an_exporter_has_a_station_of_its_own(handed_in, tmp_path):
    """The button as it is, without the executor that these tests share."""
    course = handed_in.copied(tmp_path / "course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GradingExporter, "_judge", OWN_JUDGE)
        assert button(course, "partial")["success"]
    assert course.points("partial") == {
        name: points if number < len(FULL) // 2 else 0
        for number, (name, points) in enumerate(FULL.items())
    }


def graded_cell(name: str, kind: str, **flags: bool) -> NotebookNode:
    """A question of the instructor's own. It is right for everybody, if nobody runs it."""
    marks = {"grade": True, "locked": True, "solution": False, "task": False} | flags
    made = new_code_cell("assert False") if kind == "code" else new_markdown_cell("Why?")
    made.metadata.nbgrader = {"grade_id": name, "points": 2, "schema_version": 3, **marks}
    return made


OWN = {
    "a test": [graded_cell("own", "code")],
    "a text": [graded_cell("own", "markdown", solution=True, locked=False)],
    "a task": [graded_cell("own", "markdown", grade=False, task=True)],
    "a check of another assignment": [graded_cell("own", "code")],
}
OWN["a check of another assignment"][0].source = 'check("modules.fix_module", fix_module)'


@pytest.fixture
def with_own(release, tmp_path, request) -> Class:
    """A course with a question of its own in 02_tensors, or beside it, that somebody answered."""
    course = release(tmp_path / "course")
    source = course.root / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    if request.param in OWN:
        notebook = nbformat.read(source, as_version=4)
        notebook.cells += OWN[request.param]
    else:
        notebook = new_notebook(cells=OWN["a test"])
        name = "hw1" if request.param == "an assignment" else ASSIGNMENT
        source = course.root / "source" / name / "own.ipynb"
        source.parent.mkdir(exist_ok=True)
        course = Class(course.root, name)
    nbformat.write(notebook, source)
    assert opened(course.root).generate_assignment(course.assignment)["success"]
    shutil.copytree(course.root / "release" / course.assignment, course.folder("ada"))
    return course


def grade_by(road: str, course: Class) -> str:
    """Grade ada; the error message, if it is refused."""
    if road == "button":
        done = opened(course.root).autograde(course.assignment, "ada")
        return "" if done["success"] else done["log"]
    if road == "nbgrader autograde":
        ended = autograde(course.root, course.assignment)
        assert ended.returncode in (0, 1)
        return ended.stderr if ended.returncode else ""
    try:
        course.grade()
    except CourseError as refused:
        return str(refused)
    return ""


ROADS = ["course grade", "button", "nbgrader autograde"]


KINDS = ["a test", "a text", "a task", "an assignment", "a notebook"]


@pytest.mark.parametrize("with_own", only(["a test"], KINDS), indirect=True)
@pytest.mark.parametrize("road", only(["course grade"], ROADS))
def test_own_questions_get_the_same_points_by_each_command(with_own, road, request):
    assert grade_by(road, with_own) == ""
    (row,) = (row for row in with_own.rows("ada") if row["cell"] == "own")
    is_task = "a task" in request.node.name
    assert (row["auto"], row["waits"]) == ((None, True) if is_task else (0, False))


@pytest.mark.parametrize("with_own", ["a check of another assignment"], indirect=True)
@pytest.mark.parametrize("road", only(["nbgrader autograde"], ROADS))
def test_a_check_of_another_assignment_is_refused_by_name(with_own, road):
    course = with_own
    said = grade_by(road, course)
    why = "has checks of exercises that belong to other assignments: modules.fix_module."
    assert f"{why} Remove them, or put your questions into source/03_modules. " in said
    assert "Nothing was graded or saved" in said and "Traceback" not in said
    with course.gradebook() as book:
        assert book.students == [] and book.assignment_submissions(course.assignment) == []
    assert not course.folder("ada", "autograded").exists()


@pytest.mark.parametrize("with_own", ["a test"], indirect=True)
def test_an_own_question_that_is_taken_out_again_is_no_circle(with_own, release, tmp_path):
    course = with_own
    source = Path("source", ASSIGNMENT, f"{ASSIGNMENT}.ipynb")
    shutil.copy(release(tmp_path / "other").root / source, course.root / source)
    for refuse in (lambda: course.grade(), lambda: _refused(opened(course.root))):
        with pytest.raises(CourseError, match="generate_assignment --force 02_tensors"):
            refuse()
    assert opened(course.root).generate_assignment(ASSIGNMENT)["success"]
    course.hand_in("ada", references(ASSIGNMENT))
    assert button(course, "ada")["success"] and course.points("ada") == FULL


def _refused(api: NbGraderAPI) -> None:
    raise CourseError(api.autograde(ASSIGNMENT, "ada")["log"])


def autograde(folder: Path, assignment: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nbgrader", "autograde", assignment, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)
