"""`course submit`: what will be graded, and the notebook where those who grade it look for it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from nbformat import NotebookNode

from course_notebooks.safe_files import alone, explained, put_beside, replace_file
from course_notebooks.source import write_notebook
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, ExerciseEntry, load_manifest
from course_workspace.carried import carry
from course_workspace.deliveries import Deliveries
from course_workspace.exchange import find_exchange
from course_workspace.files import OLD, same_work
from course_workspace.notebooks import base_of, read_notebook
from course_workspace.repair import Diagnosis, diagnose
from course_workspace.trial import Trial, try_out
from exercise_kit.corpus import class_name

_FOLDER = "handed_in"

State = Literal["passes", "fails", "open", "lost", "unchecked"]
_TOLD: dict[State, tuple[str, str]] = {
    "passes": ("✓", "passes here"),
    "fails": ("✗", "does not pass yet"),
    "open": ("○", "not attempted"),
    "lost": ("?", "cannot be found"),
    "unchecked": ("?", "could not be checked here"),
}
_OUTCOMES: dict[str | None, tuple[State, str]] = {
    None: ("fails", "its check did not come to an end, or its cell does not run"),
    "Passed": ("passes", ""),
    "NotAttempted": ("open", ""),
    "CouldNotGrade": ("unchecked", "ask your instructor; this is not your mistake"),
    "TimedOut": ("fails", "it takes too long"),
    "Raised": ("fails", "it raises an error"),
}


@dataclass(frozen=True)
class Standing:
    """What would become of an exercise. why: more about it, or ""."""

    exercise: ExerciseEntry
    state: State
    why: str = ""

    @property
    def points(self) -> int:
        """The points that it would get as it is."""
        return self.exercise.points if self.state == "passes" else 0

    def line(self) -> str:
        """The line that tells it: a mark, the name, the points, and words."""
        mark, words = _TOLD[self.state]
        share = f"{self.points} of {self.exercise.points}"
        why = f": {self.why}" if self.why else ""
        return f"  {mark} {self.exercise.name:<34} {share:>8} points  {words}{why}"


@dataclass(frozen=True)
class PreparedSubmission:
    """A notebook that may be handed in: the learner's copy, or that copy repaired.

    standings: None where nothing was checked.
    """

    assignment: Assignment
    notebook: NotebookNode
    diagnosis: Diagnosis
    standings: tuple[Standing, ...]
    stopped: str = ""

    @property
    def lost(self) -> list[Standing]:
        """The exercises whose answers grading would not find."""
        return [each for each in self.standings if each.state == "lost"]

    def lines(self) -> list[str]:
        """What a learner should know before handing it in."""
        points = sum(each.points for each in self.standings)
        lines = [
            f"{self.assignment.name}, checked here on the public cases; grading runs them "
            "again with other values:"
        ]
        lines += [each.line() for each in self.standings]
        lines.append(f"{points} of {self.assignment.points} points so far.")
        if self.stopped:
            lines.append(self.stopped)
        if self.diagnosis.found:
            right = "Put right in what is handed in; your own file stays as it is"
            lines.append(f"{'Found' if self.lost else right}:")
            lines += [f"  {sentence}" for sentence in self.diagnosis.found]
        return [*lines, *self.diagnosis.notes]


def prepare_submission(
    root: Path, workspace: Path, name: str, doing: Callable[[str], None]
) -> PreparedSubmission:
    """Look at the learner's copy of an assignment, and run its checks in a process of its own.

    Raises CourseError if there is no such assignment or copy, or if it cannot be read at all.
    """
    assignment = load_manifest(root / "course.toml").find(name).only_assignment()
    diagnosis = diagnose(root, workspace, assignment.name)
    if diagnosis.carried is None:
        raise CourseError(f"{diagnosis.path}: {' '.join(diagnosis.left)}")
    # Where an answer is lost, whoever grades has to see the notebook as it is: in one that is put
    # right, the exercise would look as if it had not been begun.
    notebook = None if diagnosis.carried.held else diagnosis.repaired
    notebook = notebook or read_notebook(diagnosis.before, diagnosis.path)
    released = base_of(root, Deliveries.read(workspace), diagnosis.path, diagnosis.before)
    assert released is not None  # as of every assignment
    unanswered = carry(notebook, released, released).open
    trial = Trial()
    if checks := _begun(assignment, notebook, released, unanswered):
        doing("Running the notebook")
        trial = try_out(read_notebook(write_notebook(notebook), diagnosis.path), checks, doing)
    standings = tuple(
        _standing(each, trial, each.short in unanswered, diagnosis.carried.held.get(each.short))
        for each in assignment.exercises
    )
    return PreparedSubmission(assignment, notebook, diagnosis, standings, trial.stopped)


def hand_in(
    workspace: Path, submission: PreparedSubmission, course: str = "", *, anyway: bool = False
) -> list[str]:
    """Give the notebook to nbgrader's exchange where there is one, else make a file to upload.

    course: nbgrader's name for the course, if its configuration does not tell.
    anyway: also where an answer cannot be found, so that a person must look for it.

    Says in sentences what was done. Raises CourseError if an answer cannot be found, and if the
    exchange or the disk does not take it.
    """
    if submission.lost and not anyway:
        names = ", ".join(each.exercise.name for each in submission.lost)
        raise CourseError(
            f"Nothing was handed in, since grading would not find {names}: put each "
            "answer into its exercise's own cell, or add --anyway, and your "
            "instructor has to look for it."
        )
    data, name = write_notebook(submission.notebook), submission.assignment.name
    if exchange := find_exchange(workspace, course):
        return [f"Handed in through nbgrader: {exchange.submit(workspace, name, data)}."]
    path = f"{_FOLDER}/{name}.ipynb"
    file = workspace / path
    with alone(workspace), explained(file):
        before = file.read_bytes() if file.is_file() else b""
        if before and same_work(before, data):
            made = datetime.fromtimestamp(file.stat().st_mtime).strftime("%-d %B %Y, %H:%M")
            return [
                f"{path} is what you would hand in: it was made on {made}, and nothing has "
                "changed since."
            ]
        if before:
            put_beside(file, OLD, before)
        replace_file(file, data)
    return [f"Made {path}: upload this file, under this name, where your course collects it."]


def _begun(
    assignment: Assignment,
    notebook: NotebookNode,
    released: NotebookNode,
    unanswered: Sequence[str],
) -> set[str]:
    """The exercises that are answered, or named in any code of the learner's: those to check."""
    ours = {cell.source for cell in released.cells}
    written = {cell.source for cell in notebook.cells if cell.cell_type == "code"} - ours
    words = set(re.findall(r"\w+", "\n".join(written)))
    return {
        short
        for short in (each.short for each in assignment.exercises)
        if short not in unanswered or words & {short, class_name(short)}
    }


def _standing(
    exercise: ExerciseEntry, trial: Trial, unanswered: bool, held: str | None
) -> Standing:
    outcome = trial.outcomes.get(exercise.name)
    if held is not None:
        return Standing(exercise, "lost", held.partition(": ")[2].rstrip("."))
    if unanswered and outcome != "Passed":
        return Standing(exercise, "open")
    return Standing(exercise, *_OUTCOMES.get(outcome, ("fails", "")))
