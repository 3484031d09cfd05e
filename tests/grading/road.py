"""The steps of the nbgrader road that only tests take: the exchange, the export, the gradebook."""

import csv
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from course_grading import demo
from course_grading.demo import COURSE_ID, Submission


class Road(demo.Road):
    """With `folder`/students as well, where they work."""

    def __init__(self, folder: Path, assignments: Path, assignment: str) -> None:
        super().__init__(folder, assignments, assignment)
        self.students = folder / "students"

    def release(self) -> Path:
        """Generate the assignment and release it to the exchange. Returns the released notebook."""
        notebook = self.generate()
        self.nbgrader("release_assignment", self.assignment)
        return notebook

    def submit(self, submissions: Iterable[Submission], released: Path) -> None:
        """Each student fetches nothing new, fills in the released notebook and submits it."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            home = self.students / submission.student
            (home / self.assignment).mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), home / self.assignment / released.name)
            self.nbgrader("submit", self.assignment, f"--student={submission.student}", cwd=home)

    def collect(self) -> None:
        """Collect what was submitted."""
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
        """What the gradebook holds for a student: points by exercise."""
        name = self.assignment
        with Gradebook(f"sqlite:///{self.course}/gradebook.db", COURSE_ID) as gradebook:
            notebook = gradebook.find_submission_notebook(name, name, student)
            return {grade.name.removesuffix("_check"): grade.score for grade in notebook.grades}
