"""The outputs of a graded notebook: verdicts as nbgrader scores them, and what students saved.

Nothing that ran while a submission was graded is among them.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_utils.checking.held import MIME
from course_utils.grading.results import Verdict
from course_utils.grading.steps import check_of
from course_utils.recovery.reading import parse_outputs, shown
from course_utils.recovery.rebuild import Rebuilt


def show_saved(rebuilt: Rebuilt, submitted: NotebookNode) -> None:
    """Give each cell with a student's text the outputs that were handed in with that text."""
    for cell in rebuilt.notebook.cells:
        place = rebuilt.origin.get(cell.id)
        if cell.cell_type == "code" and place is not None:
            cell.outputs = submitted.cells[place].get("outputs", [])
            cell.metadata.course = {"as_submitted": True}


def show_fresh(notebook: NotebookNode, outputs: Sequence[list[dict[str, Any]]]) -> None:
    """Give each code cell what it put out in a run of its own, where there was one."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell, fresh in zip(cells, outputs, strict=False):
        cell.outputs = parse_outputs(fresh)
        cell.metadata.course = {"as_submitted": False}


def show_verdicts(notebook: NotebookNode, verdicts: Iterable[Verdict]) -> None:
    """Give each test cell of a rebuilt notebook the one output that its verdict is."""
    by_exercise = {verdict.exercise: verdict for verdict in verdicts}
    for cell in notebook.cells:
        check = check_of(cell)
        if check is not None:
            verdict = by_exercise[check.exercise]
            cell.outputs = [_output(verdict)]
            cell.metadata.course = {"verdict": verdict.kind, "html": verdict.html}


def _output(verdict: Verdict) -> NotebookNode:
    if verdict.points is None:
        # Formgrader shows the output to the instructor, feedback to a student the verdict alone.
        reason = f"<p>For the instructor: {escape(shown(verdict.why))}</p>"
        data = {MIME: "held", "text/plain": verdict.text, "text/html": verdict.html + reason}
        return new_output("display_data", data=data)
    if verdict.kind == "passed":
        # nbgrader reads the points of a cell that did not fail from this text (get_partial_grade).
        data = {"text/plain": f"{verdict.points:g}", "text/html": verdict.html}
        return new_output("execute_result", data=data)
    lines = verdict.text.splitlines()
    return new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)
