"""An nbgrader course: its folders and settings, and its released assignments."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute
from nbgrader.utils import find_all_files, is_grade, is_solution, is_task
from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

from course_grading.job import Check, CodeCell, GradingSettings, Job, TimeLimits
from course_grading.results import Graded
from course_grading.sandbox import Level, Limits
from course_notebooks.reading import LARGEST
from course_notebooks.release import released_notebook
from course_notebooks.source import read_built
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_utils.nearest import sentence, suggestion

SETTINGS = "nbgrader_config.py"

Cell = tuple[str, str]
"""The name of a notebook, and the grade_id of a cell in it."""


@dataclass(frozen=True)
class NbgraderCourse:
    """An nbgrader course. config: the settings of its nbgrader_config.py."""

    root: Path
    config: Config
    directory: CourseDirectory

    @classmethod
    def open(cls, root: Path, db_url: str = "") -> "NbgraderCourse":
        """The course in `root`. Raises CourseError if there is none."""
        try:
            config = PyFileConfigLoader(SETTINGS, path=str(root)).load_config()
        except ConfigFileNotFound:
            raise CourseError(
                f"{root} is not an nbgrader course. Name the folder with {SETTINGS}, as in "
                "`course grade 02_tensors --course assignments`."
            ) from None
        except Exception as error:  # its code can raise any error
            raise CourseError(
                f"{root / SETTINGS} cannot be used ({type(error).__name__}: {error}). Correct it."
            ) from error
        config.CourseDirectory.root = str(root)
        if db_url:
            config.CourseDirectory.db_url = db_url
        return cls(root, config, CourseDirectory(config=config))

    @property
    def own(self) -> Path:
        """The folder for the journal and unfinished work of grading."""
        return self.root / ".grading"

    def place(self, step: str, student: str, assignment: str) -> Path:
        """A folder of nbgrader's, as in `place("submitted", "ada", "02_tensors")`."""
        folder = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(folder, student, assignment))


@dataclass(frozen=True)
class ReleasedNotebook:
    """A notebook as it was released to students.

    source: the instructor's notebook, with solutions and hidden tests.
    prefix: the begin of the names of its own questions, if an assignment has several notebooks.
    """

    name: str
    notebook: NotebookNode
    source: NotebookNode
    prefix: str = ""

    @cached_property
    def checks(self) -> dict[str, Check]:
        """grade_id of a test cell → its check."""
        return {
            cell.metadata.nbgrader.grade_id: check
            for cell in self.notebook.cells
            if (check := check_of(cell)) is not None
        }

    @cached_property
    def tests(self) -> dict[str, str]:
        """grade_id → the whole text of a test of the instructor's own, with its hidden tests."""
        tests = filter(is_test, self.source.cells)
        return {cell.metadata.nbgrader.grade_id: cell.source for cell in tests}

    @cached_property
    def questions(self) -> dict[str, str]:
        """grade_id of a graded cell → the exercise that it checks, or its name as a question."""
        return {
            name: self.checks[name].exercise if name in self.checks else self.prefix + name
            for name in self.points
        }

    @cached_property
    def points(self) -> dict[str, float]:
        """grade_id of a graded cell → its points."""
        return {
            cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
            for cell in self.notebook.cells
            if is_graded(cell)
        }


