"""`course submit`: what is said is what grading would find, and what is made is what it takes."""

import errno
import os
import zipfile
from pathlib import Path

import nbformat
import pytest
from a_course import ASSIGNMENT_FILE, Author, Learner, answer, cell
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_grading.intake.command import take_in
from course_notebooks.matching import grade_id
from course_notebooks.reading import read_submission
from course_notebooks.rebuild import rebuild
from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_workspace.deliver import prepare
from course_workspace.notebooks import release_of
from course_workspace.repair import diagnose
from course_workspace.submit import (
    PreparedSubmission,
    Standing,
    hand_in,
    prepare_submission,
)
from course_workspace.trial import Trial, try_out
from exercise_kit.reference import reference

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MODULES = "assignments/03_modules/03_modules.ipynb"


@pytest.fixture
def learner(author: Author, tmp_path: Path) -> Learner:
    prepare(author.root, tmp_path / "工作 space")
    learner = Learner(tmp_path / "工作 space")
    learner.write("double", answer("double"))
    return learner


@pytest.fixture(autouse=True)
def no_exchange_of_this_machine(tmp_path, monkeypatch) -> None:
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name))
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)


def submission(author: Author, learner: Learner) -> PreparedSubmission:
    """As `prepare_submission` makes it, but for the trial of the notebook."""
    diagnosis = diagnose(author.root, learner.workspace, "02_foo")
    return PreparedSubmission(
        _assignment(author), diagnosis.repaired or learner.read(), diagnosis, ()
    )


def _assignment(author: Author):
    return load_manifest(author.root / "course.toml").assignment("02_foo")


# --- what will be graded


def test_what_is_said_is_what_the_checks_find(tmp_path):
    learner = Learner(tmp_path / "work space")
    prepare(ROOT, learner.workspace)
    right = reference(exercise("modules.build_on").path)
    learner.write("build_on", right, MODULES)
    learner.write("which_tensor", "def which_tensor():\n    return 17", MODULES)
    learner.write("fix_module", "raise ValueError", MODULES)
    notebook = learner.read(MODULES)
    lost = notebook.cells.index(cell(notebook, "shape_net"))
    notebook.cells[lost] = new_code_cell("def my_module():\n    return 1")
    notebook.cells.remove(cell(notebook, "move_optimizer_check"))
    learner.save(notebook, MODULES)
    before = (learner.workspace / MODULES).read_bytes()
    told: list[str] = []
    found = prepare_submission(ROOT, learner.workspace, "03", told.append)
    states = {each.exercise.short: each.state for each in found.standings}
    assignment = load_manifest().assignment("03_modules")
    assert states == dict.fromkeys((each.short for each in assignment.exercises), "open") | {
        "build_on": "passes",
        "which_tensor": "fails",
        "fix_module": "fails",
        "shape_net": "lost",
    }
    text = "\n".join(found.lines())
    points = load_manifest().exercise("modules.build_on").points
    assert f"{points} of {assignment.points} points so far." in text
    assert "cannot be found: its own cell is gone or empty" in text
    assert "\nProblems found:\n" in text and "move_optimizer_check" in text
    assert [each for each in told if each.startswith("Checking")] == [
        f"Checking {short}" for short in ("build_on", "fix_module", "which_tensor")
    ]  # and nothing that was not begun
    with pytest.raises(CourseError, match=r"would not find your answer to modules\.shape_net"):
        hand_in(learner.workspace, found)
    assert not (learner.workspace / "handed_in").exists()
    hand_in(learner.workspace, found, anyway=True)
    made = read_submission(learner.workspace / "handed_in/03_modules.ipynb")
    assert set(rebuild(release_of(ROOT, assignment), made).held) == {"shape_net"}
    assert (learner.workspace / MODULES).read_bytes() == before
    assert not (learner.workspace / ".course/record.jsonl").exists()


@pytest.mark.more
def test_a_notebook_that_never_ends_or_dies_is_told():
    cells = [new_code_cell("while True: pass"), new_code_cell("1"), new_code_cell("2")]
    endless = nbformat.v4.new_notebook(cells=cells)
    trial = try_out(endless, (), lambda _: None, cell_seconds=1, all_seconds=1)
    assert "was stopped before cell" in trial.stopped
    dying = nbformat.v4.new_notebook(cells=[new_code_cell("import os; os._exit(1)")])
    assert "The kernel ended" in try_out(dying, (), lambda _: None).stopped


@pytest.mark.parametrize(
    ("cell_of_ones_own", "begun"),
    [("", []), ("print('double')", ["double"]), ("doubled = 1", []), ("Triple = 3", ["triple"])],
)
def test_nothing_is_run_that_was_not_begun(author, tmp_path, monkeypatch, cell_of_ones_own, begun):
    prepare(author.root, tmp_path / "new")
    learner = Learner(tmp_path / "new")
    notebook = learner.read()
    notebook.cells.append(new_code_cell(cell_of_ones_own))
    learner.save(notebook)
    ran: list[str] = []

    def run(_, checks, doing):
        ran.extend(sorted(checks))
        return Trial()

    monkeypatch.setattr("course_workspace.submit.try_out", run)
    found = prepare_submission(author.root, learner.workspace, "02_foo", lambda _: None)
    assert ran == begun and {each.state for each in found.standings} == {"open"}


def test_a_standing_says_what_it_is(author):
    double, _ = _assignment(author).exercises
    assert Standing(double, "passes").line().split() == (
        ["✓", "foo.double", "4", "of", "4", "points", "passes", "here"]
    )
    assert "cannot be found: read cell 4" in Standing(double, "lost", "read cell 4").line()


# --- a file for a platform


