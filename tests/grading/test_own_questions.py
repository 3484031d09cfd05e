"""An instructor's own questions get the points that stock nbgrader gives, cell by cell."""

import json
import shutil
import signal
import subprocess
import sys
import time
from copy import deepcopy
from itertools import cycle, product
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from courses import level, opened

from course_grading.intake.command import take_in
from course_grading.report.run import RunReport
from course_grading.run.command import GradeOptions, grade_class
from course_utils.errors import CourseError
from tests.grading.own_courses import STOCK, OwnAssignment, graded_by_nbgrader, sound
from tests.kept import only

STORED = json.loads(STOCK.read_text())
LIVE = ("doubled", "printed")

BROKEN = {
    "broken_attacked": {
        "right": "passed passed passed passed",
        "untouched": "failed failed failed failed",
        "empties_the_tests": "held held held passed",
        "forgets_the_errors": "passed passed passed passed",
        "adds_a_result": "held held held held",
        "reads_the_hidden_tests": "passed failed failed passed",
        "brings_the_module": "failed failed failed failed",
        "brings_compiled_code": "failed failed failed failed",
        "rewrites_the_data": "failed failed passed failed",
        "is_equal_to_all": "passed passed passed passed",
        "says_what_the_test_says": "passed passed passed passed",
    },
    "broken_cells": {
        "right": "passed passed manual manual manual",
        "deletes_what_a_person_grades": "passed passed held held manual",
        "deletes_tests": "passed failed not-attempted not-attempted manual",
        "edits_tests_and_what_is_given": "passed passed not-attempted not-attempted manual",
        "has_a_syntax_error": "failed passed not-attempted manual manual",
        "copies_cells": "passed passed manual not-attempted manual",
        "moves_and_merges": "passed passed not-attempted not-attempted manual",
        "deletes_solutions": "passed passed not-attempted not-attempted manual",
        "retypes_without_marks": "passed passed held not-attempted manual",
        "turns_cells_into_text": "passed passed manual not-attempted manual",
        "untouched": "failed failed not-attempted not-attempted manual",
    },
    "broken_endless": {
        "right": "passed passed passed manual",
        "loops_in_the_cell": "passed passed passed not-attempted",
        "loops_in_the_test": "timed-out passed passed manual",
        "is_never_ready": "passed timed-out passed not-attempted",
        "catches_everything": "timed-out passed passed not-attempted",
        "untouched": "failed failed failed not-attempted",
    },
    "broken_forever": {
        "right": "passed held passed",
        "wrong": "failed held failed",
    },
    "broken_killed": {
        "right": "passed passed passed manual",
        "exits_in_the_cell": "held held held manual",
        "exits_in_the_test": "passed held held not-attempted",
        "makes_the_test_exit": "passed passed held not-attempted",
        "reads_address_zero": "held held held not-attempted",
        "wants_all_memory": "passed held held not-attempted",
        "leaves_threads_and_processes": "passed passed passed not-attempted",
        "untouched": "failed failed failed not-attempted",
    },
    "broken_loud": {
        "right": "passed passed passed not-attempted",
        "prints_in_the_cell": "passed passed passed manual",
        "prints_in_the_test": "passed passed passed not-attempted",
        "prints_without_end": "timed-out timed-out passed not-attempted",
        "to_stderr": "failed failed passed not-attempted",
        "untouched": "failed failed failed not-attempted",
    },
    "broken_outside": {
        "right": "passed held held passed manual",
        "reads_the_key": "failed held held failed not-attempted",
        "asks_the_network": "failed held held failed not-attempted",
        "writes_outside": "passed held held passed manual",
        "copies_a_neighbour": "failed held held failed not-attempted",
        "untouched": "failed held held failed not-attempted",
    },
}
"""The outcome of each question of the broken assignments, in the notebook's order."""

MAY_BE = {
    "wants_all_memory": ("passed failed passed", "passed timed-out passed"),
    "loops_in_the_cell": ("held held held",),
}
"""Other outcomes of the first three questions. A process that wants all memory gets a MemoryError,
or is ended; on a busy computer, a loop can exceed its limit of wall-clock time first, which holds
the submission."""

UNLISTED = {"right", "rewrites_the_data", "is_equal_to_all"}
"""Students of `broken_attacked` with points and without a hint. The guide says that the code of a
submission can change a test and the files that it reads; the report names such tests."""

