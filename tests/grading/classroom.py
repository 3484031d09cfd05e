"""A class with the accidents of a real one, and nbgrader's commands from release to export."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from course_utils.checking.exercises import place_of
from course_utils.manifest import Assignment
from course_utils.program.holes import HOLES
from exercise_kit.corpus import known_answers
from exercise_kit.reference import reference

PARTS = {hole.exercise.rpartition(".")[2] for hole in HOLES}
"""Exercises that are parts of train.py. Each takes about five seconds of processor time: they are
answered only where grading is compared with practice (test_split)."""

COURSE_ID = "on_the_right_device"
SYNTAX_ERROR = "def broken(:\n    return\n"
ENDLESS_LOOP = "while True:\n    pass\n"
_NOISE = (
    "import logging, sys, warnings\n"
    "print('called with', arguments)\n"
    "print('many lines\\n' * 5000)\n"
    "warnings.warn('this goes to stderr')\n"
    "print('this as well', file=sys.stderr)\n"
    "logging.warning('and this')\n"
)


@dataclass(frozen=True)
class Submission:
    """The submission of one student.

    cells: the text of solution cells, by exercise; other cells stay as released.
    right: the exercises that must get all points; every other exercise must get 0.
    """

    student: str
    cells: Mapping[str, str]
    right: frozenset[str]

    def fill_in(self, released: NotebookNode) -> NotebookNode:
        """The released notebook as this student hands it in."""
        notebook = nbformat.from_dict(released)
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = self.cells.get(grade_id, cell.source)
        return notebook

    def expected_grades(self, assignment: Assignment) -> dict[str, int]:
        """Points by exercise."""
        return {
            exercise.short: exercise.points if exercise.short in self.right else 0
            for exercise in assignment.exercises
        }


def _known_answers(root: Path, assignment: Assignment) -> list[Submission]:
    """Five submissions: all right, all wrong, other right answers, the first half, no answer."""
    folders = {exercise.short: place_of(root, exercise.name) for exercise in assignment.exercises}
    right = {name: reference(place) for name, place in folders.items()}
    accepted, wrong = (
        {name: known_answers(place, kind)[0].source for name, place in folders.items()}
        for kind in ("accepted", "wrong")
    )
    half = list(folders)[: len(folders) // 2]
    return [
        Submission("full", right, frozenset(right)),
        Submission("wrong", wrong, frozenset()),
        Submission("accepted", accepted, frozenset(right)),
        Submission("partial", {name: right[name] for name in half}, frozenset(half)),
        Submission("empty", {}, frozenset()),
    ]


@dataclass(frozen=True)
class Damaged(Submission):
    """A damaged submission. dropped: the grade_id of a cell that the student deleted."""

    dropped: str = ""

    def fill_in(self, released: NotebookNode) -> NotebookNode:
        notebook = super().fill_in(released)
        notebook.cells = [
            cell
            for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id") != self.dropped
        ]
        return notebook


def make_class(root: Path, assignment: Assignment) -> list[Submission]:
    """The submissions of `_known_answers`, a right answer that prints much, and the accidents.

    No submission answers a part of train.py.
    """
    common = [_without_parts(each) for each in _known_answers(root, assignment)]
    right = common[0].cells
    every = common[0].right
    first, second, *_, last = right
    return [
        *common,
        Submission("noisy", {name: right[name] + _noisy(name) for name in right}, every),
        Submission("syntax_error", {**right, first: SYNTAX_ERROR}, every - {first}),
        Submission("endless_loop", {**right, second: ENDLESS_LOOP}, every - {second}),
        Damaged("lost_check", right, every, f"{first}_check"),
        Damaged("lost_answer", right, every - {last}, last),
    ]


def _without_parts(submission: Submission) -> Submission:
    cells = {name: text for name, text in submission.cells.items() if name not in PARTS}
    return replace(submission, cells=cells, right=submission.right - PARTS)


def _noisy(name: str) -> str:
    """A right answer that prints its inputs and thousands of lines each time it is called."""
    indented = "".join(f"    {line}\n" for line in _NOISE.splitlines())
    return (
        f"\n\n_quiet_{name} = {name}\n\n"
        f"import functools, logging\n"
        f"logging.basicConfig()\n"
        f"@functools.wraps(_quiet_{name})\n"
        f"def {name}(*arguments):\n{indented}    return _quiet_{name}(*arguments)\n"
    )


class ExchangeCourse:
    """An nbgrader course in `folder`: `folder`/course, /exchange, and the students' /students.

    Each step runs nbgrader's own command.
    """

    def __init__(self, folder: Path, assignments: Path, assignment: str) -> None:
        self.course, self.exchange = folder / "course", folder / "exchange"
        self.students, self.assignment = folder / "students", assignment
        self.course.mkdir(parents=True)
        self.exchange.mkdir(mode=0o777)
        self.exchange.chmod(0o777)  # independent of the umask; nbgrader requires it
        shutil.copy(assignments / "nbgrader_config.py", self.course)
        shutil.copytree(assignments / "source", self.course / "source")

    def generate(self) -> Path:
        """Generate the assignment. Returns the notebook for the release."""
        self.nbgrader("generate_assignment", self.assignment)
        return self.course / "release" / self.assignment / f"{self.assignment}.ipynb"

    def hand_in(self, submissions: Iterable[Submission], released: Path) -> None:
        """Put the submissions into the folder to which `submit` and `collect` would copy them."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            place = self.course / "submitted" / submission.student / self.assignment
            place.mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), place / released.name)

    def release(self) -> Path:
        """Generate the assignment and release it to the exchange. Returns the released notebook."""
        notebook = self.generate()
        self.nbgrader("release_assignment", self.assignment)
        return notebook

    def submit(self, submissions: Iterable[Submission], released: Path) -> None:
        """Each student fills in the released notebook, without a new fetch, and submits it."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            home = self.students / submission.student
            (home / self.assignment).mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), home / self.assignment / released.name)
            self.nbgrader("submit", self.assignment, f"--student={submission.student}", cwd=home)

    def collect(self) -> None:
        """Collect the submissions."""
        self.nbgrader("collect", self.assignment)

    def feedback(self) -> None:
        """Make the feedback pages and release them."""
        self.nbgrader("generate_feedback", self.assignment)
        self.nbgrader("release_feedback", self.assignment)

    def export(self) -> dict[str, float]:
        """Export the grades with nbgrader's CSV exporter. Returns the scores by student."""
        self.nbgrader("export")
        with (self.course / "grades.csv").open(newline="") as file:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    def grades(self, student: str) -> dict[str, float]:
        """The points of a student in the gradebook, by exercise."""
        name = self.assignment
        with Gradebook(f"sqlite:///{self.course}/gradebook.db", COURSE_ID) as gradebook:
            notebook = gradebook.find_submission_notebook(name, name, student)
            return {grade.name.removesuffix("_check"): grade.score for grade in notebook.grades}

    def nbgrader(self, *arguments: str, cwd: Path | None = None) -> None:
        """Run a command of nbgrader's in `cwd`; default: the course's folder."""
        exchange = [f"--course={COURSE_ID}", f"--Exchange.root={self.exchange}"]
        # nbgrader calls alembic by name, so the environment's commands must be on the path.
        commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments, *exchange],
            cwd=cwd or self.course,
            env={**os.environ, "PATH": commands},
            capture_output=True,
            text=True,
            errors="replace",
        )
        log = (done.stdout + done.stderr)[-3000:]
        assert not done.returncode, f"`nbgrader {' '.join(arguments)}` failed:\n{log}"
