"""An assignment that somebody worked in, with every exercise cell put right, and nothing lost.

What grading does to a submission (`recovery.rebuild`), done to the learner's own file: outputs,
pictures and notes stay as well.
"""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode

from course_utils.recovery.cellcode import squeezed
from course_utils.recovery.matching import Frame, grade_id
from course_utils.recovery.reading import parse_submission
from course_utils.recovery.rebuild import Rebuilt, rebuild
from course_utils.workspace.notebooks import (
    FreeIds,
    bring_results,
    note_cell,
    notebook_of,
    others_metadata,
    without_marks,
)

_LOST_METADATA = "The notes that nbgrader keeps on these cells were lost or changed: {}."
_TWICE = "There more than once: {}."
_KEPT = "**Kept from your copy.** This stood in a cell that was put back as the course has it."


@dataclass(frozen=True)
class Restored:
    """found: what was wrong and is right now, in sentences.

    held: by exercise, why nobody but the learner can say which cell is the answer.
    open, answered: the exercises without an answer, and those that have one.
    """

    notebook: NotebookNode
    found: tuple[str, ...]
    held: dict[str, str]
    open: frozenset[str]
    answered: frozenset[str]


def restore(released: NotebookNode, mine: NotebookNode) -> Restored:
    """Put `mine` right after the version `released` of the assignment. Neither is changed."""
    parsed = parse_submission(nbformat.writes(mine).encode(), "The notebook")
    rebuilt = rebuild(released, parsed)
    frame = Frame(released.cells)
    notebook = _Assembly(frame, mine, parsed, rebuilt).notebook(released)
    found = (*rebuilt.mended, *_metadata_problems(frame, mine, parsed))
    was, now = (
        [(cell.cell_type, cell.source, cell.metadata) for cell in each.cells]
        for each in (mine, notebook)
    )
    if was == now:
        found = ()  # such as two answers in one cell, and a word about it in the other
    answers = {cell.id: cell.source for cell in rebuilt.notebook.cells}
    unanswered = frozenset(
        slot.grade_id
        for place, slot in frame.slots.items()
        if slot.is_stub(answers[released.cells[place].id])
    )
    every = frozenset(slot.grade_id for slot in frame.slots.values())
    return Restored(notebook, found, dict(rebuilt.held), unanswered, every - unanswered)


def _metadata_problems(frame: Frame, mine: NotebookNode, parsed: NotebookNode) -> Iterator[str]:
    right: set[str] = set()
    wrong: list[str] = []
    for cell, plain in zip(mine.cells, parsed.cells, strict=True):
        place, _ = frame.recognise(plain)
        if place is not None and (ours := frame.cells[place].metadata.get("nbgrader")):
            if cell.metadata.get("nbgrader") == ours:
                right.add(ours["grade_id"])
            else:
                wrong.append(ours["grade_id"])
    if lost := [name for name in dict.fromkeys(wrong) if name not in right]:
        yield _LOST_METADATA.format(", ".join(lost))
    counts = Counter(filter(None, map(grade_id, mine.cells)))
    if twice := [name for name, count in counts.items() if count > 1]:
        yield _TWICE.format(", ".join(twice))


class _Assembly:
    """Puts back into a rebuilt notebook what grading has no use for, and a learner has."""

    def __init__(
        self, frame: Frame, mine: NotebookNode, parsed: NotebookNode, rebuilt: Rebuilt
    ) -> None:
        self._frame, self._mine, self._parsed, self._rebuilt = frame, mine, parsed, rebuilt
        self._ours = {cell.id: place for place, cell in enumerate(frame.cells)}
        self._ids = FreeIds(self._ours)
        self._places = [frame.recognise(cell)[0] for cell in parsed.cells]
        self._twins = self._find_twins()

    def notebook(self, released: NotebookNode) -> NotebookNode:
        cells: list[NotebookNode] = []
        kept = self._kept_below()
        rebuilt = self._rebuilt.notebook.cells
        texts = {cell.source for cell in rebuilt if cell.id in self._ours}
        for cell in rebuilt:
            place = self._ours.get(cell.id)
            if place is None and cell.source in texts:
                continue  # once is enough
            cells.append(self._own(cell) if place is None else self._course_cell(cell, place))
            cells += kept.pop(place, []) if place is not None else []
        return notebook_of(cells, deepcopy({**self._mine.metadata, **released.metadata}))

    def _course_cell(self, cell: NotebookNode, place: int) -> NotebookNode:
        cell = deepcopy(cell)
        number = self._rebuilt.origin.get(cell.id)
        if number is None:
            number = self._twins.get(place)
        if number is None:
            return cell
        raw = self._mine.cells[number]
        if cell.cell_type == "markdown" == raw.cell_type and grade_id(cell) is None:
            cell.source = raw.source  # a note in a text of ours does no harm
        if cell.cell_type == raw.cell_type and cell.source == self._parsed.cells[number].source:
            cell.metadata = others_metadata(raw, cell)
            bring_results(raw, cell)
        return cell

    def _find_twins(self) -> dict[int, int]:
        """By place, the number of the learner's cell that is the one there, as its text tells.

        A text of ours that nbgrader does not know is so, too, whatever was written into it.
        """
        rebuilt = {self._ours.get(cell.id): cell for cell in self._rebuilt.notebook.cells}
        twins: dict[int, int] = {}
        noted: dict[int, int] = {}
        for number, (place, cell) in enumerate(zip(self._places, self._parsed.cells, strict=True)):
            if place is None:
                continue
            ours = rebuilt[place]
            if cell.source == ours.source:
                twins.setdefault(place, number)
            elif cell.cell_type == "markdown" == ours.cell_type and grade_id(ours) is None:
                noted.setdefault(place, number)
        return noted | twins

    def _own(self, cell: NotebookNode) -> NotebookNode:
        raw = self._mine.cells[self._rebuilt.origin[cell.id]]
        own = without_marks(raw if raw.cell_type == cell.cell_type else cell)
        if own.source != cell.source:
            own.source = cell.source
            if "outputs" in own:
                own.outputs = []
        own.id = self._ids.free(str(raw.get("id") or cell.id))
        return own

    def _kept_below(self) -> dict[int, list[NotebookNode]]:
        """What would be lost, by the place of the cell under which it is kept."""
        cells = [*self._rebuilt.notebook.cells, *self._frame.cells]
        texts = [_lines(cell.source) for cell in cells]
        kept: dict[int, list[NotebookNode]] = {}
        last = 0
        for number, cell in enumerate(self._parsed.cells):
            place = self._places[number]
            last = last if place is None else place
            text = _lines(cell.source)
            if any(text in other for other in texts) or number in self._twins.values():
                continue
            name = self._ids.free(f"{cell.id[:50]}-kept")
            kept.setdefault(last, []).append(note_cell(name, _KEPT, cell))
        return kept


def _lines(text: str) -> str:
    """A text to find in another one, by whole lines, whatever their white space."""
    return "\n".join(["", *filter(None, map(squeezed, text.split("\n"))), ""])
