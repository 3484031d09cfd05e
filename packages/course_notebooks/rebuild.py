"""The released notebook with a person's work in it: for grading, repairs and new versions.

Each answer is in its exercise's cell, even after damage to the notebook, and a person's own cells
keep their places. An answer that may exist but cannot be found is held for a person; it never gets
zero points.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_notebooks.cellcode import CellCode, bindings, same_code, same_text
from course_notebooks.matching import (
    Cell,
    Frame,
    Slot,
    find_answer,
    holds_answer,
    submitted_cells,
    why_held,
)

_REPAIRED = {  # the sentences about repairs, in this order
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
    """A released notebook with a person's answers.

    notebook: the released cells, in order, and between them the student's own cells.
    held: by the grade_id of its solution cell, why a person must check an exercise.
    repaired: the repairs, in sentences.
    origin: by the id of a cell of `notebook` with the student's text, the number of the submitted
        cell, from 0.
    """

    notebook: NotebookNode
    held: Mapping[str, str]
    repaired: tuple[str, ...]
    origin: Mapping[str, int]


def rebuild(released: NotebookNode, submitted: NotebookNode) -> Rebuilt:
    """A copy of `released` with a person's work from `submitted` (from `read_submission`).

    Our text is as released, and no code of the person runs before the setup.
    """
    rebuilding = _Rebuilding(Frame(released.cells), submitted.cells)
    notebook = nbformat.from_dict(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": deepcopy(released.metadata),
            "cells": list(rebuilding.assembled()),
        }
    )
    return Rebuilt(notebook, rebuilding.held, rebuilding.repaired, rebuilding.origin)


class _Rebuilding:
    """The released cells combined with a person's. Places are those of released cells.

    answers: by place, the cell that answers an exercise.
    home: by the number of such a cell, the first place that it answers: its text goes there.
    instead, before, after: by place, the person's cells that replace a released cell (never a
        solution), that come before it, and after it.
    runs_at: for each of the person's cells, the place at which, or after which, it runs first.
    held: by the grade_id of its solution cell, why a person must check an exercise.
    start: the last place before the person's first cell.
    origin: by the id of a cell with the person's text, the number of their cell.
    """

    def __init__(self, frame: Frame, nodes: Sequence[NotebookNode]) -> None:
        """nodes: the person's cells, as `plain_cells` returns them."""
        self.frame, self.start = frame, max(frame.setup, default=-1)
        self.nodes = nodes
        self.ids = {cell["id"] for cell in frame.cells if "id" in cell}
        self.origin: dict[str, int] = {}
        self.notes: dict[str, list[str]] = {key: [] for key in _REPAIRED}
        self.held: dict[str, str] = {}
        self.cells: list[Cell] = []
        for cell, joined in submitted_cells(frame, nodes):
            self.cells.append(cell)
            if joined:
                self.notes["joined"].append(cell.grade_id or cell.label)
        self.answers: dict[int, Cell] = {}
        self.home: dict[int, int] = {}
        self.pointing: set[int] = set()  # numbers of cells that point to an answer above
        self.instead: dict[int, Cell] = {}
        self.before: dict[int, list[Cell]] = {}
        self.after: dict[int, list[Cell]] = {}
        self.runs_at: dict[Cell, int] = {}
        self._find_answers()
        self._explain_missing()
        self._place_cells()
        for place in self.home.values():
            self._bring_helpers(self.answers[place], place)
        self._note_restored()

    @property
    def repaired(self) -> tuple[str, ...]:
        """The repairs, in sentences."""
        return tuple(
            sentence.format(", ".join(dict.fromkeys(self.notes[key])))
            for key, sentence in _REPAIRED.items()
            if self.notes[key]
        )

    def assembled(self) -> Iterator[NotebookNode]:
        """The cells in order: each released cell, with the learner's own cells around it."""
        yield from map(self._own_node, self.after.get(-1, ()))
        for place in range(len(self.frame.cells)):
            yield from map(self._own_node, self.before.get(place, ()))
            yield self._course_node(place)
            yield from map(self._own_node, self.after.get(place, ()))

    def _elsewhere(self, home: int) -> str:
        return f"# Answered in the cell {self.frame.slots[home].grade_id}, above."

    def _find_answers(self) -> None:
        ours = self.frame.is_released  # a test as released may assign a name like an exercise's
        theirs = [c for c in self.cells if c.place is None or not ours(c.place, c.text)]
        for place, slot in self.frame.slots.items():
            if (answer := self._answer_above(slot)) is not None:
                self.answers[place] = answer
                continue
            answer, notes = find_answer(slot, theirs)
            if answer is None:
                continue
            self.answers[place] = answer
            if self.home.setdefault(answer.number, place) != place:
                notes += ("together",)
            for note in notes:
                self.notes[note].append(slot.grade_id)

    def _answer_above(self, slot: Slot) -> Cell | None:
        """The answer to which a comment in the exercise's own cell points (see `_elsewhere`)."""
        here = [cell for cell in self.cells if cell.place == slot.place]
        for home, answer in self.answers.items():
            pointing = {cell.number for cell in here if cell.text == self._elsewhere(home)}
            if pointing and slot.answered_by(answer.code):
                self.pointing |= pointing
                return answer
        return None

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
        """Put the person's own cells after the released cells that they followed."""
        last = self.start
        for cell in self.cells:
            if cell.number in self.pointing:
                continue  # the comment is written again
            if cell.number in self.home:
                last = max(self.start, self.home[cell.number])
                self.runs_at[cell] = last
            elif cell.place is not None and self._takes_place(cell, cell.place):
                last = cell.place
                self.instead[last] = cell
                self.runs_at[cell] = last
            else:
                if cell.place is None and cell.grade_id and cell.kind == "code":
                    self.notes["unknown"].append(cell.grade_id)
                if text := self._own_text(cell):
                    own = replace(cell, text=text)
                    self.after.setdefault(last, []).append(own)
                    self.runs_at[own] = last
                elif cell.place is not None:
                    last = max(self.start, cell.place)

    def _bring_helpers(self, answer: Cell, place: int) -> None:
        """Move cells that an answer uses, and that were above it, above it again."""
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
        frame = self.frame
        intact = {
            cell.place
            for cell in self.cells
            if cell.place is not None and frame.is_released(cell.place, cell.text)
        }
        unknown = {
            part
            for slot in frame.slots.values()
            if slot.grade_id in self.held
            for part in frame.parts_of(slot)
        }
        for place in (*frame.locked, *frame.setup):
            if place in intact | unknown:
                continue
            if place in frame.locked:
                self.notes["locked"].append(frame.locked[place])
            else:
                self.notes["setup"].append(frame.cells[place].get("id", "setup"))

    def _takes_place(self, cell: Cell, place: int) -> bool:
        """Whether it is the first edited version of a cell to try out the answer."""
        released = self.frame.cells[place]
        return (
            place in self.frame.free
            and place not in self.instead
            and cell.kind == "code" == released.cell_type
            and not same_text(cell.text, released.source)
        )

    def _own_text(self, cell: Cell) -> str:
        """The student's own text in a cell that answers no exercise."""
        frame, place = self.frame, cell.place
        if place is None:
            return cell.text if cell.text.strip() else ""
        if frame.is_released(place, cell.text):
            return ""
        if place in frame.slots:
            return cell.text if cell.text.strip() else ""
        if any(
            slot.grade_id in self.held and holds_answer(frame, slot, cell)
            for slot in frame.slots.values()
        ):
            return cell.text  # for the person who checks it
        if cell.kind != "code":
            return ""
        if place in frame.setup:
            return additions(cell.code, CellCode(frame.cells[place].source))
        is_try = place in frame.free and frame.cells[place].cell_type == "code"
        return cell.text if cell.code.bound or is_try else ""

    def _course_node(self, place: int) -> NotebookNode:
        """The released cell at a place, with the person's text."""
        node = deepcopy(self.frame.cells[place])
        if cell := self.answers.get(place) or self.instead.get(place):
            home = self.home.get(cell.number, place)
            node.source = cell.text if home == place else self._elsewhere(home)
            self.origin[node.id] = cell.number
            attached = self.nodes[cell.number].get("attachments")
            if attached and node.cell_type == "markdown":
                node.attachments = attached
        return node

    def _own_node(self, cell: Cell) -> NotebookNode:
        name = f"own-{cell.number + 1}"
        while name in self.origin or name in self.ids:
            name += "-again"
        self.origin[name] = cell.number
        run: dict[str, Any] = (
            {"execution_count": None, "outputs": []} if cell.kind == "code" else {}
        )
        return NotebookNode(
            cell_type=cell.kind, id=name, metadata=NotebookNode(), source=cell.text, **run
        )


def additions(code: CellCode, setup: CellCode) -> str:
    """The lines that a person added to the setup, except those that would change the setup."""
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
