"""`course grade --demo`: a class made of the known answers, graded for a person to look at.

What each known answer meets, `course verify` proves; here is what only the way through nbgrader
can show.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_grading.run.command import Options, grade_class
from course_utils.checking.exercises import place_of
from course_utils.console import silent
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, load_manifest
from exercise_kit.corpus import known_answers
from exercise_kit.reference import reference

COURSE_ID = "on_the_right_device"
SYNTAX_ERROR = "def broken(:\n    return\n"
ENDLESS_LOOP = "while True:\n    pass\n"
TOO_LONG = "endless_loop"  # whose grading takes until its time is up
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
    """What one student hands in.

    cells: the text of solution cells, by exercise; the others stay as released.
    dropped: the grade_ids of cells that the student deleted.
    right: the exercises that must get their points; every other one must get 0.
    """

    student: str
    cells: Mapping[str, str]
    right: frozenset[str]
    dropped: frozenset[str] = field(default_factory=frozenset)

    def fill_in(self, released: NotebookNode) -> NotebookNode:
        """The released notebook as this student hands it in."""
        notebook = nbformat.from_dict(released)
        kept = []
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if grade_id in self.dropped:
                continue
            cell.source = self.cells.get(grade_id, cell.source)
            kept.append(cell)
        notebook.cells = kept
        return notebook

    def expected_grades(self, assignment: Assignment) -> dict[str, int]:
        """Points by exercise."""
        return {
            exercise.short: exercise.points if exercise.short in self.right else 0
            for exercise in assignment.exercises
        }


def make_class(root: Path, assignment: Assignment) -> list[Submission]:
    """All right, all wrong, a right one that makes a noise; and the accidents of a real class."""
    folders = {exercise.short: place_of(root, exercise.name) for exercise in assignment.exercises}
    names = list(folders)
    right = {name: reference(place) for name, place in folders.items()}
    accepted, wrong = (
        {name: known_answers(place, kind)[0].source for name, place in folders.items()}
        for kind in ("accepted", "wrong")
    )
    every = frozenset(names)
    first, second, *rest = names
    half = names[: len(names) // 2]
    return [
        Submission("full", right, every),
        Submission("wrong", wrong, frozenset()),
        Submission("noisy", {name: right[name] + _noisy(name) for name in names}, every),
        Submission("accepted", accepted, every),
        Submission("partial", {name: right[name] for name in half}, frozenset(half)),
        Submission("empty", {}, frozenset()),
        Submission("syntax_error", right | {first: SYNTAX_ERROR}, every - {first}),
        Submission(TOO_LONG, right | {second: ENDLESS_LOOP}, every - {second}),
        Submission("lost_check", right, every, frozenset({f"{first}_check"})),
        Submission("lost_answer", right, every - {rest[-1]}, frozenset({rest[-1]})),
    ]


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


class Road:
    """An nbgrader course in `folder`: `folder`/course and /exchange.

    Each step runs nbgrader's own command and raises CourseError, with the end of its log, if
    that command fails.
    """

    def __init__(self, folder: Path, assignments: Path, assignment: str) -> None:
        self.course, self.exchange = folder / "course", folder / "exchange"
        self.assignment = assignment
        self.course.mkdir(parents=True)
        self.exchange.mkdir(mode=0o777)
        self.exchange.chmod(0o777)  # whatever the umask; nbgrader insists
        shutil.copy(assignments / "nbgrader_config.py", self.course)
        shutil.copytree(assignments / "source", self.course / "source")

    def generate(self) -> Path:
        """Generate the assignment. Returns the notebook that is to be released."""
        self.nbgrader("generate_assignment", self.assignment)
        return self.course / "release" / self.assignment / f"{self.assignment}.ipynb"

    def hand_in(self, submissions: Iterable[Submission], released: Path) -> None:
        """Put the submissions where `submit` and `collect` would bring them."""
        notebook = nbformat.read(released, as_version=4)
        for submission in submissions:
            place = self.course / "submitted" / submission.student / self.assignment
            place.mkdir(parents=True)
            nbformat.write(submission.fill_in(notebook), place / released.name)

    def nbgrader(self, *arguments: str, cwd: Path | None = None) -> None:
        """Run a command of nbgrader's, in the course if no other folder is named."""
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
        if done.returncode:
            log = (done.stdout + done.stderr)[-3000:]
            raise CourseError(f"`nbgrader {' '.join(arguments)}` failed:\n{log}")


def grade_demo(
    root: Path,
    name: str,
    folder: Path | None,
    say: Callable[[str], None],
    doing: Callable[..., None] = silent,
) -> None:
    """Take a class down the road, and say each grade beside the expected one.

    Raises CourseError if `folder` is not empty or cannot be made, if a step fails, or if a grade
    differs.
    """
    assignment = load_manifest(root / "course.toml").assignment(name)
    folder = (folder or Path(tempfile.mkdtemp(prefix="grade-demo-"))).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name another folder for the demo.")
    try:
        road = Road(folder, root / "assignments", name)
    except OSError as error:
        raise CourseError(
            f"{folder} cannot be used ({error.strerror}): name another folder for the demo."
        ) from error
    doing("Making a class of the known answers")
    submissions = [each for each in make_class(root, assignment) if each.student != TOO_LONG]
    say(f"{name}: {len(submissions)} submissions, {assignment.points} points, in {road.course}")
    doing("Making the release with nbgrader")
    road.hand_in(submissions, road.generate())
    report = grade_class(Options(name, road.course), say)
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
        "To look at them in nbgrader's formgrader: with the environment active\n"
        "(`source .venv/bin/activate`), run `jupyter lab` in the folder\n"
        f"  {road.course}\n"
        "and choose Nbgrader > Formgrader in the menu, then Manual Grading."
    )
    if wrong:
        raise CourseError(f"{wrong} grades differ from what the known answers must get.")
