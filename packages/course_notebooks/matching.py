"""Match a person's cells to exercises, and find the exercises that a person must check."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from nbformat import NotebookNode

from course_notebooks.cellcode import CellCode, same_code, same_text, squeezed

Seen = Literal["by grade_id", "by id", "by text", ""]

ANOTHER = (
    "the notebook contains no part of it, so this is another version of the assignment or "
    "another notebook: ask for the right one"
)
"""The reason if an exercise is held because a notebook contains no part of it."""


@dataclass(frozen=True)
class Slot:
    """A solution cell as released. `name` is the name of the function to write.

    by_person: whether a person grades the cell itself.
    """

    place: int
    grade_id: str
    kind: str
    stub: CellCode
    by_person: bool = False

    @cached_property
    def name(self) -> str:
        """The name of the function or class to write."""
        defined = [name for name in self.stub.bound if name in self.stub.defined]
        return self.grade_id if self.grade_id in defined or not defined else defined[-1]

    def is_stub(self, text: str) -> bool:
        """Whether a text is the starting text of the cell."""
        return same_text(text, self.stub.text)

    def answered_by(self, code: CellCode) -> bool:
        """Whether `code` defines a name of the stub, or the function, differently from the stub."""
        asked, stub = self.stub.defined | {self.name}, self.stub.bound
        return any(
            name not in stub or not same_code(code.bound[name], stub[name])
            for name in asked & code.bound.keys()
        )


class Frame:
    """The released cells by their places, and the way to recognise a person's cells.

    setup, free: the places of cells without nbgrader's metadata: code cells before the first
        solution cell, and all others.
    locked: the places of tasks and tests.
    """

    def __init__(self, cells: Sequence[NotebookNode]) -> None:
        self.cells = cells
        names = {place: name for place, cell in enumerate(cells) if (name := grade_id(cell))}
        self.slots = {
            place: Slot(
                place, name, cell.cell_type, CellCode(cell.source), marks.get("grade", False)
            )
            for place, name in names.items()
            if (marks := (cell := cells[place]).metadata["nbgrader"]).get("solution")
        }
        self.locked = {place: name for place, name in names.items() if place not in self.slots}
        free = [place for place in range(len(cells)) if place not in names]
        first = min(self.slots, default=-1)
        self.setup = [p for p in free if p < first and cells[p].cell_type == "code"]
        self.free = [place for place in free if place not in self.setup]
        self._by_name = {name: place for place, name in names.items()}
        self._by_id = {cell["id"]: place for place, cell in enumerate(cells) if "id" in cell}
        self._by_text = {_text_key(cell): place for place, cell in enumerate(cells)}

    def is_released(self, place: int, text: str) -> bool:
        """Whether a text is the released one at this place."""
        return same_text(text, self.cells[place].source)

    def recognise(self, cell: NotebookNode) -> tuple[int | None, Seen]:
        """The place of the released cell that `cell` comes from, and how it was recognised."""
        name = grade_id(cell)
        if name and (place := self._by_name.get(name)) is not None:
            return place, "by grade_id"
        if (place := self._by_id.get(cell.get("id"))) is not None:
            return place, "by id"
        place = self._by_text.get(_text_key(cell)) if cell.source.strip() else None
        return place, "" if place is None else "by text"

    def parts_of(self, slot: Slot) -> set[int]:
        """The places of the task and the test of an exercise."""
        names = {f"{slot.grade_id}_task", f"{slot.grade_id}_check"}
        return {place for place, name in self.locked.items() if name in names}


@dataclass(eq=False)
class Cell:
    """A person's cell, with its number from 0; `place` is that of its released cell, or None."""

    number: int
    kind: str
    text: str
    place: int | None
    seen: Seen
    grade_id: str | None

    @cached_property
    def code(self) -> CellCode:
        """The text of the cell as Python."""
        return CellCode(self.text)

    @property
    def label(self) -> str:
        """The cell's number from 1: "cell 3"."""
        return f"cell {self.number + 1}"


def grade_id(cell: NotebookNode) -> str | None:
    """The grade_id of a cell; None if it has none, or if its metadata is damaged."""
    nbgrader = cell.metadata.get("nbgrader")
    name = nbgrader.get("grade_id") if isinstance(nbgrader, Mapping) else None
    return name if isinstance(name, str) and name else None


def key_of(cell: NotebookNode) -> str:
    """The key of a released cell: its grade_id, or its id, or its text."""
    return grade_id(cell) or cell.get("id") or squeezed(cell.source)


def submitted_cells(frame: Frame, nodes: Sequence[NotebookNode]) -> Iterator[tuple[Cell, bool]]:
    """The cells, each with whether it was joined again after a cut within a statement."""
    waiting: tuple[Cell, bool] | None = None
    for number, node in enumerate(nodes):
        cell = Cell(number, node.cell_type, node.source, *frame.recognise(node), grade_id(node))
        if waiting and _continues(waiting[0], cell):
            waiting = replace(waiting[0], text=f"{waiting[0].text}\n{cell.text}"), True
            continue
        if waiting:
            yield waiting
        waiting = cell, False
    if waiting:
        yield waiting


