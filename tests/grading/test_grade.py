"""`course grade` on an nbgrader course, as an instructor uses it from the first run to the last."""

import csv
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from classroom import Submission, make_class
from courses import (
    ASSIGNMENTS,
    ROOT,
    STAMP,
    Class,
    filled_in,
    full_points,
    level,
    parsed,
    references,
)

from course_grading import doctor
from course_grading.exports import CourseCsv
from course_grading.run import command as command_module
from course_grading.sandbox import Level
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)
COURSE = Path(sys.executable).parent / "course"
TOO_LONG = "endless_loop"  # tests of faults have one

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    minimum = f"--minimum={level().name.lower()}"
    return subprocess.run(
        [COURSE, "grade", *arguments, minimum], cwd=folder, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def submissions() -> dict[str, Submission]:
    every = make_class(ROOT, ASSIGNMENTS[ASSIGNMENT])
    return {each.student: each for each in every if each.student != TOO_LONG}


@pytest.fixture(scope="module")
def first(release, tmp_path_factory, submissions, one_executor):
    """The class of the known answers, one of whom cannot be read, graded by the command itself."""
    course = release(tmp_path_factory.mktemp("grade"))
    released = nbformat.from_dict(filled_in(ASSIGNMENT, {}))
    for student, submission in submissions.items():
        course.hand_in(student, {}, notebook=submission.fill_in(released))
    (course.hand_in("unreadable", {}) / f"{ASSIGNMENT}.ipynb").write_text("{")
    return course, command(course.root, ASSIGNMENT)


@pytest.fixture
def course(first, tmp_path) -> Class:
    """A copy of what the first run left."""
    return first[0].copied(tmp_path / "course")


def test_every_grade_is_as_expected(first, submissions):
    course, ended = first
    expected = {s.student: s.expected_grades(course.entry) for s in submissions.values()}
    assert {student: course.points(student) for student in submissions} == expected
    assert course.points("unreadable") == dict.fromkeys(FULL)
    assert ended.returncode == 3, ended.stderr  # since something is held


def test_formgrader_shows_why_it_is_held(first):
    course, _ = first
    cells, _ = course.autograded()[f"unreadable/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"]
    shown = [out.data["text/html"] for cell in cells for out in cell.get("outputs", ())]
    reasons = [html for html in shown if "For the instructor: " in html]
    assert len(reasons) == len(FULL) and all("is not a notebook" in html for html in reasons)
    told = [cell.metadata.course.get("missing", "") for cell in cells if "course" in cell.metadata]
    assert sum("could not be read" in text for text in told) == len(cells) - len(FULL)


def test_what_the_command_says(first):
    course, ended = first
    lines = ended.stdout.splitlines()
    assert lines[0] == f"{ASSIGNMENT}: {len(course.rows()) // len(FULL)} to grade."
    assert lines[1] == f"Each submission runs in a sandbox of the level {level().name}."
    written = [Path(line.removeprefix("Written: ")) for line in lines if "Written: " in line]
    assert {path.suffix for path in written} == {".html", ".csv"}
    assert all(path.is_relative_to(course.root) and path.is_file() for path in written)
    assert ended.stderr == "Starting …\n"


def test_an_unchanged_class_is_left_alone(course):
    before, rows = stamps(course), course.rows()
    ended = command(course.root, ASSIGNMENT)
    assert ended.returncode == 3
    assert f"0 to grade, {len(rows) // len(FULL)} unchanged" in ended.stdout
    assert stamps(course) == before and course.rows() == rows


def stamps(course: Class) -> dict[str, int]:
    place = course.root / "autograded"
    return {str(path): path.stat().st_mtime_ns for path in place.rglob("*")}


def test_a_changed_submission_is_regraded_alone(course):
    before = stamps(course)
    course.hand_in("empty", references(ASSIGNMENT))
    report = course.grade()
    assert {each.student for each in report.graded} - report.unchanged == {"empty"}
    assert course.points("empty") == FULL
    changed = {path for path, stamp in stamps(course).items() if before.get(path) != stamp}
    assert all("/empty" in path for path in changed) and changed


def test_one_student_only(course):
    for student in ("empty", "partial"):
        course.hand_in(student, references(ASSIGNMENT))
    report = course.grade(student="empty")
    assert [each.student for each in report.graded] == ["empty"]
    written = course.root / "reports" / ASSIGNMENT / f"{ASSIGNMENT}.csv"
    assert "\nfull," in written.read_text()  # the report is of the whole class all the same
    assert course.points("empty") == FULL != course.points("partial")
    with pytest.raises(CourseError, match=r"There is no submission of 02_tensors: .*nobody/02"):
        course.grade(student="nobody")


def test_only_what_was_held(course):
    course.hand_in("empty", references(ASSIGNMENT))
    course.hand_in("unreadable", references(ASSIGNMENT))
    report = course.grade(only_held=True)
    assert [each.student for each in report.graded] == ["unreadable"]
    assert course.points("unreadable") == FULL != course.points("empty")
    assert not [row for row in course.rows("unreadable") if row["waits"]]


def test_a_dry_run_changes_nothing(course):
    course.hand_in("empty", references(ASSIGNMENT))
    before, rows = stamps(course), course.rows()
    report, said = course.grade_saying(dry_run=True)
    assert f"1 to grade, {len(rows) // len(FULL) - 1} unchanged" in said
    assert "empty" not in report.unchanged
    assert stamps(course) == before and course.rows() == rows


def test_what_an_instructor_wrote_stays(course):
    """Manual scores, extra credit and comments; and grading anew asks for another look."""
    with course.gradebook() as book:
        grade = book.find_grade("fix_mismatch_check", ASSIGNMENT, ASSIGNMENT, "wrong")
        grade.manual_score, grade.extra_credit = 2.5, 1.0
        comment = book.find_comment("fix_mismatch", ASSIGNMENT, ASSIGNMENT, "wrong")
        comment.manual_comment = "Half of it is right."
        held = book.find_grade("fix_mismatch_check", ASSIGNMENT, ASSIGNMENT, "unreadable")
        held.manual_score, held.needs_manual_grade = 3, False
        book.db.commit()
    report, said = course.grade_saying()
    assert "unreadable" in report.unchanged  # its grade is a person's now
    assert exported(course) == reported(course) and "Graded again" not in said
    course.hand_in("wrong", references(ASSIGNMENT))
    assert "your manual points stay" in course.grade_saying()[1]
    assert exported(course) == reported(course)
    (told,) = (row for row in table(report_of(course)) if row["student"] == "wrong")
    assert told["by_hand"] == "tensors.fix_mismatch, graded again since"
    assert (told["fix_mismatch"], told["points"]) == ("3.5", sum_of(0.5))
    assert "wrong" in report_of(course, ".html").read_text("utf-8").split("to check again")[1]
    assert course.grade(again=True).unchanged == set()
    (row,) = (row for row in course.rows("wrong") if row["cell"] == "fix_mismatch_check")
    assert (row["auto"], row["manual"], row["extra"]) == (FULL["fix_mismatch"], 2.5, 1.0)
    assert row["score"] == 3.5 and row["waits"]
    assert dict(row["comments"])["fix_mismatch"] == "Half of it is right."
    (row,) = (row for row in course.rows("unreadable") if row["cell"] == "fix_mismatch_check")
    assert (row["auto"], row["manual"]) == (None, 3) and row["waits"]


@pytest.mark.more
def test_lateness_is_nbgraders_own(course):
    settings = course.root / "nbgrader_config.py"
    (course.root / "penalty.py").write_text(PENALTY)
    settings.write_text(
        f"{settings.read_text()}\nimport sys\n"
        "sys.path.insert(0, str(Path(__file__).parent))\n"
        "c.AssignLatePenalties.plugin_class = 'penalty.TwoAnHour'\n"
    )
    with course.gradebook() as book:
        book.find_assignment(ASSIGNMENT).duedate = parsed() - timedelta(hours=3)
        book.db.commit()
    course.hand_in("full", references(ASSIGNMENT), stamp=STAMP)
    course.hand_in("empty", {}, stamp="2026-11-02 06:00:00 UTC")
    course.grade(again=True)
    late = {row["student"]: (row["stamp"], row["late"], row["penalty"]) for row in course.rows()}
    assert late["full"] == (parsed(), 3 * 3600, 6)
    assert late["wrong"] == (parsed(), 3 * 3600, 0)  # never more than there is to lose
    assert late["empty"] == (parsed() - timedelta(hours=4), 0, None)
    for hours, taken_off in ((-1, 2), (1, None), (-2, 4)):  # moved later, and back again
        with course.gradebook() as book:
            book.find_assignment(ASSIGNMENT).duedate = parsed() + timedelta(hours=hours)
            book.db.commit()
        report, said = course.grade_saying()
        assert "full" in report.unchanged and "full" in said.split("corrected: ")[1]
        assert {row["penalty"] for row in course.rows("full")} == {taken_off}
        assert exported(course)["full"] == reported(course)["full"] == sum_of(taken_off)
    with course.gradebook() as book:
        book.find_submission(ASSIGNMENT, "full").extension = timedelta(hours=1)
        book.db.commit()
    course.grade()
    assert {row["penalty"] for row in course.rows("full")} == {2}
    settings.write_text(settings.read_text().replace("TwoAnHour", "Nothing"))
    course.grade()
    assert {row["penalty"] for row in course.rows("full")} == {0}
    course.hand_in("full", references(ASSIGNMENT), stamp="2026-11-02 07:00:00 UTC")
    assert "corrected" not in course.grade_saying()[1]
    assert not any(row["penalty"] for row in course.rows("full"))


def sum_of(taken_off: float | None) -> str:
    return f"{sum(points or 0 for points in FULL.values()) - (taken_off or 0):g}"


def exported(course: Class) -> dict[str, str]:
    """What `nbgrader export` writes, by student."""
    to = str(course.root / "grades.csv")
    with course.gradebook() as book:
        CourseCsv(to=to).export(book)
    return {row["student_id"]: row["score"] for row in table(Path(to))}


def reported(course: Class) -> dict[str, str]:
    return {row["student"]: row["points"] for row in table(report_of(course))}


def report_of(course: Class, kind: str = ".csv") -> Path:
    return course.root / "reports" / ASSIGNMENT / f"{ASSIGNMENT}{kind}"


def table(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as content:
        return list(csv.DictReader(content))


PENALTY = """\
from nbgrader.plugins import BasePlugin


class TwoAnHour(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 2 * total_seconds_late / 3600


class Nothing(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0
"""


def test_a_gradebook_that_lost_its_grades_gets_them_back(course, release, tmp_path):
    rows = course.rows()
    new = release(tmp_path / "new")
    (new.root / "gradebook.db").replace(course.root / "gradebook.db")
    report = course.grade()
    assert report.unchanged == set() and course.rows() == rows
    assert all(each.spent.worker for each in report.graded if not each.held)  # of the first run
    with course.gradebook() as book:
        book.remove_submission(ASSIGNMENT, "full")
    report = course.grade()
    assert {each.student for each in report.graded} - report.unchanged == {"full"}
    assert course.rows() == rows


def test_an_autograded_notebook_that_is_gone_comes_back(course):
    before = course.autograded()
    (course.folder("full", "autograded") / f"{ASSIGNMENT}.ipynb").unlink()
    course.grade()
    assert course.autograded() == before


def test_folders_that_are_no_students(course):
    hidden = course.folder(".ipynb_checkpoints")
    hidden.mkdir(parents=True)
    settings = course.root / "nbgrader_config.py"
    settings.write_text(f"{settings.read_text()}\nc.CourseDirectory.student_id_exclude = 'full'\n")
    graded = {each.student for each in course.grade().graded}
    assert "empty" in graded and not graded & {"full", hidden.parent.name}


def test_bad_input_is_one_sentence(course, tmp_path):
    for arguments, sentence in {
        ("hw9",): f"There is no notebook in {course.root}/source/hw9; "
        "the known names are 02_tensors.",
        (ASSIGNMENT, "--student=zoe"): "There is no submission of 02_tensors: ",
        (ASSIGNMENT, f"--course={tmp_path}"): f"{tmp_path} is not an nbgrader course. ",
        (): "Name an assignment, as in `course grade 02_tensors`.",
    }.items():
        ended = command(course.root, *arguments)
        assert ended.returncode == 2 and sentence in ended.stderr
        assert len(ended.stderr.removeprefix("Starting …\n").splitlines()) == 1


def test_whose_submission_takes_long_is_named(monkeypatch):
    said, clock = [], iter([0.0, 1.0, 12.0, 31.0])
    monkeypatch.setattr(command_module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    tell = command_module._progress(12, said.append)
    for done, running in ((0, ["ada", "bob"]), (6, ["ada", "zoe"]), (11, ["ada"])):
        tell(done, running)
    lines = [f"{n} of 12 done, still running: ada ({s} s)" for n, s in ((6, 11), (11, 30))]
    assert said == lines


def test_a_sandbox_below_the_minimum_is_refused(course, monkeypatch):
    probed = doctor.probe()
    monkeypatch.setattr(
        doctor,
        "probe",
        lambda: replace(
            probed, level=Level.KERNEL_RULES, lacks=("Namespaces are forbidden here.",)
        ),
    )
    course.hand_in("empty", references(ASSIGNMENT))
    rows = course.rows()
    with pytest.raises(
        CourseError, match=r"KERNEL_RULES, and grading needs NO_CGROUPS\. Namespaces"
    ):
        course.grade(minimum=Level.NO_CGROUPS)
    assert course.rows() == rows
