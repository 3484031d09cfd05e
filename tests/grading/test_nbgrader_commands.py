"""nbgrader's own commands, from the release to the exchange to what is given back."""

import pytest
from classroom import ExchangeCourse, make_class
from courses import ASSIGNMENTS, ROOT, SEED, level

from course_grading.run.command import GradeOptions, grade_class

ASSIGNMENT = ASSIGNMENTS["02_tensors"]
WHO = ("full", "wrong", "partial")

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def road(tmp_path_factory, one_executor) -> ExchangeCourse:
    found = ExchangeCourse(tmp_path_factory.mktemp("road"), ROOT / "assignments", ASSIGNMENT.name)
    (found.course / ".grading_seed").write_text(SEED)
    found.submit(submissions().values(), found.release())
    found.collect()
    grade_class(GradeOptions(ASSIGNMENT.name, found.course, minimum=level()), lambda _: None)
    found.feedback()
    return found


def submissions():
    return {each.student: each for each in make_class(ROOT, ASSIGNMENT) if each.student in WHO}


def test_every_grade_is_as_expected(road):
    expected = {name: each.expected_grades(ASSIGNMENT) for name, each in submissions().items()}
    assert {name: road.grades(name) for name in WHO} == expected


def test_the_export_adds_up(road):
    scores = {name: sum(road.grades(name).values()) for name in WHO}
    assert road.export() == scores and len(set(scores.values())) == len(WHO)


def test_the_time_of_the_exchange_is_kept(road):
    for name in WHO:
        stamps = [
            road.course / step / name / ASSIGNMENT.name / "timestamp.txt"
            for step in ("submitted", "autograded")
        ]
        assert stamps[0].read_text() == stamps[1].read_text()


def test_feedback_is_released(road):
    pages = list(road.exchange.glob(f"*/feedback/{ASSIGNMENT.name}/**/*.html"))
    pages += list(road.exchange.glob("*/feedback/*.html"))
    assert len(pages) == len(WHO)
