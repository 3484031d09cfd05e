"""`course doctor NOTEBOOK`: the problems of a learner's notebook, and their repair."""

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
    "If it is open in JupyterLab, go back to its tab: it shows the change. If it does not, the "
    "tab has unsaved changes: choose File → Reload Notebook from Disk before you save."
)
_MOST_BESIDE = 8  # other notebooks in the folder that are read


@dataclass
class Diagnosis:
    """The problems of the notebook at `path`.

    target: the path that it should have; both are relative to the workspace.
    found: problems that can be repaired, in sentences; left: problems that only the learner can.
    notes: other facts for the learner, in sentences.
    repaired: the repaired notebook; None if there is nothing to repair, or no way to.
    before: the bytes at `path`.
    carried: for a notebook of the course: a fresh one with the learner's work.
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
        """The text for the learner, line by line."""
        if not self.found and not self.left:
            return [f"{self.path}: no problems found.", *self.notes]
        lines = [f"{self.path}: problems found:"]
        lines += [f"  ✗ {sentence}" for sentence in (*self.found, *self.left)]
        return [*lines, *self.notes]


def diagnose(root: Path, workspace: Path, name: str) -> Diagnosis:
    """The problems of a learner's copy of an assignment or lesson, or of a notebook by its path.

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
        diagnosis.notes.append(f"There is a new version of it: {new}.")
    return diagnosis


def _marks(mine: NotebookNode, released: NotebookNode) -> Iterator[str]:
    """A sentence on nbgrader's metadata, if a cell does not have it as the course gave it."""
    wrong = []
    names = {name: cell for cell in released.cells if (name := grade_id(cell))}
    for name, cell in names.items():
        there = [each for each in mine.cells if name in (grade_id(each), each.get("id"))]
        there = there or [each for each in mine.cells if each.source == cell.source]
        if there and [each.metadata.get("nbgrader") for each in there] != [cell.metadata.nbgrader]:
            wrong.append(name)
    if wrong:
        yield (
            "nbgrader's metadata of these cells is missing, changed or duplicated: "
            f"{listed(wrong)}."
        )


def repair(workspace: Path, diagnosis: Diagnosis) -> list[str]:
    """Write the repaired notebook, and keep the old file. Returns sentences on what was done.

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
    return [f"Repaired: {diagnosis.target}. The old file is kept as {kept}.", RELOAD]


def _path(root: Path, workspace: Path, name: str) -> str:
    given = Path(name)
    if given.suffix == ".ipynb" and given.is_file():
        if not given.resolve().is_relative_to(workspace.resolve()):
            raise CourseError(
                f"{name} is not in your workspace, {workspace}. Copy it into the "
                "folder of its assignment there."
            )
        return given.resolve().relative_to(workspace.resolve()).as_posix()
    return files_called(root, workspace, name)[-1]  # a number means the assignment


def _read(root: Path, workspace: Path, path: str) -> bytes:
    file = workspace / path
    if not file.is_file():
        others = [other.name for other in _beside(file)]
        hint = (
            f"Its folder has {' and '.join(others)}: run "
            f"`course doctor {path.rpartition('/')[0]}/{others[0]}`"
            if others
            else "Run `course lab` to restore it"
        )
        raise CourseError(f"{path} is missing. {hint}.")
    return read_bounded(file)


def _read_or_salvage(workspace: Path, diagnosis: Diagnosis) -> NotebookNode | None:
    """The notebook, or the readable part of it; None if no part is."""
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
            f"The file is damaged: {what}. The repaired file has {len(notebook.cells)} cells."
        )
        if not whole and saved is not None:
            diagnosis.notes.append(
                "JupyterLab saved an earlier state in .ipynb_checkpoints, next to "
                "the notebook. Look there for the missing part."
            )
        return notebook
    if saved is not None:
        diagnosis.found.append(
            "No cell in the file can be read. JupyterLab's checkpoint, an "
            "earlier state, can replace it."
        )
        return saved
    diagnosis.left.append(
        "No cell in the file can be read, and there is no earlier state of it. Rename it; "
        "`course lab` then makes a new one."
    )
    return None


def _checkpoint(file: Path) -> NotebookNode | None:
    saved = file.parent / ".ipynb_checkpoints" / f"{file.stem}-checkpoint.ipynb"
    try:
        return read_notebook(read_bounded(saved), saved.name)
    except CourseError:
        return None


def _assignment(root: Path, path: str, mine: NotebookNode) -> Assignment | None:
    """The assignment of a notebook, found by its path or else by its exercises; None if none."""
    assignments = load_manifest(root / "course.toml").assignments
    for each in assignments:
        if path == assignment_file(each):
            return each
    names = set(filter(None, map(grade_id, mine.cells)))
    shared = {each: len(names & {e.short for e in each.exercises}) for each in assignments}
    best = max(shared, key=lambda each: shared[each], default=None)
    return best if best and shared[best] else None


def _examine_name(workspace: Path, released: NotebookNode, diagnosis: Diagnosis) -> bool:
    """Whether the notebook can move to the path that it should have; adds what prevents it."""
    target = workspace / diagnosis.target
    if target.is_file():
        try:
            there = read_notebook(read_bounded(target), target.name)
        except CourseError:
            diagnosis.left.append(f"{diagnosis.target} is damaged. Repair that file first.")
            return False
        if carry(there, released, released).answered:
            diagnosis.left.append(
                f"Only {diagnosis.target} is handed in, and that file has answers, too. "
                "Copy what you need into it, then delete this file."
            )
            return False
    diagnosis.found.append(f"The file was renamed: only {diagnosis.target} is handed in.")
    return True


def _with_answers_beside(
    workspace: Path, released: NotebookNode, carried: Carried, diagnosis: Diagnosis
) -> NotebookNode:
    """The notebook, with answers added that only another copy in its folder has."""
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
            diagnosis.found.append(f"{name} has no answer here, but one in {file.name}.")
    return notebook


def _named(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if grade_id(cell) == name)


def _beside(file: Path) -> list[Path]:
    """The other notebooks in the folder: copies, and conflict files of synchronised folders."""
    return sorted(other for other in file.parent.glob("*.ipynb") if other != file)
