"""Exporters on a real gradebook, called as an instructor calls them."""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import ExportApp

# nbgrader calls alembic by name, so the environment's commands must be on the path.
COMMANDS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
OURS = "course_grading.exports."
COURSE = "on_the_right_device"
WORKSHEET = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 11","Ada Lovelace",ADA@x.org,"Submitted for grading",,10.00,Yes,"2 November 2026",-,
"Participant 12","Bo Li",bo@x.org,"Submitted for grading",,10.00,Yes,"2 November 2026",-,
"Participant 13","Nobody Here",nobody@x.org,"No submission",,10.00,Yes,-,-,
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """Two assignments. ada: complete, late; bo: one held; cy: a person's score; di: nothing;
    ed: handed in, and never reached the gradebook."""
    tmp_path = tmp_path_factory.mktemp("course")
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = {COURSE!r}\n"
        "c.CanvasCsv.columns = {'02_tensors': 'Tensors on devices (4711)'}\n"
    )
    (tmp_path / "submitted" / "ed" / "02_tensors").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", COMMANDS)
        gradebook = Gradebook(f"sqlite:///{tmp_path}/gradebook.db", COURSE)
    with gradebook:
        people = {
            "ada": {
                "first_name": "Ada",
                "last_name": "Lovelace",
                "email": "ada@x.org",
                "lms_user_id": "501",
            },
            "bo": {"first_name": "Bo, the second", "last_name": 'Li "B"', "email": "bo@x.org"},
            "cy": {},
            "di": {"first_name": "Дина", "last_name": "Иванова"},
            "ed": {},
        }
        for name, facts in people.items():
            gradebook.add_student(name, **facts)
        for assignment in ("02_tensors", "03_modules"):
            gradebook.add_assignment(assignment)
            gradebook.add_notebook(assignment, assignment)
            for cell, most in (("one_check", 4), ("two_check", 6)):
                gradebook.add_grade_cell(
                    cell, assignment, assignment, max_score=most, cell_type="code"
                )
        score(gradebook, "02_tensors", "ada", one=4.0, two=5.5, penalty=1.0)
        score(gradebook, "02_tensors", "bo", one=4.0, two=None)
        score(gradebook, "02_tensors", "cy", one=0.0, two=None, person=3.0)
        score(gradebook, "03_modules", "ada", one=0.0, two=0.0)
    return tmp_path


@pytest.fixture
def course(graded) -> Path:
    (graded / "out.csv").unlink(missing_ok=True)
    return graded


def score(gradebook, assignment, student, penalty=None, person=None, **scores) -> None:
    gradebook.add_submission(assignment, student, timestamp=datetime(2026, 11, 2, 10))
    for name, points in scores.items():
        grade = gradebook.find_grade(f"{name}_check", assignment, assignment, student)
        grade.auto_score = points
        grade.needs_manual_grade = points is None
        if points is None:
            grade.manual_score = person
    notebook = gradebook.find_submission_notebook(assignment, assignment, student)
    notebook.late_submission_penalty = penalty
    gradebook.db.commit()


@pytest.fixture
def export(course, monkeypatch, capfd):
    """Runs `nbgrader export` in the course's folder; returns what it said."""
    monkeypatch.chdir(course)
    monkeypatch.setenv("PATH", COMMANDS)

    def run(exporter: str, *arguments: str, to: str = "out.csv", status: int = 0) -> str:
        exporter = exporter if "." in exporter else OURS + exporter
        app = ExportApp()
        ended = 0
        try:
            app.initialize([f"--exporter={exporter}", f"--to={to}", *arguments])
            app.start()
        except SystemExit as end:
            ended = end.code
        said = "".join(capfd.readouterr())
        assert ended == status, said
        return said

    return run


