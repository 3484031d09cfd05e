"""The nbgrader road for a class in a folder of its own: stock commands, run one after another."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from course_utils.checking.mode import GRADING_SEED
from course_utils.errors import CourseError
from course_utils.grading.classroom import Submission

_COURSE_ID = "on_the_right_device"


class Road:
    """An nbgrader course in `folder`: `folder`/course, /exchange and /students.

    Each step runs nbgrader's own command and raises CourseError, with the end of its log, if
    that command fails. `log` holds everything that the last command said.
    """

    def __init__(self, folder: Path, assignments: Path, assignment: str, seed: str = "") -> None:
        self.course, self.exchange = folder / "course", folder / "exchange"
        self.students, self.assignment, self.log = folder / "students", assignment, ""
        self._seed = seed
        self.course.mkdir(parents=True)
        self.exchange.mkdir(mode=0o777)
        self.exchange.chmod(0o777)  # whatever the umask; nbgrader insists
        shutil.copy(assignments / "nbgrader_config.py", self.course)
        shutil.copytree(assignments / "source", self.course / "source")

    def generate(self) -> Path:
        """Generate the assignment. Returns the notebook that is to be released."""
        self._nbgrader("generate_assignment", self.assignment)
        name = self.assignment
        return self.course / "release" / name / f"{name}.ipynb"

    def release(self) -> Path:
        """Generate the assignment and release it to the exchange. Returns the released notebook."""
        notebook = self.generate()
        self._nbgrader("release_assignment", self.assignment)
        return notebook

    def hand_in(self, submissions: Iterable[Submission], released: Path) -> None:
        """Put the submissions where `submit` and `collect` would bring them."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            place = self.course / "submitted" / submission.student / self.assignment
            place.mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), place / released.name)

    def submit(self, submissions: Iterable[Submission], released: Path) -> None:
        """Each student fetches nothing new, fills in the released notebook and submits it."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            home = self.students / submission.student
            (home / self.assignment).mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), home / self.assignment / released.name)
            self._nbgrader("submit", self.assignment, f"--student={submission.student}", cwd=home)

    def collect(self) -> None:
        """Collect what was submitted."""
        self._nbgrader("collect", self.assignment)

    def autograde(self) -> None:
        """Grade every submission."""
        self._nbgrader("autograde", self.assignment)

    def feedback(self) -> None:
        """Make the feedback pages and release them."""
        self._nbgrader("generate_feedback", self.assignment)
        self._nbgrader("release_feedback", self.assignment)

    def export(self) -> dict[str, float]:
        """Export the grades with nbgrader's CSV exporter. Returns the scores by student."""
        self._nbgrader("export")
        with (self.course / "grades.csv").open(newline="") as file:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}

    def grades(self, student: str) -> dict[str, float]:
        """What the gradebook holds for a student: points by exercise."""
        name = self.assignment
        with Gradebook(f"sqlite:///{self.course}/gradebook.db", _COURSE_ID) as gradebook:
            try:
                notebook = gradebook.find_submission_notebook(name, name, student)
            except MissingEntry:
                raise CourseError(f"The gradebook holds no submission of {student}.") from None
            return {grade.name.removesuffix("_check"): grade.score for grade in notebook.grades}

    def _nbgrader(self, *arguments: str, cwd: Path | None = None) -> None:
        command = [
            sys.executable,
            "-m",
            "nbgrader",
            *arguments,
            f"--course={_COURSE_ID}",
            f"--Exchange.root={self.exchange}",
        ]
        # nbgrader calls alembic by name, so the environment's commands must be on the path.
        commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": commands}
        if self._seed:
            environment[GRADING_SEED] = self._seed
        done = subprocess.run(
            command,
            cwd=cwd or self.course,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
        )
        self.log = done.stdout + done.stderr
        if done.returncode:
            raise CourseError(f"`nbgrader {' '.join(arguments)}` failed:\n{self.log[-3000:]}")
