"""The instructor's notebook with a student's answers in it.

Only the text of solution cells is the student's, and cells of the student's own are kept where
they stood. An answer that cannot be found although it may be there is held for a person; it is
never a zero.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_utils.recovery.cellcode import CellCode, bindings, same_code, same_text
from course_utils.recovery.matching import Cell, Frame, find_answer, submitted_cells, why_held

_MENDED = {  # what is said of which cells, in this order
    "by id": "Found by the cell's id, without nbgrader's metadata: {}.",
    "by name": "Found in another cell, by the function that it defines: {}.",
    "together": "Answered in one cell with another exercise: {}.",
    "copies": "Answered in several cells, of which the last one counts: {}.",
    "joined": "Cut in two within a statement, and joined again: {}.",
    "retyped": "Turned into a text cell, and taken as code again: {}.",
    "gone": "Deleted or emptied, and put back as released, without an answer: {}.",
    "locked": "Edited or deleted, and put back as released: {}.",
    "setup": "Edited or deleted, and put back as released, above what was added to it: {}.",
    "moved": "Moved or copied above an answer that needs it: {}.",
    "unknown": "Kept without points, since this assignment has no such exercise: {}.",
}


@dataclass(frozen=True)
class Rebuilt:
    """A notebook to be graded.

    notebook: the released cells, in order, and among them those of the student's own.
    held: by the grade_id of its solution cell, why an exercise must be looked at by a person.
    mended: what was put right, in sentences.
    origin: by the id of a cell of `notebook` whose text the student wrote, the number of the
        submitted cell, from 0.
    """

    notebook: NotebookNode
    held: Mapping[str, str]
    mended: tuple[str, ...]
    origin: Mapping[str, int]


def rebuild(released: NotebookNode, submitted: NotebookNode) -> Rebuilt:
    """Put the answers of `submitted`, as `read_submission` gives it, into a copy of `released`."""
    return _Rebuilding(Frame(released.cells), submitted).result(released)


class _Rebuilding:
    """One run of `rebuild`. Places are those of released cells.

    answers: by place, the cell that answers an exercise.
    home: by the number of such a cell, the first place that it answers: there its text goes.
    instead, before, after: by place, the student's cells in the place of a released one that is
        no solution, before it, and after it.
    runs_at: of each of the student's cells, the place at which, or after which, it runs first.
    """

    def __init__(self, frame: Frame, submitted: NotebookNode) -> None:
        self.frame = frame
        self.ids = {cell["id"] for cell in frame.cells if "id" in cell}
        self.notes: dict[str, list[str]] = {key: [] for key in _MENDED}
        self.held: dict[str, str] = {}
        self.cells: list[Cell] = []
        for cell, joined in submitted_cells(frame, submitted.cells):
            self.cells.append(cell)
            if joined:
                self.notes["joined"].append(cell.grade_id or cell.label)
        self.answers: dict[int, Cell] = {}
        self.home: dict[int, int] = {}
        self.instead: dict[int, Cell] = {}
        self.before: dict[int, list[Cell]] = {}
        self.after: dict[int, list[Cell]] = {}
        self.runs_at: dict[Cell, int] = {}
        self.origin: dict[str, int] = {}
        self._find_answers()
        self._explain_missing()
        self._place_cells()
        for place in self.home.values():
            self._bring_helpers(self.answers[place], place)
        self._note_restored()

    def result(self, released: NotebookNode) -> Rebuilt:
        notebook = nbformat.from_dict(
            {
                "nbformat": 4,
                "nbformat_minor": 5,
                "metadata": deepcopy(released.metadata),
                "cells": list(self._assembled()),
            }
        )
        mended = tuple(
            sentence.format(", ".join(dict.fromkeys(self.notes[key])))
            for key, sentence in _MENDED.items()
            if self.notes[key]
        )
        return Rebuilt(notebook, self.held, mended, self.origin)

    def _find_answers(self) -> None:
        for place, slot in self.frame.slots.items():
            answer = find_answer(slot, self.cells)
            if answer is None:
                continue
            self.answers[place] = answer.cell
            first = self.home.setdefault(answer.cell.number, place)
            for note in answer.notes:
                self.notes[note].append(slot.grade_id)
            if first != place:
                self.notes["together"].append(slot.grade_id)

    def _explain_missing(self) -> None:
        for place, slot in self.frame.slots.items():
            if place in self.answers:
                continue
            why = why_held(self.frame, slot, self.cells, self.answers.values())
            if why:
                self.held[slot.grade_id] = f"{slot.grade_id} could not be matched: {why}."
            elif why == "":
                self.notes["gone"].append(slot.grade_id)

    def _place_cells(self) -> None:
        """The student's own cells, each after the released cell that it followed.

        None comes before the setup.
        """
        start = last = max(self.frame.setup, default=-1)
        for cell in self.cells:
            if cell.number in self.home:
                last = max(start, self.home[cell.number])
                self.runs_at[cell] = last
            elif cell.place in self.frame.tries and self._is_changed(cell, cell.place):
                last = cell.place
                self.instead[last] = cell
                self.runs_at[cell] = last
            elif text := self._own_text(cell):
                kept = replace(cell, text=text)
                self.after.setdefault(last, []).append(kept)
                self.runs_at[kept] = last
            elif cell.place is not None:
                last = max(start, cell.place)

    def _is_changed(self, cell: Cell, place: int) -> bool:
        """Is it the first version of a released cell that is not as released?"""
        released = self.frame.cells[place].source
        return (
            cell.kind == "code" and place not in self.instead and not same_text(cell.text, released)
        )

    def _own_text(self, cell: Cell) -> str:
        """What there is of the student's in a cell that answers no exercise."""
        if cell.place is None:
            if cell.grade_id and cell.kind == "code":
                self.notes["unknown"].append(cell.grade_id)
            return cell.text if cell.text.strip() else ""
        released = self.frame.cells[cell.place]
        if same_text(cell.text, released.source):
            return ""
        if cell.place in self.frame.slots:
            return cell.text if cell.text.strip() else ""
        if cell.kind != "code":
            return ""
        if cell.place in self.frame.setup:
            return _additions(cell.code, CellCode(released.source))
        return cell.text if cell.code.bound or cell.place in self.frame.tries else ""

    def _bring_helpers(self, answer: Cell, place: int) -> None:
        """What stood above an answer and is used in it stands above it still."""
        uses = set(answer.code.used)
        for cell in sorted(self.runs_at, key=lambda cell: cell.number, reverse=True):
            runs_at = self.runs_at[cell]
            below = cell.number < answer.number and runs_at >= place
            if not below or cell.kind != "code" or uses.isdisjoint(cell.code.bound):
                continue
            uses |= cell.code.used
            self.before.setdefault(place, []).insert(0, cell)
            self.runs_at[cell] = place - 1
            if cell in self.after.get(runs_at, ()):
                self.after[runs_at].remove(cell)
            self.notes["moved"].append(cell.grade_id or cell.label)

    def _note_restored(self) -> None:
        intact = {
            cell.place
            for cell in self.cells
            if cell.place is not None and same_text(cell.text, self.frame.cells[cell.place].source)
        }
        unknown = {
            part
            for slot in self.frame.slots.values()
            if slot.grade_id in self.held
            for part in self.frame.parts_of(slot)
        }
        for place, name in self.frame.locked.items():
            if place not in intact | unknown:
                self.notes["locked"].append(name)
        for place in self.frame.setup:
            if place not in intact:
                self.notes["setup"].append(self.frame.cells[place].get("id", "setup"))

    def _assembled(self) -> Iterator[NotebookNode]:
        yield from self._own(self.after.get(-1, ()))
        for place, released in enumerate(self.frame.cells):
            yield from self._own(self.before.get(place, ()))
            node = deepcopy(released)
            if cell := self.answers.get(place) or self.instead.get(place):
                node.source, home = cell.text, self.home.get(cell.number, place)
                if home != place:
                    name = self.frame.slots[home].grade_id
                    node.source = f"# Answered in the cell {name}, above."
                self.origin[node.id] = cell.number
            yield node
            yield from self._own(self.after.get(place, ()))

    def _own(self, cells: Iterable[Cell]) -> Iterator[NotebookNode]:
        for cell in cells:
            name = f"own-{cell.number + 1}"
            while name in self.origin or name in self.ids:
                name += "-again"
            self.origin[name] = cell.number
            run: dict[str, Any] = (
                {"execution_count": None, "outputs": []} if cell.kind == "code" else {}
            )
            yield NotebookNode(
                cell_type=cell.kind, id=name, metadata=NotebookNode(), source=cell.text, **run
            )


def _additions(code: CellCode, setup: CellCode) -> str:
    """What a student added to the setup, less what would set up something else."""
    if code.tree is None or setup.tree is None:
        return ""
    kept: set[int] = set()
    dropped: set[int] = set()
    for statement in code.statements:
        decorators = getattr(statement, "decorator_list", ())
        first = min([statement.lineno, *(node.lineno for node in decorators)])
        lines = range(first, (statement.end_lineno or first) + 1)
        (kept if _is_addition(statement, setup) else dropped).update(lines)
    text = code.text.split("\n")
    return "\n".join(text[number - 1] for number in sorted(kept - dropped))


def _is_addition(statement: ast.stmt, setup: CellCode) -> bool:
    if isinstance(statement, ast.Pass) or any(
        same_code(statement, ours) for ours in setup.statements
    ):
        return False
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return "lab" not in names and setup.bound.keys().isdisjoint(bindings([statement]))
