"""Known answers go through judge and worker, and meet what they meet in practice.

`course verify` proves what each known answer meets. Here one right and one wrong answer of every
exercise show that judge and worker say the same (`make test`: of one assignment); `make test-all`
puts all of them through. One assignment is taken by a class, graded and given back with nbgrader.
"""

import contextlib
import csv
import html
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

import nbformat
import pytest
from classroom import PARTS, make_class
from courses import ASSIGNMENTS, ROOT, SEED, Class, full_points, hidden, job, level, released
from known_class import Met, classmates, expected, met, texts

from course_grading.executor import JudgeProcess
from course_grading.hints import hints
from course_grading.job import GradingSettings
from course_grading.results import Graded
from course_utils.checking.exercises import exercise

TAKEN = "02_tensors"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.usefixtures("four_gpus"),  # our own answers are run here, too
]


@pytest.mark.parametrize(
    ("assignment", "accepted", "wrong"),
    [
        *(
            pytest.param(name, 1, 1, marks=() if name == TAKEN else pytest.mark.more)
            for name in ASSIGNMENTS
        ),
        *(pytest.param(name, None, None, marks=pytest.mark.full) for name in ASSIGNMENTS),
    ],
)
def test_every_answer_meets_what_it_meets_in_practice(assignment, accepted, wrong):
    kept = secrets(assignment)
    with contextlib.closing(
        JudgeProcess(GradingSettings(hidden(assignment), level()))
    ) as judge_process:
        for student, answers in classmates(assignment, accepted, wrong):
            graded = judge_process.grade(job(student, assignment, texts(assignment, answers)))
            assert met(graded) == expected(assignment, answers), student
            # Of the known answers only those that the look names reach for anything.
            named = [a.source for short, a in answers.items() if hints([(short, a.source)])]
            told = [flag.source for flag in graded.flags]
            found = [line for line in told if not any(line in text for text in named)]
            assert found == [], (student, graded.flags)
            for verdict in graded.verdicts:
                said = verdict.text + verdict.html
                short = verdict.exercise.partition(".")[2]
                assert {text for text in kept[short] if text in said} == set(), student


def given(source: str) -> set[str]:
    """The lines below a solution: those of the program that is to be fixed."""
    return set(source.partition("### END SOLUTION")[2].splitlines())


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_nothing_of_a_solution_is_released(name):
    notebook = released(name)
    assert not any("SOLUTION" in cell.source for cell in notebook.cells)
    stubs = {cell.id: cell.source for cell in notebook.cells}
    source = ROOT / "assignments" / "source" / name / f"{name}.ipynb"
    solved = nbformat.read(source, as_version=4)
    solutions = [c for c in solved.cells if c.metadata.get("nbgrader", {}).get("solution")]
    assert len(solutions) == len(ASSIGNMENTS[name].exercises)
    for cell in solutions:
        region = cell.source.partition("### BEGIN SOLUTION")[2].partition("### END SOLUTION")[0]
        lines = {line for line in region.splitlines() if line.strip()}
        # a program to be fixed shares lines with its solution, and learners begin with it
        assert not lines & (set(stubs[cell.id].splitlines()) - given(cell.source))
        assert "raise NotImplementedError()" in stubs[cell.id]


@dataclass
class TakenSubmission:
    """The assignment as a class took it, graded and given back. expected: by student."""

    course: Class
    expected: dict[str, Met] = field(default_factory=dict)
    graded: dict[str, Graded] = field(default_factory=dict)

    def nbgrader(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.course.root,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def taken(release, tmp_path_factory, one_executor) -> TakenSubmission:
    """By somebody with the reference answers, and with noise among them, and by three others."""
    found = TakenSubmission(release(tmp_path_factory.mktemp("class"), TAKEN))
    for student, answers in [("reference", {}), *classmates(TAKEN, accepted=1, wrong=2)]:
        found.course.hand_in(student, texts(TAKEN, answers))
        found.expected[student] = expected(TAKEN, answers)
    (noisy,) = (each for each in make_class(ROOT, ASSIGNMENTS[TAKEN]) if each.student == "noisy")
    found.course.hand_in("noisy", noisy.cells)
    found.expected["noisy"] = expected(TAKEN, {}) | dict.fromkeys(
        PARTS & full_points(TAKEN).keys(), "not-attempted"
    )
    report = found.course.grade()
    found.graded = {each.student: each for each in report.graded}
    return found


@pytest.mark.more
def test_a_class_meets_the_same(taken):
    assert {student: met(graded) for student, graded in taken.graded.items()} == taken.expected


@pytest.mark.more
def test_every_right_answer_has_its_points_and_no_other_has_any(taken):
    full = full_points(TAKEN, parts=True)
    for student, due in taken.expected.items():
        points = {short: full[short] * (came == "passed") for short, came in due.items()}
        assert taken.course.points(student) == points


@pytest.mark.more
def test_the_look_names_no_reference(taken):
    assert taken.graded["reference"].flags == ()


@pytest.mark.more
def test_nbgrader_releases_what_we_say_is_released(taken):
    notebook = taken.course.root / "release" / TAKEN / f"{TAKEN}.ipynb"
    cells = nbformat.read(notebook, as_version=4).cells
    assert [cell.source for cell in cells] == [cell.source for cell in released(TAKEN).cells]


@pytest.fixture(scope="module")
def pages(taken) -> dict[str, str]:
    """The feedback of nbgrader's own step, by student."""
    taken.nbgrader("generate_feedback", TAKEN)
    return {
        student: (taken.course.folder(student, "feedback") / f"{TAKEN}.html").read_text()
        for student in taken.expected
    }


def secrets(name: str) -> dict[str, set[str]]:
    """What only the hidden cases of an assignment hold, by exercise."""
    found = {}
    for entry in ASSIGNMENTS[name].exercises:
        known = exercise(entry.name)
        public = nbformat.writes(released(name)) + str([case.data for case in known.public_cases])
        drawn = [case.data for _, case in known.hidden_cases(SEED)]
        pieces = set().union(*map(distinctive, drawn))
        found[entry.short] = {text for text in pieces if text not in public}
    assert any(found.values()) or name == "12_fit"  # its cases differ by single numbers
    return found


@pytest.mark.more
def test_no_hidden_value_shows_in_feedback(taken, pages):
    hidden = secrets(TAKEN)
    assert sum(map(len, hidden.values())) > 5
    for student, page in pages.items():
        for short, part in checks(page, hidden).items():
            assert part
            assert {text for text in hidden[short] if text in part} == set(), student


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
        if all(isinstance(item, list) and len(item) == 1 for item in data):  # a column
            return {str(data)} if len(data) > 4 else set()
        if len(data) > 2 and all(type(item) in (int, float) for item in data):
            return {", ".join(map(str, data))} if len(set(data)) > 2 else set()
        return set().union(*map(distinctive, data))
    return set()


@pytest.mark.more
def test_feedback_names_the_misconception(taken, pages):
    said = html.unescape(re.sub(r"<[^>]+>", "", pages["wrong1"]))
    for entry in ASSIGNMENTS[TAKEN].exercises:
        words = exercise(entry.name).words
        found = taken.expected["wrong1"][entry.short]
        if found not in ("raised", "timed-out"):
            title = words.finding(found).title.replace("`", "")
            assert title in said, entry.name


@pytest.mark.more
def test_the_export_adds_up(taken):
    taken.nbgrader("export")
    with (taken.course.root / "grades.csv").open(newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: graded.points for student, graded in taken.graded.items()}
