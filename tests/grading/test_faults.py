"""Accidents of a real class go through `course grade`; each costs what it must, and no more.

The files in faults/ are students of one class, by what went wrong. Each student begins with
`# ==== NAME`, and has a header in TOML, and cells after it. All answers are right but for what
stands there. `# %% NAME` is the answer to an exercise, `# %% before NAME`,
`after NAME` and `end` are cells of the student's own, and `# %% tamper` is what happened to the
`notebook` (as JSON), to the `folder` that is handed in, to the `file` in it (its name), or to
`raw`, its bytes.

    happened   what happened, in a sentence
    points     by exercise, or for "all": the points that are not the full ones, or "held"
    says       what is said about it: all of these are in the sentences
    flagged    whether the look names it, for the honest that do what attacks do
    student    the name of the student's folder, where that is the accident
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from courses import Class, Row, filled_in, full_points, references
from sqlalchemy import event
from sqlalchemy import text as sql
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from written import Cells, read_written, with_own

from course_grading.results import Graded
from course_grading.run import command
from course_grading.run.gradebook import ClassGradebook
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1200)]


@dataclass(frozen=True)
class Fault:
    """One student of faults/."""

    name: str
    happened: str
    points: dict[str, float | str] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    flagged: bool = False
    student: str = ""
    cells: Cells = field(default=(), repr=False)

    @classmethod
    def read(cls, name: str, header: dict[str, Any], cells: Cells) -> "Fault":
        says = tuple(header.pop("says", ()))
        return cls(name, **{"student": name, **header}, says=says, cells=cells)

    @property
    def expected(self) -> dict[str, float | str | None]:
        if "all" in self.points:
            return dict.fromkeys(FULL, self.points["all"])
        return {**FULL, **self.points}

    def hand_in(self, course: Class) -> None:
        notebook = filled_in(ASSIGNMENT, references(ASSIGNMENT) | dict(self.cells))
        notebook["cells"] = list(with_own(notebook["cells"], self.cells))
        folder = course.hand_in(self.student, {})
        names: dict[str, Any] = {
            "notebook": notebook,
            "folder": folder,
            "raw": None,
            "file": f"{ASSIGNMENT}.ipynb",
        }
        (folder / names["file"]).unlink()
        for place, text in self.cells:
            if place == "tamper":
                exec(compile(text, self.name, "exec"), names)
        if names["file"]:
            raw = names["raw"]
            data = json.dumps(names["notebook"]).encode() if raw is None else raw
            (folder / names["file"]).write_bytes(data)


FAULTS = [Fault.read(*each) for each in read_written(Path(__file__).with_name("faults"))]


def test_there_are_enough_of_them():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 34
    for fault in FAULTS:
        places = {place.split()[-1] for place, _ in fault.cells} - {"tamper", "end"}
        assert places <= FULL.keys() and fault.points.keys() <= {*FULL, "all"}, fault.name
        assert fault.says or "held" not in fault.points.values(), fault.name


@pytest.fixture(scope="module")
def course(release, tmp_path_factory, one_executor) -> Class:
    """The class with all accidents in it, graded in one run."""
    found = release(tmp_path_factory.mktemp("faults") / "a course")  # with a space in its name
    for fault in FAULTS:
        fault.hand_in(found)
    return found


@pytest.fixture(scope="module")
def graded(course) -> dict[str, Graded]:
    return {each.student: each for each in course.grade().graded}


@pytest.fixture(scope="module")
def rows(course, graded) -> list[Row]:
    return course.rows()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_an_accident_costs_what_it_must(fault, course, graded, rows):
    own = [row for row in rows if row["student"] == fault.student]
    found = {
        row["cell"].removesuffix("_check"): "held" if row["waits"] else row["score"] for row in own
    }
    came = graded[fault.student]
    assert found == fault.expected, [(each.exercise, each.text, each.why) for each in came.verdicts]
    said = (text for verdict in came.verdicts for text in (verdict.why, verdict.text))
    sentences = "\n".join([*came.repaired, *said])
    for part in fault.says:
        assert part in sentences
    assert bool(came.flags) == fault.flagged, came.flags
    assert str(course.root) not in sentences  # nobody needs to know where the course lies
    comments = dict(own[0]["comments"])
    for name, points in fault.expected.items():
        assert (points == "held") == (comments[name] or "").startswith("Not graded yet: ")
    assert {row["auto"] is None for row in own if row["waits"]} <= {True}


def test_nobody_is_lost(course, graded, rows):
    assert graded.keys() == {fault.student for fault in FAULTS}
    assert {row["student"] for row in rows} == graded.keys()
    for student in graded:
        assert (course.folder(student, "autograded") / f"{ASSIGNMENT}.ipynb").is_file()


def test_nothing_that_was_handed_in_is_graded_twice(course, graded):
    report = course.grade()
    assert report.unchanged == graded.keys()
    assert {each.student: each for each in report.graded}.keys() == graded.keys()


# From here on it is the course that is at fault, and not a student.


@pytest.fixture(scope="module")
def small(release, tmp_path_factory, one_executor) -> Class:
    """A class of three, graded."""
    found = release(tmp_path_factory.mktemp("small"))
    for student, short in (
        ("anna", "find_waits"),
        ("ben", "fix_mismatch"),
        ("cleo", "move_batch"),
    ):
        found.hand_in(student, {short: references(ASSIGNMENT)[short]})
    found.grade()
    return found


@pytest.fixture
def again(small, tmp_path) -> Class:
    """A copy of it, in which one has handed in something new."""
    found = small.copied(tmp_path / "course")
    found.hand_in("ben", references(ASSIGNMENT))
    return found


def refused(course: Class) -> str:
    """Why it cannot be graded, in one sentence; and nothing is lost."""
    before = course.autograded()
    with pytest.raises(CourseError) as why:
        course.grade()
    (sentence,) = str(why.value).splitlines()
    assert course.autograded().keys() >= before.keys()
    return sentence


def goes_on(course: Class, small: Class) -> bool:
    report = course.grade()
    others = [row for row in course.rows() if row["student"] != "ben"]
    known = [row for row in small.rows() if row["student"] != "ben"]
    return report.unchanged == {"anna", "cleo"} and course.points("ben") == FULL and others == known


def test_a_seed_file_that_holds_no_seed(again, small):
    seed = again.root / ".grading_seed"
    kept = seed.read_bytes()
    for wrong in (b"", b"\x00\xff\x80", b"one line\nand another\n", b"x" * 5000):
        seed.write_bytes(wrong)
        assert "does not contain a seed (one line of text). Put the right" in refused(again)
    seed.write_bytes(kept)
    assert goes_on(again, small)


def test_another_seed_makes_every_grade_old(again):
    (again.root / ".grading_seed").write_text("another seed")
    report, said = again.grade_saying(dry_run=True)
    assert "3 to grade" in said and report.unchanged == set()


def test_another_courses_gradebook(again, small, release, tmp_path):
    book = again.root / "gradebook.db"
    kept = book.read_bytes()
    book.write_bytes((release(tmp_path / "other", "03_modules").root / "gradebook.db").read_bytes())
    assert "The gradebook has no assignment 02_tensors yet. Run `nbgrader gen" in refused(again)
    book.write_bytes(kept)
    with again.gradebook() as other:
        other.find_grade_cell("fix_mismatch_check", ASSIGNMENT, ASSIGNMENT).max_score = 30
        other.db.commit()
    assert "has another version of 02_tensors than source/. Run `nbgrader" in refused(again)
    book.write_bytes(kept)
    assert goes_on(again, small)


def test_a_gradebook_that_is_gone_or_damaged(again, small):
    book = again.root / "gradebook.db"
    kept = book.read_bytes()
    book.unlink()
    assert f"There is no gradebook {book}. Put it back, or make a new one" in refused(again)
    assert not book.exists()
    book.write_bytes(b"this is no database" * 1000)
    assert "cannot be used (file is not a database)" in refused(again)
    book.write_bytes(kept)
    assert goes_on(again, small)


@pytest.mark.parametrize(
    ("lock", "sentence"),
    [
        ("EXCLUSIVE", "cannot be used (database is locked)"),
        ("IMMEDIATE", "cannot be used (database is locked). Nothing is lost"),
    ],
)
def test_a_gradebook_that_is_locked(lock, sentence, again, small):
    other = sqlite3.connect(again.root / "gradebook.db", isolation_level=None)
    other.execute(f"BEGIN {lock}")
    assert sentence in refused(again)
    other.execute("ROLLBACK")
    other.close()
    assert goes_on(again, small)


def test_a_gradebook_that_is_locked_for_a_moment(again, small):
    """Until it has been rolled back once, after it waited as long as it does."""
    other = sqlite3.connect(again.root / "gradebook.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    event.listen(Session, "after_rollback", lambda _: other.execute("ROLLBACK"), once=True)
    assert goes_on(again, small)
    assert not other.in_transaction
    other.close()


def test_a_gradebook_that_is_locked_while_a_student_is_added(again, small):
    """nbgrader says so in an error that is none of the database's."""
    shutil.copytree(again.folder("anna", "submitted"), again.folder("dora", "submitted"))
    other = sqlite3.connect(again.root / "gradebook.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "cannot be used" in refused(again)
    other.execute("ROLLBACK")
    other.close()
    again.grade()
    assert again.points("dora") == small.points("anna") and again.points("ben") == FULL


def test_what_nobody_foresaw_holds_one_student(again, small, monkeypatch):
    """Whatever saving raises for one, the run goes on; and on the next day it is put right."""
    from course_grading.run import coordinator

    raised = []

    def publish(course, graded, *rest, publish=coordinator.publish):
        if not raised:
            raised.append(graded.student)
            raise RuntimeError("something new")
        publish(course, graded, *rest)

    monkeypatch.setattr(coordinator, "publish", publish)
    shutil.copytree(again.folder("anna", "submitted"), again.folder("dora", "submitted"))
    report = again.grade()
    (student,) = raised
    held = next(each for each in report.graded if each.student == student)
    assert {each.why for each in held.held} == {"the result cannot be saved (RuntimeError)"}
    assert len(held.held) == len(FULL) and again.points(student) == dict.fromkeys(FULL)
    assert {"ben", "dora"} - {student} <= {each.student for each in report.graded if not each.held}
    again.grade(only_held=True)
    assert again.points("ben") == FULL and again.points("dora") == small.points("anna")


def test_settings_that_cannot_be_read(again, small):
    settings = again.root / "nbgrader_config.py"
    kept = settings.read_text()
    settings.write_text(kept + "\nc.CourseDirectory.root = = 3\n")
    assert "nbgrader_config.py cannot be used (SyntaxError: invalid syntax" in refused(again)
    settings.write_text(kept)
    assert goes_on(again, small)


def test_a_folder_whose_name_is_no_text(again, small):
    damaged = os.fsencode(again.root / "submitted") + b"/J\xf6rg"
    os.makedirs(damaged + b"/02_tensors")
    assert "A folder in submitted/ has a damaged name, J�rg. Rename it" in refused(again)
    shutil.rmtree(damaged)
    assert goes_on(again, small)


@pytest.mark.parametrize("left", [0, 40, 75, 100], ids=lambda left: f"{left} kB left")
def test_a_full_disk(left, again, small, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        course = again.copied(disk)
        shutil.rmtree(course.root / "reports")
        shutil.rmtree(course.folder("ben", "autograded"))
        fill(disk, left)
        why = refused(course)
        assert re.search(r"No space left on device|disk is full|disk I/O error", why), why
        assert re.search("Free (disk|some) space", why) or "un the same command again" in why
        (disk / "filling").unlink()
        course.grade()
        assert course.points("ben") == FULL
        assert len(course.rows()) == len(small.rows())
        assert course.autograded().keys() == small.autograded().keys()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.parametrize("at", ["INSERT ON student", "UPDATE ON grade", "rollback", "students"])
def test_a_gradebook_without_room(at, again, small, monkeypatch, capfd):
    """In whichever statement of a save the room ends, in taking it back, or in a look."""

    def no_room(*_):
        raise OperationalError("SELECT", {}, sqlite3.OperationalError("disk is full"))

    class FullGradebook(ClassGradebook):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            what = at if " ON " in at else "INSERT ON student"
            raising = "BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
            if at != "students":
                self._book.db.execute(sql(f"CREATE TEMP TRIGGER full BEFORE {what} {raising}"))
            if at == "rollback":
                monkeypatch.setattr(self._book.db, "rollback", no_room, raising=False)

    again.hand_in("dora", references(ASSIGNMENT))
    monkeypatch.setattr(command, "ClassGradebook", FullGradebook)
    if at == "students":
        monkeypatch.setattr(FullGradebook, "students", no_room)
    assert "disk is full). Nothing is lost. Check the disk space" in refused(again)
    assert "Traceback" not in capfd.readouterr().err
    monkeypatch.undo()
    again.grade()
    assert again.points("ben") == again.points("dora") == FULL


def fill(disk: Path, left: int) -> None:
    """Leave `left` kilobytes."""
    room = shutil.disk_usage(disk).free - left * 1024
    with (disk / "filling").open("wb", buffering=0) as file:
        file.write(bytes(room))
