"""An instructor's own questions get the points that stock nbgrader gives, cell by cell."""

import json
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from courses import level, opened

from course_grading.report.run import RunReport
from course_grading.run.command import GradeOptions, grade_class
from course_utils.errors import CourseError
from tests.grading.own_courses import STOCK, OwnAssignment, graded_by_nbgrader, sound
from tests.kept import only

STORED = json.loads(STOCK.read_text())
LIVE = ("doubled", "printed")

BROKEN = {
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
