"""A learner's notebook put right, or brought to a new version, with all in it that they wrote.

base: what was delivered; mine: what the learner made of it; theirs: the new version, or `base`
again, where the notebook is mended. The course's cells come in the order of `theirs`, answers are
found as grading finds them (`recovery.rebuild`), and each cell of the learner's own comes after
the one that it followed. Outputs, pictures and notes stay as well.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course_notebooks.cellcode import CellCode, same_text
from course_notebooks.matching import Cell, Frame, Slot, grade_id, key_of
from course_notebooks.reading import plain_cells
from course_notebooks.rebuild import Assembly, additions
from course_utils.words import counted, listed
from course_workspace.notebooks import (
    FreeIds,
    bring_results,
    notebook_of,
    others_metadata,
    quoted,
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
_KEPT = "**Kept from your copy.** This stood in a cell that was put back as the course has it."
_LOST_METADATA = "The notes that nbgrader keeps on these cells were lost or changed: {}."
_TWICE = "There more than once: {}."
_ALIKE = 0.6  # of two starting texts, for one to be the other under a new name


@dataclass
class Merged:
    """What came of a merge.

    found: what was wrong and is right now, in sentences.
    held: by exercise, why nobody but the learner can say which cell is the answer.
    changed, added, removed: the course's cells, by their keys.
    exercises: the new ones among them.
    answers, open: the exercises whose answers stay, and those without an answer.
    edited: the course's cells that the learner changed, and that stay so.
    own: how many cells of the learner's own there are.
    notes: sentences about what a person should look at.
    nothing: what to say of changes where no cell's text is known to have changed.
    """

    notebook: NotebookNode
    found: tuple[str, ...] = ()
    held: dict[str, str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    exercises: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
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


class _Merging(Assembly):
    """One run of `merge`."""

    def __init__(self, base: NotebookNode | None, mine: NotebookNode, theirs: NotebookNode) -> None:
        self.knows_base, self.mine, self.new = base is not None, mine, theirs
        self.ids = FreeIds(cell.get("id") for cell in theirs.cells)
        self.merged = Merged(theirs)
        if base is None:
            self.merged.nothing = "the version that your copy came from is not known here"
        plain = nbformat.from_dict(list(plain_cells(mine.cells)))
        super().__init__(Frame(theirs.cells, base.cells if base else ()), plain)

    def result(self) -> Merged:
        merged, frame = self.merged, self.frame
        cells = list(self.assembled())
        merged.notebook = notebook_of(cells, deepcopy({**self.mine.metadata, **self.new.metadata}))
        merged.found = (*self.mended, *self._metadata_problems())
        merged.held = self.held
        merged.open = [s.grade_id for place, s in frame.slots.items() if place not in self.answers]
        gone = range(frame.count, len(frame.cells))
        merged.removed = [key_of(frame.cells[place]) for place in gone if self._holder(place)]
        return merged

    def _metadata_problems(self) -> Iterator[str]:
        right: set[str] = set()
        wrong: list[str] = []
        for cell in self.cells:
            if cell.place is None or self.frame.former[cell.place] is None:
                continue
            ours = [v.metadata.get("nbgrader") for v in self.frame.versions(cell.place)]
            if name := grade_id(self.frame.cells[cell.place]):
                is_right = self.mine.cells[cell.number].metadata.get("nbgrader") in ours
                right.update([name] if is_right else [])
                wrong.append(name)
        if lost := [name for name in dict.fromkeys(wrong) if name not in right]:
            yield _LOST_METADATA.format(", ".join(lost))
        counts = Counter(filter(None, map(grade_id, self.mine.cells)))
        if twice := [name for name, count in counts.items() if count > 1]:
            yield _TWICE.format(", ".join(twice))

    def takes_place(self, cell: Cell, place: int) -> bool:
        return (
            place in self.frame.free
            and self._holder(place) is cell
            and bool(cell.text.strip())
            and all(
                (cell.kind, cell.text) != (ours.cell_type, ours.source)
                for ours in self.frame.versions(place)
            )
        )

    def _holder(self, place: int) -> Cell | None:
        """The cell that stands for the course's: of several, one that is as released, where that
        is to be so, and one that has its name."""
        released = None if place in self.frame.free else self.frame.cells[place].source
        return min(
            (cell for cell in self.cells if cell.place == place),
            key=lambda cell: (released not in (None, cell.text), cell.seen == "by text"),
            default=None,
        )

    def own_parts(self, cell: Cell) -> tuple[int | None, Sequence[Cell]]:
        frame, place = self.frame, cell.place
        if place is None:
            return None, [cell]
        is_holder = self._holder(place) is cell
        if place in frame.free:
            return place if is_holder else None, [] if is_holder else [cell]
        if not cell.text.strip() or frame.is_released(place, cell.text):
            return place, []
        if place >= frame.count:
            self._note_removed(place)
            return None, [cell]
        if place in frame.slots:
            return place, [cell]
        parts = [replace(cell, kind="markdown", text=quoted(_KEPT, cell.kind, cell.text))]
        setup = CellCode(frame.cells[place].source)
        if place in frame.setup and (added := additions(cell.code, setup)):
            parts.insert(0, replace(cell, text=added))
        return place, parts

    def _note_removed(self, place: int) -> None:
        slot = self.frame.gone.get(place)
        if slot is None:
            return
        new = [each for each in self.frame.slots.values() if self.frame.former[each.place] is None]
        alike = max(new, key=lambda each: _likeness(slot, each), default=None)
        if alike is not None and _likeness(slot, alike) >= _ALIKE:
            self.merged.notes.append(
                f"The exercise {slot.grade_id} seems to be called {alike.grade_id} now, and asks "
                f"for `{alike.name}`: your answer stays in a cell of its own, so copy it over."
            )
        else:
            self.merged.notes.append(
                f"The exercise {slot.grade_id} is no longer there: your answer to it stays in a "
                "cell of its own, and counts for nothing."
            )

    def course_nodes(self, place: int) -> Iterator[NotebookNode]:
        theirs, former = self.frame.cells[place], self.frame.former[place]
        key, holder = key_of(theirs), self._holder(place)
        is_new = former is None or (former.cell_type, former.source) != (
            theirs.cell_type,
            theirs.source,
        )
        if holder is None and not is_new and place in self.frame.free:
            return  # the learner deleted it, and the course has nothing new to say there
        if former is not None and is_new and holder is not None:
            self.merged.changed.append(key)
        elif former is None and self.knows_base:
            self.merged.added.append(key)
            self.merged.exercises += [key] if place in self.frame.slots else []
        if answer := self.answers.get(place):
            self.merged.answers.append(key)
            yield self._filled(theirs, answer, self.text_at(place, answer))
            if former is not None and not same_text(former.source, theirs.source):
                yield from self._new_start(self.frame.slots[place])
        elif edited := self.instead.get(place):
            self.merged.edited.append(key)
            node = self._as_written(edited)
            node.metadata, node.id = others_metadata(node, theirs), theirs.get("id", node.get("id"))
            yield node
            if is_new:
                yield from self._new_text(theirs, _BOTH)
        else:
            yield self._filled(theirs, holder, theirs.source)

    def _filled(self, theirs: NotebookNode, cell: Cell | None, text: str) -> NotebookNode:
        """The course's cell with a text, and what running that left in the learner's copy."""
        node = deepcopy(theirs)
        node.source = text
        mine = self.mine.cells[cell.number] if cell else None
        if mine and (mine.cell_type, mine.source) == (node.cell_type, text):
            node.metadata = others_metadata(mine, theirs)
            bring_results(mine, node)
        return node

    def _new_start(self, slot: Slot) -> Iterator[NotebookNode]:
        if slot.former_name != slot.name:
            self.merged.notes.append(
                f"The exercise {slot.grade_id} asks for a function `{slot.name}` now, and your "
                f"answer defines `{slot.former_name}`: it stays as it is, so rename it."
            )
        else:
            self.merged.notes.append(
                f"The starting text of {slot.grade_id} has changed: your answer stays, and the new "
                "starting text stands under it."
            )
        return self._new_text(self.frame.cells[slot.place], _NEW_START)

    def _new_text(self, theirs: NotebookNode, why: str) -> Iterator[NotebookNode]:
        text = quoted(why, theirs.cell_type, theirs.source)
        # There is one of a run that ended before it could say so.
        if all(cell.source != text for cell in self.mine.cells):
            yield new_markdown_cell(text, id=self.ids.free(f"{key_of(theirs)}-new"))

    def own_node(self, cell: Cell) -> NotebookNode:
        own = without_marks(self._as_written(cell))
        own.id = self.ids.free(str(self.mine.cells[cell.number].get("id") or "own"))
        self.merged.own += not own.source.startswith(f"> {_NEW_TEXT}")
        return own

    def _as_written(self, cell: Cell) -> NotebookNode:
        """A copy of the learner's cell, without outputs that another text had."""
        node = deepcopy(self.mine.cells[cell.number])
        if node.cell_type != cell.kind:
            run: dict[str, object] = {"outputs": [], "execution_count": None}
            more = run if cell.kind == "code" else {}
            return NotebookNode(
                cell_type=cell.kind, metadata=node.metadata, source=cell.text, **more
            )
        if node.source != cell.text:
            node.source = cell.text
            if "outputs" in node:
                node.outputs = []
        return node


def _likeness(one: Slot, other: Slot) -> float:
    """How much one exercise's starting text is like another's, but for the function's name."""
    text, other_text = (slot.stub.text.replace(slot.name, "") for slot in (one, other))
    return SequenceMatcher(None, text, other_text).ratio()
