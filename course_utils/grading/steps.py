"""A rebuilt notebook as the steps of a job."""

import ast

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from course_utils.grading.job import Check, Step


def steps_of(notebook: NotebookNode) -> tuple[Step, ...]:
    """The code cells of a rebuilt notebook, in order."""
    return tuple(_step(cell) for cell in notebook.cells if cell.cell_type == "code")


def _step(cell: NotebookNode) -> Step:
    solution = cell.metadata.nbgrader.grade_id if is_solution(cell) else ""
    return Step(cell.source, solution, check_of(cell))


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