def _continues(cell: Cell, following: Cell) -> bool:
    """Whether `following` is the rest of a statement that begins in `cell`."""
    if cell.kind != "code" or following.kind != "code" or following.place not in (None, cell.place):
        return False
    indented = following.text.lstrip("\n")[:1] in (" ", "\t")
    return (
        indented
        and following.code.tree is None
        and CellCode(f"{cell.text}\n{following.text}").tree is not None
    )


def _text_key(cell: NotebookNode) -> tuple[str, str]:
    return cell.cell_type, squeezed(cell.source)


def find_answer(slot: Slot, cells: Sequence[Cell]) -> tuple[Cell | None, tuple[str, ...]]:
    """The cell that answers an exercise, and keys of notes about it: the last one not the stub.

    Cells that define the function have priority, and among them cells that are recognised as the
    exercise's own.
    """
    tied = [cell for cell in cells if cell.place == slot.place]
    written = [cell for cell in tied if cell.text.strip() and not slot.is_stub(cell.text)]
    if slot.kind != "code":
        return written[-1] if written else None, ()
    if real := _real(slot, written):
        cell = real[-1]
        several = any(not same_text(other.text, cell.text) for other in real)
        notes = (
            ("copies", several),
            ("by id", cell.seen == "by id"),
            ("retyped", cell.kind != "code"),
        )
        return cell, tuple(note for note, holds in notes if holds)
    if found := _real(slot, (cell for cell in cells if cell.kind == "code")):
        return found[-1], ("by name",)
    return next((cell for cell in reversed(written) if cell.kind == "code"), None), ()


def _real(slot: Slot, cells: Iterable[Cell]) -> list[Cell]:
    """The cells that answer an exercise; only those that define its function, if there are any."""
    real = [cell for cell in cells if slot.answered_by(cell.code)]
    return [cell for cell in real if slot.name in cell.code.bound] or real


def why_held(
    frame: Frame, slot: Slot, cells: Sequence[Cell], answers: Iterable[Cell]
) -> str | None:
    """The reason why a person must check an exercise without an answer; "" if it was not tried.

    None if the stub is unchanged.
    """
    tied = [cell for cell in cells if cell.place == slot.place]
    for cell in tied:
        if slot.kind == "code" != cell.kind and cell.text.strip() and not slot.is_stub(cell.text):
            return f"its cell was turned into text that is not Python: read {cell.label}"
    if slot.by_person and not any(cell.text.strip() for cell in tied):
        return "its own cell is gone or empty"
    if any(slot.is_stub(cell.text) for cell in tied):
        return None
    if any(slot.name in cell.code.bound for cell in cells if cell.kind == "code"):
        return None  # it is the stub, else it would have been found
    named = {*frame.slots, *frame.locked}
    known = set(answers)
    if not known and not any(cell.place in named for cell in cells):
        return ANOTHER
    if candidate := _candidate(frame, slot, cells, known):
        return f"its own cell is gone or empty: {candidate.label} may be the answer, so read it"
    parts = frame.parts_of(slot)
    if parts and not tied and not any(cell.place in parts for cell in cells):
        return ANOTHER
    return ""


def _candidate(frame: Frame, slot: Slot, cells: Sequence[Cell], answers: set[Cell]) -> Cell | None:
    """A cell that may be the answer: it defines its name, or other names near its place."""
    used = {name for cell in answers for name in cell.code.used}
    if merged := next((cell for cell in cells if holds_answer(frame, slot, cell)), None):
        return merged
    low, high = _stretch(slot.place, cells)
    for cell in cells:
        own = cell.place is None and cell not in answers
        if (own or cell.place in frame.slots) and cell.code.seems_to_define(slot.name):
            return cell
        unclear = cell.kind == "code" and cell.code.tree is None
        if own and low < cell.number < high and (cell.code.defined - used or unclear):
            return cell
    return None


def holds_answer(frame: Frame, slot: Slot, cell: Cell) -> bool:
    """Whether an answer was merged into a released cell that is no solution, such as its task.

    The task may itself show a definition, and the starting text is no answer.
    """
    if cell.place is None or cell.place in frame.slots:
        return False
    before = CellCode(frame.cells[cell.place].source).lines_defining(slot.name)
    stub = squeezed(slot.stub.text) in squeezed(cell.text)
    return cell.code.lines_defining(slot.name) > before + stub


def _stretch(place: int, cells: Sequence[Cell]) -> tuple[float, float]:
    """The numbers of the two cells between which the released cell at `place` should be."""
    numbers = {c.place: c.number for c in reversed(cells) if c.place not in (None, place)}
    below = [known for known in numbers if known < place]
    above = [known for known in numbers if known > place]
    return (numbers[max(below)] if below else -1, numbers[min(above)] if above else float("inf"))