def rows(course: Path) -> Iterator[dict[str, str]]:
    with (course / "out.csv").open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def test_course_csv_is_nbgraders_but_for_what_waits(export, course):
    export("CourseCsv")
    ours = sorted(rows(course), key=lambda row: (row["assignment"], row["student_id"]))
    found = {
        (row["assignment"], row["student_id"]): (row["raw_score"], row["score"]) for row in ours
    }
    assert found == {
        ("02_tensors", "ada"): ("9.5", "8.5"),
        ("02_tensors", "bo"): ("", ""),
        ("02_tensors", "cy"): ("3", "3"),
        ("02_tensors", "di"): ("", ""),
        ("02_tensors", "ed"): ("", ""),
        ("03_modules", "ada"): ("0", "0"),
        ("03_modules", "bo"): ("", ""),
        ("03_modules", "cy"): ("", ""),
        ("03_modules", "di"): ("", ""),
        ("03_modules", "ed"): ("", ""),
    }
    assert ours[1]["last_name"] == 'Li "B"' and ours[1]["first_name"] == "Bo, the second"
    assert ours[3]["last_name"] == "Иванова"
    ours_header = (course / "out.csv").read_text().splitlines()[0]
    export("nbgrader.plugins.CsvExportPlugin")
    assert (course / "out.csv").read_text().splitlines()[0] == ours_header


def test_only_what_is_asked_for(export, course):
    export("CourseCsv", "--assignment=02_tensors", "--student=ada", "--student=bo")
    assert [(row["assignment"], row["student_id"]) for row in rows(course)] == [
        ("02_tensors", "ada"),
        ("02_tensors", "bo"),
    ]


def test_canvas(export, course):
    export("CanvasCsv")
    header, points, *students = csv.reader((course / "out.csv").open(newline=""))
    assert header == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "Tensors on devices (4711)",
        "03_modules",
    ]
    assert points == ["    Points Possible", "", "", "", "", "10", "10"]
    assert sorted(students, key=lambda row: row[3]) == [
        ["Lovelace, Ada", "501", "", "ada", "", "8.5", "0"],
        ['Li "B", Bo, the second', "", "", "bo", "", "", ""],
        ["cy", "", "", "cy", "", "3", ""],
    ]


def test_moodle_grade_import(export, course):
    export("MoodleCsv", "--assignment=02_tensors")
    header, *students = csv.reader((course / "out.csv").open(newline=""))
    assert header == [
        "First name",
        "Last name",
        "Username",
        "ID number",
        "Email address",
        "02_tensors",
    ]
    assert sorted(students, key=lambda row: row[2]) == [
        ["Ada", "Lovelace", "ada", "501", "ada@x.org", "8.5"],
        ["Bo, the second", 'Li "B"', "bo", "", "bo@x.org", ""],
        ["", "", "cy", "", "", "3"],
    ]


def test_moodle_worksheet_is_filled_in(export, course):
    (course / "sheet.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    said = export(
        "MoodleWorksheet", "--assignment=02_tensors", "--MoodleWorksheet.worksheet=sheet.csv"
    )
    expected = WORKSHEET.replace(
        'ADA@x.org,"Submitted for grading",', 'ADA@x.org,"Submitted for grading",8.5'
    )
    assert list(csv.reader((course / "out.csv").open(newline=""))) == list(
        csv.reader(expected.splitlines())
    )
    assert "2 of 3 graded submissions are in the worksheet" in said


@pytest.mark.parametrize(
    ("exporter", "arguments", "sentence"),
    [
        ("CourseCsv", ["--assignment=02_tensor"], "has no assignment 02_tensor."),
        ("CanvasCsv", ["--student=zoe"], "has no student zoe."),
        ("MoodleWorksheet", ["--MoodleWorksheet.worksheet=sheet.csv"], "for one assignment"),
        ("MoodleWorksheet", ["--assignment=02_tensors"], "--MoodleWorksheet.worksheet="),
        (
            "MoodleWorksheet",
            ["--assignment=02_tensors", "--MoodleWorksheet.worksheet=none.csv"],
            "none.csv cannot be read",
        ),
        (
            "MoodleWorksheet",
            ["--assignment=02_tensors", "--MoodleWorksheet.worksheet=other.csv"],
            "other.csv has no column Email address",
        ),
    ],
)
def test_bad_input_is_one_sentence(export, course, exporter, arguments, sentence):
    (course / "other.csv").write_text("Identifier,Grade\nParticipant 1,\n")
    said = export(exporter, *arguments, status=1)
    assert sentence in said and "Traceback" not in said
    assert not (course / "out.csv").exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(export):
    said = export("CourseCsv", to="nbgrader_config.py/grades.csv", status=1)
    assert "nbgrader_config.py is a file, and a folder is needed there." in said


def test_the_command_finds_an_exporter(course):
    """The one thing that a process of its own adds."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "export", f"--exporter={OURS}CanvasCsv"],
        cwd=course,
        env={**os.environ, "PATH": COMMANDS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Points Possible" in (course / "grades-canvas.csv").read_text()