def test_a_file_for_a_platform(author, learner):
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    [said] = hand_in(learner.workspace, submission(author, learner))
    assert said.startswith("Made handed_in/02_foo.ipynb. Upload this file")
    made = learner.workspace / "handed_in/02_foo.ipynb"
    assert [file.name for file in made.parent.iterdir()] == ["02_foo.ipynb"]
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before
    time = made.stat().st_mtime_ns
    assert "nothing has changed since" in hand_in(learner.workspace, submission(author, learner))[0]
    assert made.stat().st_mtime_ns == time
    former = made.read_bytes()
    learner.write("triple", answer("triple"))
    hand_in(learner.workspace, submission(author, learner))
    assert answer("triple") in learner.texts("handed_in/02_foo.ipynb")
    assert learner.former("handed_in/02_foo.ipynb") == [former]


@pytest.mark.parametrize("platform", ["folder", "Canvas", "Moodle"])
def test_what_is_handed_in_comes_in(author, learner, tmp_path, platform):
    notebook = learner.read()
    notebook.cells.append(new_code_cell(answer("triple", "3 * x")))
    notebook.cells.remove(cell(notebook, "double_check"))
    learner.save(notebook)
    hand_in(learner.workspace, submission(author, learner))
    made = learner.workspace / "handed_in/02_foo.ipynb"
    names = {
        "folder": "Ada Lovelace/02_foo.ipynb",
        "Canvas": "lovelaceada_1815_18152_02_foo.ipynb",
        "Moodle": "Ada Lovelace_1815_assignsubmission_file_/02_foo.ipynb",
    }
    source = tmp_path / "submissions.zip"
    with zipfile.ZipFile(source, "w") as archive:
        archive.write(made, names[platform])
    course = author.root / "assignments"
    said: list[str] = []
    report = take_in(course, "02_foo", source, None, said.append)
    [student] = report.taken
    assert (len(said), report.refused) == (3, [])
    folder = course / "submitted" / student / "02_foo"
    assert (folder / "02_foo.ipynb").read_bytes() == made.read_bytes()
    arrived = read_submission(folder / "02_foo.ipynb")
    graded = rebuild(_released(author), arrived)
    assert (graded.repaired, graded.held) == ((), {})
    assert answers(graded.notebook) == [answer("double"), answer("triple", "3 * x")]


def _released(author: Author) -> NotebookNode:
    return release_of(author.root, _assignment(author))


def answers(notebook: NotebookNode) -> list[str]:
    return [each.source for each in notebook.cells if grade_id(each) in ("double", "triple")]


# --- nbgrader's exchange


@pytest.fixture
def exchange(author: Author, learner: Learner, tmp_path: Path) -> Path:
    """An exchange as an instructor makes one, and a learner's nbgrader that knows it."""
    root = tmp_path / "exchange"
    for name, mode in (("inbound", 0o733), ("outbound/02_foo", 0o755)):
        (root / "a_course" / name).mkdir(parents=True)
        (root / "a_course" / name).chmod(mode)
    root.chmod(0o777)
    nbformat.write(_released(author), root / "a_course/outbound/02_foo/02_foo.ipynb")
    (learner.workspace / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'a_course'\n"
        f"c.Exchange.root = {str(root)!r}\n"
    )
    return root / "a_course/inbound"


def test_nbgrader_takes_it(author, learner, exchange):
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    (learner.workspace / "assignments/02_foo/02_foo-Copy1.ipynb").write_bytes(before)
    [said] = hand_in(learner.workspace, submission(author, learner))
    [folder] = exchange.iterdir()
    stamp = (folder / "timestamp.txt").read_text()
    assert said == f"Handed in through nbgrader: a_course 02_foo {stamp}."
    assert {file.name for file in folder.iterdir()} == {
        "02_foo.ipynb",
        "timestamp.txt",
        "submission_secret.txt",
    }
    assert answers(nbformat.read(folder / "02_foo.ipynb", 4))[0] == answer("double")
    assert not (learner.workspace / "handed_in").exists()
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before


@pytest.mark.more
def test_an_exchange_that_does_not_take_it(author, learner, exchange):
    with pytest.raises(CourseError, match="has no course b_course here"):
        hand_in(learner.workspace, submission(author, learner), "b_course")
    (exchange.parent / "outbound/02_foo/02_foo.ipynb").unlink()
    (exchange.parent / "outbound/02_foo").rmdir()
    with pytest.raises(CourseError, match=r"Nothing was handed in: .*Assignment not found: "):
        hand_in(learner.workspace, submission(author, learner))
    assert list(exchange.iterdir()) == []


# --- what may go wrong


def test_a_copy_that_is_missing_or_unreadable(author, learner):
    file = learner.workspace / ASSIGNMENT_FILE
    data = file.read_bytes()
    file.write_bytes(b"\xff")
    with pytest.raises(CourseError, match="No cell in the file can be read"):
        prepare_submission(author.root, learner.workspace, "02_foo", lambda _: None)
    file.unlink()
    with pytest.raises(CourseError, match=r"is missing\. Run `course lab`"):
        prepare_submission(author.root, learner.workspace, "02_foo", lambda _: None)
    file.with_name("mine.ipynb").write_bytes(data)
    with pytest.raises(CourseError, match=r"Its folder has mine\.ipynb"):
        prepare_submission(author.root, learner.workspace, "02_foo", lambda _: None)


@pytest.mark.parametrize(
    "code, sentence", [(errno.ENOSPC, "The disk is full"), (errno.EROFS, "writable for you")]
)
def test_a_folder_that_cannot_be_written(author, learner, monkeypatch, code, sentence):
    def refuse(_: int) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched, pytest.raises(CourseError, match=sentence):
        patched.setattr(os, "fsync", refuse)
        hand_in(learner.workspace, submission(author, learner))
    assert list((learner.workspace / "handed_in").iterdir()) == []
