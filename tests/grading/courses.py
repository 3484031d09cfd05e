"""nbgrader courses for tests: released once, handed in by a class, graded; and their results."""

import contextlib
import copy
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI

from course_grading.hidden import hidden_cases
from course_grading.job import Job
from course_grading.report.run import RunReport
from course_grading.results import Graded, Verdict
from course_grading.run.command import GradeOptions, grade_class
from course_grading.run.course import NbgraderCourse, ReleasedAssignment, ReleasedNotebook, steps_of
from course_grading.run.digests import grading_digest
from course_grading.run.journal import Journal
from course_grading.sandbox import probe
from course_notebooks.reading import parse_submission
from course_notebooks.rebuild import rebuild
from course_notebooks.release import released_notebook
from course_utils.checking.exercises import place_of
from course_utils.manifest import Assignment, load_manifest
from exercise_kit.reference import reference
from tests.grading.classroom import PARTS

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = {each.name: each for each in load_manifest(ROOT / "course.toml").assignments}
COURSE_ID = "on_the_right_device"
SEED = "the seed of these tests"
STAMP = "2026-11-02 10:00:00 UTC"

Row = dict[str, Any]


@cache
def level():
    return probe().level


@cache
def hidden(assignment: str) -> str:
    return hidden_cases(assignment, SEED)


def references(assignment: str, *, parts: bool = False) -> dict[str, str]:
    """The right answers, by exercise. parts: also for parts of train.py."""
    exercises = ASSIGNMENTS[assignment].exercises
    return {
        each.short: reference(place_of(ROOT, each.name))
        for each in exercises
        if parts or each.short not in PARTS
    }


def full_points(assignment: str, *, parts: bool = False) -> dict[str, float | None]:
    """The points that `references` must get, by exercise."""
    return {
        each.short: each.points if parts or each.short not in PARTS else 0
        for each in ASSIGNMENTS[assignment].exercises
    }


def due(verdict: Verdict) -> float:
    """The points that the answer of `references` must get."""
    return 0 if verdict.exercise.rpartition(".")[2] in PARTS else verdict.max_points


def has_its_due(graded: Graded) -> bool:
    return graded.points == sum(map(due, graded.verdicts))


def filled_in(assignment: str, answers: Mapping[str, str]) -> dict[str, Any]:
    """The released notebook, as JSON, with `answers` in it."""
    notebook = json.loads(json.dumps(released(assignment)))
    for cell in notebook["cells"]:
        own = cell["metadata"].get("nbgrader", {})
        if own.get("solution") and own["grade_id"] in answers:
            cell["source"] = answers[own["grade_id"]]
    return notebook


@cache
def released(assignment: str) -> Any:
    return released_notebook(ROOT / "assignments" / "source" / assignment / f"{assignment}.ipynb")


def released_assignment(assignment: str) -> ReleasedAssignment:
    notebook = copy.deepcopy(released(assignment))
    return ReleasedAssignment(
        assignment, (ReleasedNotebook(assignment, notebook, notebook),), "digest"
    )


def job(student: str, assignment: str, answers: Mapping[str, str]) -> Job:
    notebook = parse_submission(json.dumps(filled_in(assignment, answers)).encode(), student)
    rebuilt = rebuild(released(assignment), notebook)
    return Job(student, assignment, steps_of(rebuilt.notebook))


def opened(root: Path) -> NbGraderAPI:
    """nbgrader's interface to a course."""
    course = NbgraderCourse.open(root)
    return NbGraderAPI(course.directory, config=course.config)


