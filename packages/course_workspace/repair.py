"""`course doctor NOTEBOOK`: what is wrong with a learner's notebook, and putting it right."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from course_notebooks.matching import grade_id
from course_notebooks.reading import read_bounded
from course_notebooks.safe_files import alone, put_beside, replace_file
from course_notebooks.source import write_notebook
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, load_manifest
from course_utils.words import listed
from course_workspace.carried import Carried, carry
from course_workspace.deliveries import Deliveries
from course_workspace.files import OLD, assignment_file, files_called, read_copy, require_unsaved
from course_workspace.notebooks import base_of, read_notebook, salvage

RELOAD = (
    "If it is open in JupyterLab, its tab shows this when you come back to it. Where it does not, "
    "something there was not saved: choose File → Reload Notebook from Disk before you save."
)
_MOST_BESIDE = 8  # other notebooks in the folder that are looked into


@dataclass
class Diagnosis:
    """What is the matter with the notebook at `path`.

    target: where it belongs; both are relative to the workspace.
    found: what can be repaired, in sentences; left: what only the learner can put right.
    notes: what is worth knowing, and is no fault.
    repaired: the notebook as it would be; None if there is nothing to fix, or no way to.
    before: the bytes at `path`.
    carried: of a notebook of the course, a fresh one with what the learner wrote.
    """

    path: str
    target: str
    before: bytes = b""
    found: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    repaired: NotebookNode | None = None
    carried: Carried | None = None

    def lines(self) -> list[str]:
        """What a learner should read."""
        if not self.found and not self.left:
            return [f"{self.path}: all is well.", *self.notes]
        what = "found, and how each is put right" if self.found else "found"
        lines = [f"{self.path}: {what}:"]
        lines += [f"  ✗ {sentence}" for sentence in (*self.found, *self.left)]
        return [*lines, *self.notes]


def diagnose(root: Path, workspace: Path, name: str) -> Diagnosis:
    """Look at the learner's copy of an assignment or a lesson, or at a notebook by its path.

    Raises CourseError if there is no such notebook.
    """
    record = Deliveries.read(workspace)
    path = _path(root, workspace, name)
    data = _read(root, workspace, path)
    diagnosis = Diagnosis(path, path, data)
    mine = _read_or_salvage(workspace, diagnosis)
    if mine is None:
        return diagnosis
    if assignment := _assignment(root, path, mine):
        diagnosis.target = assignment_file(assignment)
    released = base_of(root, record, diagnosis.target, data)
    if released is None:
        diagnosis.repaired = mine if diagnosis.found else None
        return diagnosis
    carried = diagnosis.carried = carry(mine, released, released)
    diagnosis.found += [*carried.repaired, *_marks(mine, released)]
    diagnosis.left += carried.unclear
    in_place = path == diagnosis.target or _examine_name(workspace, released, diagnosis)
    notebook = _with_answers_beside(workspace, released, carried, diagnosis)
    if diagnosis.found and in_place:
        diagnosis.repaired = notebook
        diagnosis.notes += filter(None, [carried.left_out])
    new = record.entry(diagnosis.target).new
    if new and (workspace / new).is_file():
        diagnosis.notes.append(f"A new version of it is there: {new}.")
    return diagnosis


def _marks(mine: NotebookNode, released: NotebookNode) -> Iterator[str]:
    """A sentence on nbgrader's notes, where they are not with each cell as the course gave them."""
    wrong = []
    names = {name: cell for cell in released.cells if (name := grade_id(cell))}
    for name, cell in names.items():
        there = [each for each in mine.cells if name in (grade_id(each), each.get("id"))]
        there = there or [each for each in mine.cells if each.source == cell.source]
        if there and [each.metadata.get("nbgrader") for each in there] != [cell.metadata.nbgrader]:
            wrong.append(name)
    if wrong:
        yield f"nbgrader's notes on these cells are lost, changed or there twice: {listed(wrong)}."


def repair(workspace: Path, diagnosis: Diagnosis) -> list[str]:
    """Write the repaired notebook; the former file stays beside it. Says in sentences what was done.

    Raises CourseError if the notebook has changed since, or cannot be written.
    """
    if diagnosis.repaired is None:
        return []
    content, target = write_notebook(diagnosis.repaired), workspace / diagnosis.target
    with alone(workspace):
        require_unsaved(workspace, diagnosis.path, diagnosis.before)
        former = [workspace / diagnosis.path] if diagnosis.path != diagnosis.target else []
        if target.is_file():
            former.append(put_beside(target, OLD, read_copy(workspace, diagnosis.target)))
        replace_file(target.resolve(), content)
    kept = listed(file.relative_to(workspace).as_posix() for file in former)
    return [f"Repaired: {diagnosis.target}. What was there is in {kept}.", RELOAD]


