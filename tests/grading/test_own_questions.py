"""An instructor's own questions get the points that stock nbgrader gives, cell by cell."""

import json
from pathlib import Path

import pytest
from courses import level

from course_grading.report.run import RunReport
from course_grading.run.command import GradeOptions, grade_class
from tests.grading.own_courses import STOCK, OwnAssignment, graded_by_nbgrader, sound

STORED = json.loads(STOCK.read_text())
LIVE = ("doubled", "printed")

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


@pytest.mark.parametrize("name", sound())
def test_points_are_those_of_nbgrader(name, course):
    own, _ = graded(name, course)
    points = own.points(course)
    assert set(points) == set(own.changes)
    assert {student: points[student] for student in STORED[name]} == STORED[name]


@pytest.mark.parametrize("name", LIVE)
def test_the_stored_points_are_nbgraders(name, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # ipykernel's streams are others in a test
    found = graded_by_nbgrader(OwnAssignment.read(name), tmp_path / "course")
    assert found == STORED[name]
