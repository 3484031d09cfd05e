"""The lessons' pages show what follows a right answer to a task, without the answer itself."""

import re

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils.checking.exercises import exercise
from exercise_kit.reference import reference

CHECK = re.compile(r'^check\("(?P<exercise>[\w.]+)", (?P<name>\w+)\)', re.MULTILINE)
NOTE = "This page goes on with the task solved. Your notebook goes on with your own answer."
FOLDED = {"code_prompt_show": "After a right answer", "code_prompt_hide": "Close"}


def solve_tasks(notebook: NotebookNode) -> None:
    """After each check, define the solution in a cell that is not on the page, and repeat the cells
    from the task's program to its check, folded. The rest of the page runs with the solution.
    """
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        cells.append(cell)
        check = CHECK.search(cell.source) if cell.cell_type == "code" else None
        if check:
            solution = reference(exercise(check["exercise"]).path)
            shown = repeated(cells, check["name"])
            cells.append(new_code_cell(solution, metadata={"tags": ["remove-cell"]}))
            cells.extend([*shown, new_markdown_cell(NOTE)])
    notebook.cells = cells


def repeated(cells: list[NotebookNode], name: str) -> list[NotebookNode]:
    """Copies of the code cells after the one that defines `name`, with folded outputs."""
    program = re.compile(rf"^(def|class) {name}\b", re.MULTILINE)
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    first = max(number for number, source in enumerate(code) if program.search(source)) + 1
    folded = {"tags": ["remove-input", "hide-output"], "mystnb": FOLDED}
    return [new_code_cell(source, metadata=folded) for source in code[first:]]
