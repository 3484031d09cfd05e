"""A new version of a notebook, with all in it that the learner wrote: a merge of three, by cells.

base: what was delivered; mine: what the learner made of it; theirs: the new version. The course's
cells come in the order of `theirs`, and each cell of the learner's own after the one that it
followed.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from nbformat import NotebookNode

from course_utils.recovery.cellcode import CellCode, same_text, squeezed
from course_utils.recovery.matching import Frame, Slot, grade_id
from course_utils.words import counted, listed
from course_utils.workspace.notebooks import (
    FreeIds,
    bring_results,
    note_cell,
    notebook_of,
    others_metadata,
    without_marks,
)

_NEW_TEXT = "**New from the course.**"
_BOTH = (
    f"{_NEW_TEXT} You and the course have both changed the cell above. Yours stays; this is "
    "the new text. Delete this cell when you no longer need it."
)
_NEW_START = (
    f"{_NEW_TEXT} The starting text of this exercise has changed. Your answer above "
    "stays; this is the new text. Delete this cell when you no longer need it."
)
_ALIKE = 0.6  # of two starting texts, for one to be the other under a new name


@dataclass
class Merged:
    """What came of a merge.

    changed, added, removed: the course's cells, by their keys.
    exercises: the new ones among them.
    answers: the exercises whose answers stay.
    edited: the course's cells that the learner changed, and that stay so.
    own: how many cells of the learner's own there are.
    notes: sentences about what a person should look at.
    nothing: what to say of changes where no cell's text is known to have changed.
    """

    notebook: NotebookNode
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    exercises: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    own: int = 0
    notes: list[str] = field(default_factory=list)
    nothing: str = "only details that no cell shows"

    def words(self) -> str:
        """What changes and what stays, in a sentence."""
        others = len(self.added) - len(self.exercises)
        news = [
            (len(self.changed), "{} changed"),
            (others, "{} new"),
            (len(self.removed), "{} gone"),
        ]
        parts = [words.format(counted(number, "cell")) for number, words in news if number]
        if self.exercises:
            parts.insert(0, counted(len(self.exercises), "new exercise"))
        stays = [
            (len(self.answers), "your answers to {}", "exercise"),
            (len(self.edited), "your changes in {}", "cell"),
            (self.own, "{} of your own", "cell"),
        ]
        kept = [words.format(counted(number, what)) for number, words, what in stays if number]
        said = ", ".join(parts) or self.nothing
        return f"{said}; {listed(kept)} stay." if kept else f"{said}."


def merge(base: NotebookNode | None, mine: NotebookNode, theirs: NotebookNode) -> Merged:
    """Merge three notebooks. Where nobody knows the base, a changed text counts as the learner's.

    Nothing that the learner wrote is lost: a text that is in `mine`, and was not delivered, is in
    the result. The arguments stay as they are.
    """
    return _Merging(base, mine, theirs).result()


class _Side(Frame):
    """A version of the course: its cells, and those that are to be solved, by their keys."""

    def __init__(self, notebook: NotebookNode | None) -> None:
        super().__init__(notebook.cells if notebook else [])
        self.keys = [key_of(cell) for cell in self.cells]
        self.by_key = dict(zip(self.keys, self.cells, strict=True))
        self.slot_of = {slot.grade_id: slot for slot in self.slots.values()}

    def key(self, cell: NotebookNode) -> str | None:
        """The key of the cell that `cell` is."""
        place, _ = self.recognise(cell)
        return None if place is None else self.keys[place]


class _Merging:
    """One run of `merge`.

    holders: by key, the cell of `mine` that stands for the course's cell of that key.
    after: by key (None: before all others), the learner's own cells that follow it.
    """

    def __init__(self, base: NotebookNode | None, mine: NotebookNode, theirs: NotebookNode) -> None:
        self.base, self.theirs = _Side(base), _Side(theirs)
        self.knows_base = base is not None
        self.mine, self.new = mine, theirs
        self.ids = FreeIds(cell.get("id") for cell in theirs.cells)
        self.merged = Merged(theirs)
        if base is None:
            self.merged.nothing = "the version that your copy came from is not known here"
        keys = [self.theirs.key(cell) or self.base.key(cell) for cell in mine.cells]
        self.holders = self._holders(keys)
        self.after: dict[str | None, list[NotebookNode]] = {}
        self._place_own(keys)

    def result(self) -> Merged:
        cells = list(self._own(None))
        for key, cell in self.theirs.by_key.items():
            cells += self._course_cell(key, cell)
            cells += self._own(key)
        self.merged.removed = [
            key for key in self.base.by_key if key not in self.theirs.by_key and key in self.holders
        ]
        metadata = deepcopy({**self.mine.metadata, **self.new.metadata})
        self.merged.notebook = notebook_of(cells, metadata)
        return self.merged

    def _holders(self, keys: Sequence[str | None]) -> dict[str, int]:
        """By key the number of the cell that stands for it: of several, the one with the answer."""
        found: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            if key is not None:
                found.setdefault(key, []).append(number)
        return {key: self._best(key, numbers) for key, numbers in found.items()}

    def _best(self, key: str, numbers: Sequence[int]) -> int:
        slot = self.theirs.slot_of.get(key) or self.base.slot_of.get(key)
        cells = self.mine.cells
        if slot is not None:
            written = [n for n in numbers if not self._is_delivered(key, cells[n])]
            real = [n for n in written if slot.answered_by(CellCode(cells[n].source))]
            return (real or written or numbers)[-1]
        named = [n for n in numbers if key in (grade_id(cells[n]), cells[n].get("id"))]
        return (named or numbers)[0]

    def _place_own(self, keys: Sequence[str | None]) -> None:
        last: str | None = None
        for number, (key, cell) in enumerate(zip(keys, self.mine.cells, strict=True)):
            if key is None or self.holders[key] != number:
                # A mere copy of a cell that nbgrader knows would stop nbgrader.
                if key is None or grade_id(cell) is None or not self._is_delivered(key, cell):
                    self.after.setdefault(last, []).append(cell)
            elif key in self.theirs.by_key:
                last = key
            elif not self._is_delivered(key, cell):
                self.after.setdefault(last, []).append(cell)
                self._note_removed(key)

    def _is_delivered(self, key: str, cell: NotebookNode) -> bool:
        """Has it the text of a version that was delivered, or none at all?"""
        sides = [side for side in (self.base, self.theirs) if key in side.by_key]
        return (
            not cell.source.strip()
            or any(_same(cell, side.by_key[key]) for side in sides)
            or any(key in side.slot_of and side.slot_of[key].is_stub(cell.source) for side in sides)
        )

    def _note_removed(self, key: str) -> None:
        slot = self.base.slot_of.get(key)
        if slot is None:
            return
        new = [
            each for each in self.theirs.slot_of.values() if each.grade_id not in self.base.slot_of
        ]
        alike = max(new, key=lambda each: _likeness(slot, each), default=None)
        if alike is not None and _likeness(slot, alike) >= _ALIKE:
            self.merged.notes.append(
                f"The exercise {key} seems to be called {alike.grade_id} now, and asks for "
                f"`{alike.name}`: your answer stays in a cell of its own, so copy it over."
            )
        else:
            self.merged.notes.append(
                f"The exercise {key} is no longer there: your answer to it stays in a cell of its "
                "own, and counts for nothing."
            )

    def _course_cell(self, key: str, theirs: NotebookNode) -> Iterator[NotebookNode]:
        """The cell `key` of the new version, and what must stand under it."""
        base, slot = self.base.by_key.get(key), self.theirs.slot_of.get(key)
        number = self.holders.get(key)
        if number is None:
            if base is not None and "nbgrader" not in theirs.metadata and _same(base, theirs):
                return  # the learner deleted it, and the course has nothing new to say there
            self._note_added(key, slot, base)
            yield deepcopy(theirs)
            return
        mine = self.mine.cells[number]
        if base is not None and not _same(base, theirs):
            self.merged.changed.append(key)
        elif base is None and self.knows_base:
            self._note_added(key, slot, base)
        if _same(mine, theirs):
            yield _with_outputs(theirs, mine)
        elif self._is_delivered(key, mine):
            yield deepcopy(theirs)
        elif slot is not None:
            yield from self._answer(slot, mine, theirs, base)
        elif "nbgrader" in theirs.metadata:  # locked: whatever was written into it goes under it
            yield deepcopy(theirs)
            yield self._as_own(mine)
            self.merged.own += 1
        else:
            yield _as_written(mine, theirs)
            self.merged.edited.append(key)
            if base is None or not _same(base, theirs):
                yield from self._new_text(key, theirs, _BOTH)

    def _note_added(self, key: str, slot: Slot | None, base: NotebookNode | None) -> None:
        if base is None and self.knows_base:
            self.merged.added.append(key)
            if slot is not None:
                self.merged.exercises.append(key)

    def _answer(
        self, slot: Slot, mine: NotebookNode, theirs: NotebookNode, base: NotebookNode | None
    ) -> Iterator[NotebookNode]:
        key = slot.grade_id
        if mine.cell_type != theirs.cell_type and not slot.answered_by(CellCode(mine.source)):
            yield deepcopy(theirs)  # it was turned into prose, which stays, under the cell
            yield self._as_own(mine)
            self.merged.own += 1
            return
        self.merged.answers.append(key)
        yield _as_written(mine, theirs, theirs.cell_type)
        if base is None or same_text(base.source, theirs.source):
            return
        before = Slot(0, key, base.cell_type, CellCode(base.source))
        if before.name != slot.name:
            self.merged.notes.append(
                f"The exercise {key} asks for a function `{slot.name}` now, and your answer "
                f"defines `{before.name}`: it stays as it is, so rename it."
            )
        else:
            self.merged.notes.append(
                f"The starting text of {key} has changed: your answer stays, and the new starting "
                "text stands under it."
            )
        yield from self._new_text(key, theirs, _NEW_START)

    def _new_text(self, key: str, theirs: NotebookNode, why: str) -> Iterator[NotebookNode]:
        note = note_cell(self.ids.free(f"{theirs.get('id', key)}-new"), why, theirs)
        # There is one of a run that ended before it could say so.
        if all(cell.source != note.source for cell in self.mine.cells):
            yield note

    def _own(self, key: str | None) -> Iterator[NotebookNode]:
        cells = self.after.get(key, ())
        self.merged.own += sum(not cell.source.startswith(f"> {_NEW_TEXT}") for cell in cells)
        return (self._as_own(cell) for cell in cells)

    def _as_own(self, cell: NotebookNode) -> NotebookNode:
        kept = without_marks(cell)
        kept.id = self.ids.free(str(cell.get("id") or "own"))
        return kept


def key_of(cell: NotebookNode) -> str:
    """What one of the course's cells is known by: nbgrader's name for it, or its id."""
    return grade_id(cell) or cell.get("id") or squeezed(cell.source)


def _same(one: NotebookNode, other: NotebookNode) -> bool:
    return one.cell_type == other.cell_type and one.source == other.source


def _with_outputs(theirs: NotebookNode, mine: NotebookNode) -> NotebookNode:
    """The course's cell, with what running it left in the learner's copy."""
    cell = deepcopy(theirs)
    cell.metadata = others_metadata(mine, theirs)
    bring_results(mine, cell)
    return cell


def _as_written(mine: NotebookNode, theirs: NotebookNode, kind: str = "") -> NotebookNode:
    """The learner's text in the course's cell."""
    cell = deepcopy(mine)
    cell.metadata = others_metadata(mine, theirs)
    cell.id = theirs.get("id", mine.get("id"))
    if kind == "code" != cell.cell_type:
        cell.update(cell_type="code", outputs=[], execution_count=None)
        cell.pop("attachments", None)
    return cell


def _likeness(one: Slot, other: Slot) -> float:
    """How much one exercise's starting text is like another's, but for the function's name."""
    text, other_text = (slot.stub.text.replace(slot.name, "") for slot in (one, other))
    return SequenceMatcher(None, text, other_text).ratio()
