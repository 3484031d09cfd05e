"""A graded notebook: its outputs, and its place in autograded/.

The outputs are verdicts in a form that nbgrader scores, and the outputs that students saved. They
contain no output of the graded run.
"""

import os
import shutil
from collections.abc import Mapping
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.utils import is_solution

from course_grading.results import Graded, Verdict
from course_grading.run.course import NbgraderCourse, ReleasedAssignment, is_graded
from course_notebooks.matching import grade_id
from course_notebooks.reading import parse_outputs, shown
from course_notebooks.rebuild import Rebuilt
from course_notebooks.safe_files import explained
from course_utils.checking.manual_grading import MIME

_GONE = "The cell of this answer is not in the file that you handed in, or it is empty."
UNREADABLE = (
    "Your file could not be read: mostly it is empty, damaged or missing. Open it in Jupyter, look "
    "whether your answers are in it, and send it again. If it looks right, ask your instructor."
)
"""What a feedback page says in place of answers."""


def show_saved(rebuilt: Rebuilt, submitted: NotebookNode) -> None:
    """Give each cell with a student's text the outputs that were submitted with this text.

    An answer whose cell is gone says so on the feedback page.
    """
    theirs = [cell for cell in submitted.cells if cell.source.strip()]
    there = {*map(grade_id, theirs), *(cell.get("id") for cell in theirs)}
    for cell in rebuilt.notebook.cells:
        place = rebuilt.origin.get(cell.id)
        if is_solution(cell) and place is None and there.isdisjoint((grade_id(cell), cell.id)):
            cell.metadata.course = {"missing": _GONE}
        elif cell.cell_type == "code" and place is not None:
            cell.outputs = submitted.cells[place].get("outputs", [])
            cell.metadata.course = {"as_submitted": True}


def show_results(
    notebooks: Mapping[str, NotebookNode], released: ReleasedAssignment, graded: Graded
) -> None:
    """Give each test cell of the rebuilt notebooks its verdict, or an own test its outputs."""
    verdicts = {verdict.exercise: verdict for verdict in graded.verdicts}
    for each in released.notebooks:
        for cell in notebooks[each.name].cells:
            if cell.cell_type != "code" or not is_graded(cell):
                continue
            verdict = verdicts[each.questions[cell.metadata.nbgrader.grade_id]]
            run = graded.runs.get(verdict.exercise)
            if is_solution(cell):  # a person grades it, by its outputs too
                cell.outputs = cell.outputs or (parse_outputs(run.outputs) if run else [])
                continue
            run = None if verdict.points is None else run
            cell.outputs = parse_outputs(run.outputs) if run else [_output(verdict)]
            cell.metadata.course = {"verdict": verdict.kind, "html": verdict.html}


def _output(verdict: Verdict) -> NotebookNode:
    if verdict.points is None:
        # Formgrader shows the whole output to the instructor; feedback shows only the verdict.
        reason = f"<p>For the instructor: {escape(shown(verdict.why))}</p>"
        data = {MIME: "held", "text/plain": verdict.text, "text/html": verdict.html + reason}
        return new_output("display_data", data=data)
    if verdict.kind == "passed":
        # nbgrader reads the points of a passed cell from this text (get_partial_grade).
        data = {"text/plain": f"{verdict.points:g}", "text/html": verdict.html}
        return new_output("execute_result", data=data)
    lines = verdict.text.splitlines()
    return new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)


def publish(
    course: NbgraderCourse,
    graded: Graded,
    notebooks: Mapping[str, NotebookNode],
    files: Mapping[str, bytes],
) -> None:
    """Put graded notebooks and their files into nbgrader's folder.

    They are written elsewhere first, then moved by one rename, so the folder is always complete.
    Raises CourseError if they cannot be written.
    """
    ids = graded.student, graded.assignment
    place = course.place("autograded", *ids)
    unfinished, replaced = (course.own.joinpath(name, *ids) for name in ("unfinished", "replaced"))
    with explained(place):
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for name, content in files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        stamp = course.place("submitted", *ids) / "timestamp.txt"
        if stamp.is_file() and not stamp.is_symlink():
            shutil.copyfile(stamp, unfinished / stamp.name)
        for name, notebook in notebooks.items():
            nbformat.write(notebook, unfinished / f"{name}.ipynb")
        _set_modes(unfinished, course.directory.groupshared)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(replaced, ignore_errors=True)
        if place.exists():
            replaced.parent.mkdir(parents=True, exist_ok=True)
            place.rename(replaced)
        unfinished.rename(place)
        shutil.rmtree(replaced, ignore_errors=True)


def _set_modes(folder: Path, shared: bool) -> None:
    """Set the modes of a folder's files. shared: nbgrader's setting for a group of instructors."""
    for inner, _, names in os.walk(folder):
        for name in names:
            (Path(inner) / name).chmod(0o664 if shared else 0o444)
        if shared:
            Path(inner).chmod(0o2770)
