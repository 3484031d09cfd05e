"""`course reset EXERCISE`: an exercise's cell has its starting text again; the answer is kept."""

from dataclasses import dataclass
from pathlib import Path

from course_notebooks.matching import grade_id
from course_notebooks.safe_files import alone, put_beside, replace_file
from course_notebooks.source import write_notebook
from course_utils.errors import CourseError
from course_utils.manifest import ExerciseEntry, load_manifest
from course_workspace.deliveries import Deliveries
from course_workspace.files import OLD, assignment_file, read_copy, require_unsaved
from course_workspace.notebooks import base_of, read_notebook
from course_workspace.repair import RELOAD


@dataclass(frozen=True)
class Reset:
    """What a reset would change. answer: what stands in the cell now; "" if it is as it began."""

    exercise: ExerciseEntry
    path: str
    before: bytes
    after: bytes
    answer: str


def plan_reset(root: Path, workspace: Path, name: str) -> Reset:
    """Raises CourseError if there is no such exercise, or if its cell is not one cell of code."""
    course = load_manifest(root / "course.toml")
    part = course.find(name)
    if len(part.exercises) != 1:
        example = part.exercises[0].name if part.exercises else "tensors.move_batch"
        raise CourseError(f"Name one exercise, as in `course reset {example}`.")
    exercise, assignment = part.exercises[0], part.only_assignment()
    path = assignment_file(assignment)
    before = read_copy(workspace, path)
    notebook = read_notebook(before, path)
    released = base_of(root, Deliveries.read(workspace), path, before)
    assert released is not None  # as of every assignment
    start = next(cell.source for cell in released.cells if grade_id(cell) == exercise.short)
    cells = [cell for cell in notebook.cells if grade_id(cell) == exercise.short]
    if len(cells) != 1 or cells[0].cell_type != "code":
        raise CourseError(
            f"The cell of {exercise.name} is not there once and as code: "
            f"`course doctor {assignment.name} --fix` puts that right."
        )
    answer = "" if cells[0].source == start else cells[0].source
    cells[0].source, cells[0].outputs, cells[0].execution_count = start, [], None
    return Reset(exercise, path, before, write_notebook(notebook), answer)


def reset(workspace: Path, plan: Reset) -> list[str]:
    """Carry it out; the answer is kept in a file beside. Says in sentences what was done.

    Raises CourseError if the notebook was saved meanwhile, or cannot be written.
    """
    with alone(workspace):
        require_unsaved(workspace, plan.path, plan.before)
        answer = (plan.answer.rstrip("\n") + "\n").encode()
        folder = (workspace / plan.path).parent
        kept = put_beside(folder / f"{plan.exercise.short}.py", OLD, answer)
        replace_file((workspace / plan.path).resolve(), plan.after)
    return [
        f"{plan.exercise.name} has its starting text again. "
        f"Your answer is in {kept.relative_to(workspace).as_posix()}.",
        RELOAD,
    ]
