"""The nbgrader course that is graded: its folders, settings and gradebook, as nbgrader has them."""

import ast
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_solution, is_task
from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

from course_grading.doctor import GUIDE
from course_grading.job import Check, CodeCell
from course_grading.results import Graded
from course_notebooks.release import released_notebook
from course_notebooks.source import read_built
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

SETTINGS = "nbgrader_config.py"


@dataclass(frozen=True)
class NbgraderCourse:
    """An nbgrader course. config: what its nbgrader_config.py says."""

    root: Path
    config: Config
    directory: CourseDirectory

    @classmethod
    def open(cls, root: Path, db_url: str = "") -> "NbgraderCourse":
        """Raises CourseError if `root` holds no nbgrader course."""
        try:
            config = PyFileConfigLoader(SETTINGS, path=str(root)).load_config()
        except ConfigFileNotFound:
            raise CourseError(
                f"{root} is no nbgrader course: name the folder with {SETTINGS}, as in "
                "`course grade 02_tensors --course assignments`."
            ) from None
        except Exception as error:  # whatever its code does
            raise CourseError(
                f"{root / SETTINGS} cannot be used ({type(error).__name__}: {error}): fix it."
            ) from error
        config.CourseDirectory.root = str(root)
        if db_url:
            config.CourseDirectory.db_url = db_url
        return cls(root, config, CourseDirectory(config=config))

    @property
    def own(self) -> Path:
        """Where grading keeps its journal and its unfinished work."""
        return self.root / ".grading"

    def place(self, step: str, student: str, assignment: str) -> Path:
        """A folder of nbgrader's, as in `place("submitted", "ada", "02_tensors")`."""
        folder = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(folder, student, assignment))


@dataclass(frozen=True)
class ReleasedAssignment:
    """An assignment as learners got it. digest: of its text."""

    name: str
    notebook: NotebookNode
    digest: str

    @classmethod
    def of(cls, course: NbgraderCourse, name: str) -> "ReleasedAssignment":
        """Raises CourseError if the course has no such assignment, or it cannot be graded here."""
        source = course.place("source", ".", name) / f"{name}.ipynb"
        notebooks = sorted(source.parent.glob("*.ipynb"))
        if not notebooks:
            there = sorted(each.name for each in source.parent.parent.glob("*") if each.is_dir())
            raise CourseError(f"There is no {source}. Assignments here: {', '.join(there)}.")
        _refuse_others(source, notebooks)
        notebook = released_notebook(source)
        text = nbformat.writes(notebook)
        return cls(name, notebook, hashlib.sha256(text.encode()).hexdigest())

    def points(self, graded: Graded) -> dict[str, float | None]:
        """What a submission gets, by the grade_id of the test cells."""
        found = {verdict.exercise: verdict.points for verdict in graded.verdicts}
        return {cell: found[check.exercise] for cell, check in self.checks.items()}

    @cached_property
    def checks(self) -> dict[str, Check]:
        """The checks by the grade_id of their cells."""
        return {
            cell.metadata.nbgrader.grade_id: check
            for cell in self.notebook.cells
            if (check := check_of(cell)) is not None
        }


def _refuse_others(source: Path, notebooks: Sequence[Path]) -> None:
    """Raise CourseError where an assignment has what nobody would grade here.

    A cell that is not run has no error in it, and nbgrader would give it all its points.
    """
    name = source.stem
    known = {each.name: each.exercises for each in load_manifest().assignments}
    what = f"{name} is not an assignment of this course"
    if name in known:
        ours = {exercise.name for exercise in known[name]}
        others = [each.name for each in notebooks if each != source]
        others += [
            str(cell.metadata.nbgrader.get("grade_id"))
            for cell in read_built(source).cells
            if (is_grade(cell) or is_task(cell))
            and ((check := check_of(cell)) is None or check.exercise not in ours)
        ]
        if not others:
            return
        what = f"{name} holds what is not of this course: {', '.join(others)}"
    raise CourseError(
        f"{what}. It cannot be graded here, and nothing was graded or saved: keep questions of "
        f"your own in another nbgrader course, as {GUIDE} says in “You have an nbgrader course "
        "already”."
    )


def steps_of(notebook: NotebookNode) -> tuple[CodeCell, ...]:
    """The code cells of a rebuilt notebook, in order, as the steps of a job."""
    return tuple(
        CodeCell(
            cell.source,
            cell.metadata.nbgrader.grade_id if is_solution(cell) else "",
            check_of(cell),
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    )


def check_of(cell: NotebookNode) -> Check | None:
    """The check of a test cell: `check("tensors.move_batch", move_batch)`. None if it has none."""
    if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
        return None
    try:
        (statement,) = ast.parse(cell.source).body
    except (SyntaxError, ValueError):
        return None
    match statement:
        case ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(str(name)), ast.Name(answer)], [])):
            return Check(name, answer, float(cell.metadata.nbgrader.points))
    return None
