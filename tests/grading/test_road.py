"""A class made of the known answers goes down the nbgrader road; every grade is as expected."""

import html
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest

from course_utils.authoring.corpus import known_answers
from course_utils.checking.engine import hidden_cases, public_cases
from course_utils.checking.exercises import exercise
from course_utils.grading.classroom import Submission, make_class
from course_utils.grading.road import Road
from course_utils.manifest import load_manifest

ROOT = Path(__file__).resolve().parents[2]
SEED = "the seed of this test"
ASSIGNMENTS = load_manifest(ROOT / "course.toml").assignments

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module", params=ASSIGNMENTS, ids=lambda assignment: assignment.name)
def graded(request, tmp_path_factory):
    """The whole road, once for each assignment: the road, the submissions, the exported scores."""
    assignment = request.param
    road = Road(tmp_path_factory.mktemp("class"), ROOT / "assignments", assignment.name, SEED)
    # Accidents are the same whatever the assignment: they happen in the first one.
    submissions = make_class(ROOT, assignment, accidents=assignment is ASSIGNMENTS[0])
    road.submit(submissions, road.release())
    road.collect()
    road.autograde()
    road.feedback()
    return assignment, road, submissions, road.export()


def test_the_class_is_large_and_mixed(graded):
    assignment, _, submissions, _ = graded
    assert len(submissions) == (10 if assignment is ASSIGNMENTS[0] else 3)
    totals = {sum(s.expected_grades(assignment).values()) for s in submissions}
    assert {0, assignment.points} <= totals


def test_every_grade_is_as_expected(graded):
    assignment, road, submissions, _ = graded
    expected = {s.student: s.expected_grades(assignment) for s in submissions}
    found = {s.student: road.grades(s.student) for s in submissions}
    assert found == expected


def test_the_export_adds_up(graded):
    assignment, _, submissions, scores = graded
    assert scores == {s.student: sum(s.expected_grades(assignment).values()) for s in submissions}


def test_nothing_of_a_solution_is_released(graded):
    assignment, road, *_ = graded
    notebook = Path(assignment.name) / f"{assignment.name}.ipynb"
    released = nbformat.read(road.course / "release" / notebook, as_version=4)
    assert not any("SOLUTION" in cell.source for cell in released.cells)
    stubs = {cell.id: cell.source for cell in released.cells}
    solved = nbformat.read(road.course / "source" / notebook, as_version=4)
    solutions = [c for c in solved.cells if c.metadata.get("nbgrader", {}).get("solution")]
    assert len(solutions) == len(assignment.exercises)
    for cell in solutions:
        region = cell.source.partition("### BEGIN SOLUTION")[2].partition("### END SOLUTION")[0]
        lines = {line for line in region.splitlines() if line.strip()}
        assert not lines & set(stubs[cell.id].splitlines())
        assert "raise NotImplementedError()" in stubs[cell.id]


def test_no_hidden_value_shows_in_feedback(graded):
    """What only the hidden cases hold is nowhere in what students get back."""
    assignment, road, submissions, _ = graded
    released = road.course / "release" / assignment.name / f"{assignment.name}.ipynb"
    secrets = {}
    for entry in assignment.exercises:
        judge = exercise(entry.name).judge
        public = released.read_text() + str([c.data for c in public_cases(entry.name, judge)])
        drawn = [case.data for _, case in hidden_cases(entry.name, judge, SEED)]
        texts = set().union(*map(distinctive, drawn))
        secrets[entry.short] = {text for text in texts if text not in public}
    assert sum(map(len, secrets.values())) > 5
    for submission in submissions:
        page = road.course / "feedback" / submission.student / assignment.name
        shown = (page / f"{assignment.name}.html").read_text()
        for short, part in checks(shown, secrets).items():
            assert part or f"{short}_check" in submission.dropped
            assert {text for text in secrets[short] if text in part} == set(), submission.student


def checks(page: str, names: Iterable[str]) -> dict[str, str]:
    """What a feedback page shows from each exercise's check cell to the next one's.

    One exercise's errors may be what another one asks about, so a secret is one in its own place.
    """
    after = {name: page.partition(f'name="{name}_check"></a>')[2] for name in names}
    return {name: rest.partition('_check"></a>')[0] for name, rest in after.items()}


def distinctive(data) -> set[str]:
    """Pieces of a case that cannot be in a page by chance: long texts and rows of numbers."""
    if isinstance(data, str):
        return {data} if len(data) > 20 else set()
    if isinstance(data, dict):
        return set().union(*map(distinctive, data.values()))
    if isinstance(data, list | tuple):
        if len(data) > 2 and all(type(item) in (int, float) for item in data):
            return {", ".join(map(str, data))} if len(set(data)) > 2 else set()
        return set().union(*map(distinctive, data))
    return set()


def test_feedback_names_the_misconception(graded):
    assignment, road, *_ = graded
    page = road.course / "feedback" / "wrong" / assignment.name / f"{assignment.name}.html"
    said = html.unescape(page.read_text()).replace("`", "")
    for entry in assignment.exercises:
        words = exercise(entry.name).words
        wrong = known_answers(exercise(entry.name).path, "wrong")[0]
        if wrong.expected not in ("raised", "timed-out"):
            title = words.finding(wrong.expected).title.replace("`", "")
            assert title in said, entry.name


@pytest.mark.parametrize("graded", ASSIGNMENTS[:1], indirect=True, ids=[ASSIGNMENTS[0].name])
def test_a_lost_cell_costs_its_own_points_only(graded):
    assignment, road, submissions, _ = graded
    lost: Submission = next(s for s in submissions if s.student == "lost_check")
    assert road.grades("lost_check")[assignment.exercises[0].short] == 0
    assert sum(road.grades("lost_check").values()) == assignment.points - \
        assignment.exercises[0].points
    assert lost.dropped == {f"{assignment.exercises[0].short}_check"}
