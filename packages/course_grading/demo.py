"""`course grade --demo`: a class made of the known answers, graded in a folder of its own."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI

from course_command.console import silent
from course_grading.run.command import GradeOptions, grade_class
from course_grading.run.course import NbgraderCourse
from course_utils.checking.exercises import place_of
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, load_manifest
from exercise_kit.corpus import known_answers
from exercise_kit.reference import reference


@dataclass(frozen=True)
class DemoSubmission:
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


def make_class(root: Path, assignment: Assignment) -> list[DemoSubmission]:
    """Five submissions: all right, all wrong, other right answers, the first half, no answer."""
    folders = {exercise.short: place_of(root, exercise.name) for exercise in assignment.exercises}
    right = {name: reference(place) for name, place in folders.items()}
    accepted, wrong = (
        {name: known_answers(place, kind)[0].source for name, place in folders.items()}
        for kind in ("accepted", "wrong")
    )
    half = list(folders)[: len(folders) // 2]
    return [
        DemoSubmission("full", right, frozenset(right)),
        DemoSubmission("wrong", wrong, frozenset()),
        DemoSubmission("accepted", accepted, frozenset(right)),
        DemoSubmission("partial", {name: right[name] for name in half}, frozenset(half)),
        DemoSubmission("empty", {}, frozenset()),
    ]


def grade_demo(
    root: Path,
    name: str,
    folder: Path | None,
    say: Callable[[str], None],
    doing: Callable[..., None] = silent,
) -> None:
    """Grade the class in a new nbgrader course; print each grade with the expected one.

    Raises CourseError if `folder` is not empty or cannot be made, if nbgrader makes no release, or
    if a grade differs.
    """
    assignment = load_manifest(root / "course.toml").assignment(name)
    folder = (folder or Path(tempfile.mkdtemp(prefix="grade-demo-"))).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty. Name another folder for the demo.")
    place = folder / "course"
    try:
        shutil.copytree(root / "assignments" / "source", place / "source")
        shutil.copy(root / "assignments" / "nbgrader_config.py", place)
    except OSError as error:
        raise CourseError(
            f"{folder} cannot be used ({error.strerror}). Name another folder for the demo."
        ) from error
    doing("Making a class of the known answers")
    submissions = make_class(root, assignment)
    say(f"{name}: {len(submissions)} submissions, {assignment.points} points, in {place}")
    doing("Making the release with nbgrader")
    released = _release(place, name)
    for submission in submissions:
        handed_in = place / "submitted" / submission.student / name / f"{name}.ipynb"
        handed_in.parent.mkdir(parents=True)
        nbformat.write(submission.fill_in(released), handed_in)
    report = grade_class(GradeOptions(name, place), say)
    points = {graded.student: graded.points for graded in report.graded}
    wrong = 0
    for submission in submissions:
        expected = sum(submission.expected_grades(assignment).values())
        got = points[submission.student]
        wrong += got != expected
        shown = "held" if got is None else f"{got:4g}"
        say(
            f"  {'✓' if got == expected else '✗'} {submission.student:14} {shown} of "
            f"{assignment.points}, expected {expected}"
        )
    say(
        "To see the answers in nbgrader's formgrader, activate the environment\n"
        "(`source .venv/bin/activate`) and run `jupyter lab` in the folder\n"
        f"  {place}\n"
        "Then choose Nbgrader > Formgrader in the menu, and Manual Grading."
    )
    if wrong:
        raise CourseError(f"{wrong} grades differ from the expected ones. See the lines with ✗.")


def _release(place: Path, name: str) -> NotebookNode:
    """Make the release with nbgrader, which also puts it into the gradebook. Returns it."""
    course = NbgraderCourse.open(place)
    # nbgrader calls alembic by name, so the environment's commands must be on the path.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = NbGraderAPI(course.directory, config=course.config).generate_assignment(name)
    if not done["success"]:
        raise CourseError(f"`nbgrader generate_assignment {name}` failed:\n{done['log'][-3000:]}")
    return nbformat.read(course.place("release", ".", name) / f"{name}.ipynb", as_version=4)