@dataclass(frozen=True)
class Class:
    """An nbgrader course in a folder, and the class that takes it."""

    root: Path
    assignment: str

    @classmethod
    def release(cls, root: Path, assignment: str) -> "Class":
        """A new course with the assignment's release by nbgrader. The facts of its hidden cases are
        computed already, as after an earlier run."""
        root.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "assignments" / "nbgrader_config.py", root)
        source = ROOT / "assignments" / "source" / assignment
        shutil.copytree(source, root / "source" / assignment)
        (root / ".grading_seed").write_text(SEED)
        done = opened(root).generate_assignment(assignment)
        assert done["success"], done
        course = NbgraderCourse.open(root)
        release = ReleasedAssignment.of(course, assignment)
        with contextlib.closing(Journal(course.own / "journal.sqlite")) as journal:
            key = grading_digest(release, SEED)
            journal.hidden(assignment, key, lambda: hidden(assignment))
        return cls(root, assignment)

    def copied(self, root: Path) -> "Class":
        shutil.copytree(self.root, root, symlinks=True, dirs_exist_ok=True)
        return Class(root, self.assignment)

    @property
    def entry(self) -> Assignment:
        return ASSIGNMENTS[self.assignment]

    def folder(self, student: str, step: str = "submitted") -> Path:
        return self.root / step / student / self.assignment

    def hand_in(
        self,
        student: str,
        answers: Mapping[str, str],
        *,
        stamp: str = STAMP,
        notebook: Mapping[str, Any] | None = None,
    ) -> Path:
        """Put a notebook, or a new one with `answers`, into submitted/, over an earlier one."""
        folder = self.folder(student)
        folder.mkdir(parents=True, exist_ok=True)
        content = notebook or filled_in(self.assignment, answers)
        (folder / f"{self.assignment}.ipynb").write_text(json.dumps(content))
        (folder / "timestamp.txt").write_text(stamp)
        return folder

    def grade(self, **options: Any) -> RunReport:
        """The report of `course grade`, run in this process."""
        return self.grade_saying(**options)[0]

    def grade_saying(self, **options: Any) -> tuple[RunReport, str]:
        said: list[str] = []
        given = {"minimum": level(), "workers": 1} | options
        report = grade_class(GradeOptions(self.assignment, self.root, **given), said.append)
        return report, "\n".join(said)

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.root}/gradebook.db", COURSE_ID)

    def points(self, student: str) -> dict[str, float | None]:
        """The points in the gradebook, by exercise; None if a person must decide."""
        return {
            row["cell"].removesuffix("_check"): None if row["waits"] else row["score"]
            for row in self.rows(student)
        }

    def rows(self, student: str = "") -> list[Row]:
        """All rows on grades in the gradebook, by student and cell."""
        with self.gradebook() as book:
            found = [
                row
                for submission in book.assignment_submissions(self.assignment)
                if student in ("", submission.student.id)
                for row in _rows_of(submission)
            ]
        return sorted(found, key=lambda row: (row["student"], row["cell"]))

    def autograded(self) -> dict[str, Any]:
        """Every file in autograded/; notebooks without fields that differ between equal runs."""
        place = self.root / "autograded"
        files = (path for path in sorted(place.rglob("*")) if path.is_file())
        return {str(path.relative_to(place)): _content(path) for path in files}


def _rows_of(submission: Any) -> Iterator[Row]:
    for notebook, grade in (
        (each, grade) for each in submission.notebooks for grade in each.grades
    ):
        yield {
            "student": submission.student.id,
            "cell": grade.name,
            "auto": grade.auto_score,
            "manual": grade.manual_score,
            "extra": grade.extra_credit,
            "score": grade.score,
            "waits": grade.needs_manual_grade,
            "stamp": submission.timestamp,
            "late": submission.total_seconds_late,
            "penalty": notebook.late_submission_penalty,
            "comments": sorted((each.name, each.comment) for each in notebook.comments),
        }


def _content(path: Path) -> Any:
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook = copy.deepcopy(nbformat.read(path, as_version=4))
    return notebook.cells, notebook.metadata.get("kernelspec")


def parsed(stamp: str = STAMP) -> datetime:
    return datetime.fromisoformat(stamp.removesuffix(" UTC"))