@dataclass(frozen=True)
class ReleasedAssignment:
    """An assignment as it was released to students. digest: a hash of all that decides its grades.

    files: path → content of the other files in source/, which its cells may read.
    seconds: the limit for a cell beside own tests, of processor time: nbgrader's `Execute.timeout`.
    doubts: own test → why it cannot be trusted, so that it is held for everybody.
    told: line, source and reason of each flag of the notebooks in source/: the tests cause those.
    """

    name: str
    notebooks: tuple[ReleasedNotebook, ...]
    digest: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0
    doubts: Mapping[str, str] = field(default_factory=dict)
    told: frozenset[tuple[int, str, str]] = frozenset()

    @classmethod
    def of(cls, course: NbgraderCourse, name: str) -> "ReleasedAssignment":
        """The assignment `name`. Raises CourseError if it is missing or cannot be graded here."""
        folder = course.place("source", ".", name)
        places = sorted(folder.glob("*.ipynb"))
        if not places:
            there = sorted(each.name for each in folder.parent.glob("*") if each.is_dir())
            missing = f"There is no notebook in {folder}; {suggestion(name, there)}"
            raise CourseError(sentence(missing))
        notebooks = []
        for place in places:
            source = read_built(place)
            _refuse_foreign(name, place, source)
            released = released_notebook(place, course.config)
            prefix = f"{place.stem}/" if len(places) > 1 else ""
            notebooks.append(ReleasedNotebook(place.stem, released, source, prefix))
        files = _files_of(course, folder)
        seconds = float(Execute(config=course.config).timeout or 30)
        decides = [(each.name, nbformat.writes(each.notebook), each.tests) for each in notebooks]
        whole = repr((decides, sorted(files.items()), seconds))
        digest = hashlib.sha256(whole.encode()).hexdigest()
        return cls(name, tuple(notebooks), digest, files, seconds)

    def settings(self, hidden: str, level: Level) -> GradingSettings:
        """The settings of a run. With own tests, a cell has the time that nbgrader gives it."""
        if not self.tests:
            return GradingSettings(hidden, level)
        limits = Limits(cpu_seconds=int(10 * self.seconds))
        return GradingSettings(hidden, level, limits, TimeLimits(self.seconds))

    def points(self, graded: Graded) -> dict[Cell, float | None]:
        """The points of a submission, by cell."""
        found = {verdict.exercise: verdict.points for verdict in graded.verdicts}
        return {cell: found[name] for cell, name in self.questions.items()}

    def prefix(self, notebook: str) -> str:
        """The begin of the names of a notebook's own questions."""
        return next(each.prefix for each in self.notebooks if each.name == notebook)

    def job(
        self,
        student: str,
        notebooks: Iterable[NotebookNode],
        held: Mapping[str, str],
        files: Mapping[str, bytes],
    ) -> Job:
        """The job of a submission. notebooks: rebuilt, in the order of the released ones."""
        parts = zip(self.notebooks, notebooks, strict=True)
        first, *more = (steps_of(notebook, released.prefix) for released, notebook in parts)
        return Job(student, self.name, first, held, files, tuple(more))

    def own_job(self) -> Job:
        """The notebooks in source/ as a job that runs its own tests."""
        held = {check.exercise: "not asked" for check in self.checks}
        return self.job("source", (each.source for each in self.notebooks), held, self.files)

    @cached_property
    def tests(self) -> tuple[str, ...]:
        """The names of the instructor's own tests."""
        return tuple(each.prefix + name for each in self.notebooks for name in each.tests)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The checks of exercises."""
        return tuple(check for each in self.notebooks for check in each.checks.values())

    @cached_property
    def questions(self) -> dict[Cell, str]:
        """Graded cell → the exercise that it checks, or its name as a question."""
        return {
            (each.name, cell): name
            for each in self.notebooks
            for cell, name in each.questions.items()
        }


def _refuse_foreign(name: str, source: Path, notebook: NotebookNode) -> None:
    """Raise CourseError for another assignment's checks, an id used twice, another language."""
    owner = {ex.name: each.name for each in load_manifest().assignments for ex in each.exercises}
    checks = [check for cell in notebook.cells if (check := check_of(cell)) is not None]
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    twice = ", ".join(name for name, times in Counter(names).items() if name and times > 1)
    language = notebook.metadata.get("kernelspec", {}).get("language", "python")
    if foreign := [each.exercise for each in checks if owner.get(each.exercise) != name]:
        why = f"has checks of exercises that belong to other assignments: {', '.join(foreign)}."
        why += f" Remove them, or put your questions into source/{owner.get(foreign[0], 'OTHER')}."
    elif twice:
        why = f"has several cells with the id {twice}. Give each cell a separate id."
    elif language != "python":
        why = f"is a notebook in {language}. Only Python is graded here."
    else:
        return
    raise CourseError(f"{source} {why} Nothing was graded or saved.")


def _files_of(course: NbgraderCourse, folder: Path) -> dict[str, bytes]:
    """Path → content of an assignment's other files. nbgrader copies them beside a submission."""
    patterns = [*course.directory.ignore, "*.ipynb"]
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in map(Path, find_all_files(str(folder), patterns))
    }
    if sum(map(len, found.values())) > LARGEST:
        raise CourseError(
            f"{folder} has more than {LARGEST >> 20} MB of files besides its notebook. "
            "Make them smaller: each submission gets a copy."
        )
    return found


def steps_of(notebook: NotebookNode, prefix: str = "") -> tuple[CodeCell, ...]:
    """The code cells of a rebuilt notebook, in order. prefix: that of the names of own tests."""
    return tuple(
        CodeCell(
            cell.source,
            cell.metadata.nbgrader.grade_id if is_solution(cell) else "",
            check_of(cell),
            prefix + cell.metadata.nbgrader.grade_id if is_own(cell) else "",
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    )


def is_graded(cell: NotebookNode) -> bool:
    """Whether a cell has points."""
    return bool(is_grade(cell) or is_task(cell))


def is_own(cell: NotebookNode) -> bool:
    """Whether it is a graded cell of the instructor's own."""
    return is_graded(cell) and check_of(cell) is None


def is_test(cell: NotebookNode) -> bool:
    """Whether it is a test of the instructor's own, which nbgrader scores by its outputs."""
    return cell.cell_type == "code" and is_own(cell) and not is_solution(cell)


def check_of(cell: NotebookNode) -> Check | None:
    """The check in a test cell, as in `check("tensors.move_batch", move_batch)`; else None."""
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