def _path(root: Path, workspace: Path, name: str) -> str:
    given = Path(name)
    if given.suffix == ".ipynb" and given.is_file():
        if not given.resolve().is_relative_to(workspace.resolve()):
            raise CourseError(
                f"{name} is not in your workspace, {workspace}: copy it into the "
                "folder of its assignment there."
            )
        return given.resolve().relative_to(workspace.resolve()).as_posix()
    return files_called(root, workspace, name)[-1]  # of a number, the assignment


def _read(root: Path, workspace: Path, path: str) -> bytes:
    file = workspace / path
    if not file.is_file():
        others = [other.name for other in _beside(file)]
        hint = (
            f"but {' and '.join(others)} is in its folder: name that one, as in "
            f"`course doctor {path.rpartition('/')[0]}/{others[0]}`"
            if others
            else "`course lab` puts it there"
        )
        raise CourseError(f"{path} is missing, {hint}.")
    return read_bounded(file)


def _read_or_salvage(workspace: Path, diagnosis: Diagnosis) -> NotebookNode | None:
    """The notebook, or what can be read of it."""
    try:
        return read_notebook(diagnosis.before, diagnosis.path)
    except CourseError:
        pass
    found = salvage(diagnosis.before)
    saved = _checkpoint(workspace / diagnosis.path)
    if found is not None:
        notebook, whole = found
        what = "all of its cells could be read" if whole else "a cell is cut off"
        diagnosis.found.append(
            f"The file is damaged: {what}, and {len(notebook.cells)} "
            "cells are put into a whole one."
        )
        if not whole and saved is not None:
            diagnosis.notes.append(
                "JupyterLab kept an earlier state in .ipynb_checkpoints, beside "
                "the notebook; look there for what is missing."
            )
        return notebook
    if saved is not None:
        diagnosis.found.append(
            "Nothing in the file can be read. JupyterLab's checkpoint, an "
            "earlier state, can take its place."
        )
        return saved
    diagnosis.left.append(
        "Nothing in the file can be read, and there is no earlier state of it. Rename it; "
        "`course lab` then puts a new one there."
    )
    return None


def _checkpoint(file: Path) -> NotebookNode | None:
    saved = file.parent / ".ipynb_checkpoints" / f"{file.stem}-checkpoint.ipynb"
    try:
        return read_notebook(read_bounded(saved), saved.name)
    except CourseError:
        return None


def _assignment(root: Path, path: str, mine: NotebookNode) -> Assignment | None:
    """The assignment that a notebook is: by its place, or else by its exercises."""
    assignments = load_manifest(root / "course.toml").assignments
    for each in assignments:
        if path == assignment_file(each):
            return each
    names = set(filter(None, map(grade_id, mine.cells)))
    shared = {each: len(names & {e.short for e in each.exercises}) for each in assignments}
    best = max(shared, key=lambda each: shared[each], default=None)
    return best if best and shared[best] else None


def _examine_name(workspace: Path, released: NotebookNode, diagnosis: Diagnosis) -> bool:
    """Can the notebook take the place that is its own?"""
    target = workspace / diagnosis.target
    if target.is_file():
        try:
            there = read_notebook(read_bounded(target), target.name)
        except CourseError:
            diagnosis.left.append(f"{diagnosis.target} is damaged: fix that one first.")
            return False
        if carry(there, released, released).answered:
            diagnosis.left.append(
                f"Only {diagnosis.target} is handed in, and there are answers in that one, too: "
                "copy over what you need, then delete this one."
            )
            return False
    diagnosis.found.append(f"It was renamed: only {diagnosis.target} is handed in.")
    return True


def _with_answers_beside(
    workspace: Path, released: NotebookNode, carried: Carried, diagnosis: Diagnosis
) -> NotebookNode:
    """The notebook, with answers that only another copy in its folder has."""
    notebook, missing = carried.notebook, set(carried.open) - carried.held.keys()
    for file in _beside(workspace / diagnosis.path)[:_MOST_BESIDE]:
        if file == workspace / diagnosis.target or f".{OLD}" in file.stem:
            continue
        try:
            mine = read_notebook(read_bounded(file), file.name)
        except CourseError:
            continue
        other = carry(mine, released, released)
        for name in sorted(missing.intersection(other.answered)):
            missing.discard(name)
            cell, source = _named(notebook, name), _named(other.notebook, name).source
            cell.source, cell.outputs = source, []
            diagnosis.found.append(f"{name} has no answer here, and one in {file.name}.")
    return notebook


def _named(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if grade_id(cell) == name)


def _beside(file: Path) -> list[Path]:
    """The other notebooks in the folder, as copies, and the conflicts of synchronised folders."""
    return sorted(other for other in file.parent.glob("*.ipynb") if other != file)