DIFFERENT: dict[str, dict[str, dict[str, float | None]]] = {
    # own questions see a virtual GPU, and NumPy cannot read a tensor on it
    "gpu_devices": {"in_numpy": {"norm_test": 0.0}},
    # nbgrader gives 0 for a notebook that is missing; here a person asks for it
    "two_notebooks": {"hands_in_one_notebook": {"part-a": None}},
}
"""Points that differ from nbgrader's on purpose."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("one_executor"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # of nbgrader
]


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """One course for all assignments: nbgrader makes its database once."""
    return tmp_path_factory.mktemp("own") / "course"


def graded(name: str, root: Path) -> tuple[OwnAssignment, RunReport]:
    own = OwnAssignment.read(name).release(root, stock=False)
    options = GradeOptions(name, root, minimum=level(), workers=1)
    return own, grade_class(options, lambda _: None)


@pytest.mark.parametrize("name", only(["doubled"], sound()))
def test_points_are_those_of_nbgrader(name, course):
    own, _ = graded(name, course)
    points = own.points(course)
    assert set(points) == set(own.changes)
    for student, expected in STORED[name].items():
        on_purpose = DIFFERENT.get(name, {}).get(student, {})
        assert points[student] == expected | on_purpose, student


@pytest.mark.more
@pytest.mark.parametrize("name", LIVE)
def test_the_stored_points_are_nbgraders(name, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # ipykernel's streams are others in a test
    found = graded_by_nbgrader(OwnAssignment.read(name), tmp_path / "course")
    assert found == STORED[name]


@pytest.mark.more
@pytest.mark.parametrize("name", BROKEN)
def test_broken_ones_have_a_named_outcome_each(name, course):
    own, report = graded(name, course)
    outcomes = {
        each.student: " ".join(str(verdict.kind) for verdict in each.verdicts)
        for each in report.graded
    }
    for student, kinds in outcomes.items():
        others = MAY_BE.get(student, ())
        assert kinds == BROKEN[name][student] or kinds.rpartition(" ")[0] in others, student
    assert outcomes.keys() == BROKEN[name].keys()
    if name == "broken_attacked":
        paid = {each.student for each in report.graded if "passed" in outcomes[each.student]}
        assert paid - {each.student for each in report.flagged} == UNLISTED
    points = own.points(course)
    for each in report.graded:
        for verdict in each.verdicts:
            kept = points[each.student][verdict.exercise]
            if verdict.kind in ("held", "manual"):
                assert kept is None
            elif verdict.kind == "passed":
                assert kept == verdict.max_points
            else:
                assert kept == 0
                assert verdict.text


def test_an_assignment_with_two_questions_of_one_name_is_refused(tmp_path):
    """nbgrader releases none; one whose source was edited after the release is refused here."""
    OwnAssignment.read("doubled").release(tmp_path / "course", stock=False)
    source = tmp_path / "course" / "source" / "doubled" / "doubled.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells.append(deepcopy(notebook.cells[2]))
    notebook.cells[-1].id = "again"
    nbformat.write(notebook, source)
    assert not opened(tmp_path / "course").generate_assignment("doubled", force=True)["success"]
    with pytest.raises(CourseError, match="several cells with the id double_test"):
        grade_class(GradeOptions("doubled", tmp_path / "course", minimum=level()), lambda _: None)


def three_platforms(own: OwnAssignment, root: Path) -> dict[str, str]:
    """Hand in for thirty students, ten by each of three platforms. Returns id → kind of work."""
    first = ["Ada", "Zoë", "José", "小明", "Ngọc", "Ben"]
    people = product(first, ["Okri", "Müller", "García", "Li", "van Dam"])
    kinds = cycle(own.changes)
    work, roster, rows = {}, ["id,first_name,last_name,email,lms_user_id"], []
    zips = {name: ZipFile(root / f"{name}.zip", "w") for name in ("canvas", "moodle", "gradescope")}
    for number, (first, last) in enumerate(people):
        student, kind = f"s{number:02}", next(kinds)
        work[student] = kind
        email = f"{student}@example.org"
        roster.append(f"{student},{first},{last},{email},{7000 + number}")
        own.hand_in(root, kind)
        folder = root / "submitted" / kind
        text = (folder / own.name / f"{own.name}.ipynb").read_bytes()
        shutil.rmtree(folder)
        name = f"{own.name}.ipynb"
        if number < 10:
            called = f"{last}{first}".lower().replace(" ", "")
            zips["canvas"].writestr(f"{called}_{7000 + number}_{90000 + number}_{name}", text)
        elif number < 20:
            place = f"{first} {last}_{31000 + number}_assignsubmission_file_"
            zips["moodle"].writestr(f"{place}/{name}", text)
        else:
            rows += [f"submission_{number}:", "  :submitters:", f"  - :email: {email}"]
            rows.append(f"  :created_at: 2026-11-{number - 19:02} 07:06:08 Z")
            zips["gradescope"].writestr(f"assignment_1_export/submission_{number}/{name}", text)
    zips["gradescope"].writestr("assignment_1_export/submission_metadata.yml", "\n".join(rows))
    (root / "roster.csv").write_text("\n".join(roster), "utf-8")
    for name, archive in zips.items():
        archive.close()
        taken = take_in(root, own.name, root / f"{name}.zip", root / "roster.csv", lambda _: None)
        assert len(taken.taken) == 10 and not taken.refused, (name, taken)
    return work


@pytest.mark.more
def test_thirty_students_over_three_platforms(tmp_path):
    """A run is killed in the middle, and the next one gives each student the points of nbgrader."""
    own = OwnAssignment.read("doubled").release(tmp_path, stock=False)
    shutil.rmtree(tmp_path / "submitted")
    (tmp_path / "submitted").mkdir()
    work = three_platforms(own, tmp_path)
    command = [Path(sys.executable).with_name("course"), "grade", own.name, "--workers", "1"]
    running = subprocess.Popen([*command, "--minimum", "none"], cwd=tmp_path)
    while len(own.points(tmp_path)) < 12 and running.poll() is None:
        time.sleep(0.2)
    running.kill()
    assert running.wait() == -signal.SIGKILL and 12 <= len(own.points(tmp_path)) < 30
    subprocess.run([*command, "--minimum", "none"], cwd=tmp_path, check=False)
    assert own.points(tmp_path) == {
        student: STORED["doubled"][kind] for student, kind in work.items()
    }
