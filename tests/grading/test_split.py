"""Known answers go through judge and worker, and meet what they meet in practice.

A class of five takes each assignment: the reference answers, others that are right, two sets of
wrong ones, and the reference answers with noise. With COURSE_ALL_ANSWERS=1 every known answer is
in it, which takes half an hour. What comes back to the class, as feedback and as an export, is
looked at as well.
"""

import csv
import html
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import nbformat
import pytest
from courses import ASSIGNMENTS, ROOT, SEED, Class, full_points, references

from course_utils.authoring.assembly import folder as exercise_folder
from course_utils.authoring.corpus import KnownAnswer, known_answers
from course_utils.checking.engine import hidden_cases, public_cases
from course_utils.checking.exercises import exercise
from course_utils.grading.classroom import make_class
from course_utils.grading.results import Graded
from course_utils.manifest import Assignment

ALL = os.environ.get("COURSE_ALL_ANSWERS") == "1"
WRONG_ONES = 2  # of each exercise, unless all are asked for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


@dataclass
class Taken:
    """An assignment that was taken, graded and given back. expected: by student and exercise."""

    course: Class
    expected: dict[str, dict[str, str]] = field(default_factory=dict)
    graded: dict[str, Graded] = field(default_factory=dict)

    @property
    def assignment(self) -> Assignment:
        return self.course.entry

    def hand_in(self, student: str, answers: dict[str, KnownAnswer]) -> None:
        right = references(self.assignment.name)
        self.expected[student] = dict.fromkeys(right, "passed") | {
            short: answer.expected for short, answer in answers.items()
        }
        texts = {short: answer.source for short, answer in answers.items()}
        self.course.hand_in(student, right | texts)

    def nbgrader(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.course.root,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def taken(request, release, tmp_path_factory) -> Taken:
    found = Taken(release(tmp_path_factory.mktemp("class"), request.param))
    for student, answers in classmates(found.assignment):
        found.hand_in(student, answers)
    (noisy,) = (
        each
        for each in make_class(ROOT, found.assignment, accidents=False)
        if each.student == "noisy"
    )
    found.course.hand_in("noisy", noisy.cells)
    found.expected["noisy"] = dict.fromkeys(full_points(request.param), "passed")
    report = found.course.grade()
    found.graded = {each.student: each for each in report.graded}
    return found


def classmates(assignment: Assignment) -> Iterator[tuple[str, dict[str, KnownAnswer]]]:
    """Who hands in what: each carries one answer of every exercise, as long as there are any."""
    yield "reference", {}
    for kind, most in (("accepted", 1), ("wrong", WRONG_ONES)):
        answers = {
            each.short: known_answers(exercise_folder(ROOT, each), kind)[: None if ALL else most]
            for each in assignment.exercises
        }
        for number, row in enumerate(zip_longest(*answers.values()), start=1):
            pairs = zip(answers, row, strict=True)
            yield f"{kind}{number}", {short: each for short, each in pairs if each is not None}


def test_every_answer_meets_what_it_meets_in_practice(taken):
    found = {
        student: {
            verdict.exercise.partition(".")[2]: verdict.finding or verdict.kind
            for verdict in graded.verdicts
        }
        for student, graded in taken.graded.items()
    }
    assert found == taken.expected
    assert sum(map(len, found.values())) >= 5 * len(taken.assignment.exercises)


def test_every_right_answer_has_its_points_and_no_other_has_any(taken):
    full = full_points(taken.assignment.name)
    for student, expected in taken.expected.items():
        points = {short: full[short] * (met == "passed") for short, met in expected.items()}
        assert taken.course.points(student) == points


def test_the_look_names_no_reference(taken):
    assert taken.graded["reference"].flags == ()


def test_nothing_of_a_solution_is_released(taken):
    name = taken.assignment.name
    notebook = Path(name) / f"{name}.ipynb"
    released = nbformat.read(taken.course.root / "release" / notebook, as_version=4)
    assert not any("SOLUTION" in cell.source for cell in released.cells)
    stubs = {cell.id: cell.source for cell in released.cells}
    solved = nbformat.read(taken.course.root / "source" / notebook, as_version=4)
    solutions = [c for c in solved.cells if c.metadata.get("nbgrader", {}).get("solution")]
    assert len(solutions) == len(taken.assignment.exercises)
    for cell in solutions:
        region = cell.source.partition("### BEGIN SOLUTION")[2].partition("### END SOLUTION")[0]
        lines = {line for line in region.splitlines() if line.strip()}
        assert not lines & set(stubs[cell.id].splitlines())
        assert "raise NotImplementedError()" in stubs[cell.id]


@pytest.fixture(scope="module")
def pages(taken) -> dict[str, str]:
    """The feedback of nbgrader's own step, by student."""
    taken.nbgrader("generate_feedback", taken.assignment.name)
    return {
        student: (
            taken.course.folder(student, "feedback") / f"{taken.assignment.name}.html"
        ).read_text()
        for student in taken.expected
    }


def test_no_hidden_value_shows_in_feedback(taken, pages):
    """What only the hidden cases hold is nowhere in what students get back."""
    name = taken.assignment.name
    released = (taken.course.root / "release" / name / f"{name}.ipynb").read_text()
    secrets = {}
    for entry in taken.assignment.exercises:
        judge = exercise(entry.name).judge
        public = released + str([case.data for case in public_cases(entry.name, judge)])
        drawn = [case.data for _, case in hidden_cases(entry.name, judge, SEED)]
        texts = set().union(*map(distinctive, drawn))
        secrets[entry.short] = {text for text in texts if text not in public}
    assert sum(map(len, secrets.values())) > 5
    for student, page in pages.items():
        for short, part in checks(page, secrets).items():
            assert part
            assert {text for text in secrets[short] if text in part} == set(), student


def checks(page: str, names: Iterable[str]) -> dict[str, str]:
    """What a feedback page shows from each exercise's check cell to the next one's.

    One exercise's errors may be what another one asks about, so a secret is one in its own place.
    """
    after = {name: page.partition(f'id="{name}_check"')[2] for name in names}
    return {name: rest.partition('_check"')[0] for name, rest in after.items()}


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


def test_feedback_names_the_misconception(taken, pages):
    said = html.unescape(re.sub(r"<[^>]+>", "", pages["wrong1"]))
    for entry in taken.assignment.exercises:
        words = exercise(entry.name).words
        met = taken.expected["wrong1"][entry.short]
        if met not in ("raised", "timed-out"):
            title = words.finding(met).title.replace("`", "")
            assert title in said, entry.name


def test_the_export_adds_up(taken):
    taken.nbgrader("export")
    with (taken.course.root / "grades.csv").open(newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: graded.points for student, graded in taken.graded.items()}
