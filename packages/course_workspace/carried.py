"""A new version of a file with the learner's work in it.

In notebooks, `course_notebooks.rebuild` puts the work there, as for grading. `course doctor
NOTEBOOK` does the same with the version on which the learner's copy is based.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_notebooks.cellcode import squeezed
from course_notebooks.matching import grade_id, key_of
from course_notebooks.reading import plain_cells
from course_notebooks.rebuild import rebuild
from course_notebooks.renamed import use_new_names
from course_notebooks.source import write_notebook
from course_utils.errors import CourseError
from course_utils.words import counted, listed, shortened
from course_workspace.notebooks import notebook_of, read_notebook
from course_workspace.program.filling import FOLDER, with_passed


@dataclass(frozen=True)
class Carried:
    """A notebook of the course with a learner's work in it.

    repaired: the repairs, in sentences.
    held: by exercise, why only the learner can decide which cell is the answer.
    answered, open: the exercises with an answer, and those without.
    left: the learner's cells whose text is not in it.
    both: the cells that contain the learner's text, and that the course has changed too.
    """

    notebook: NotebookNode
    repaired: Sequence[str]
    held: Mapping[str, str]
    answered: Sequence[str]
    open: Sequence[str]
    left: Sequence[str]
    both: Sequence[str]

    @property
    def left_out(self) -> str:
        """A sentence about the learner's text that is not in it, or ""."""
        return f"Only the old file has what you wrote in {listed(self.left)}." if self.left else ""

    @property
    def unclear(self) -> list[str]:
        """A sentence about each answer that only the learner can find."""
        return [f"{why} Put the answer into its own cell." for why in self.held.values()]


def carry(mine: NotebookNode, base: NotebookNode, new: NotebookNode) -> Carried:
    """A copy of `new` with the learner's work. base: the version in which they wrote it.

    Cells that are the same keep their results. The arguments are not changed.
    """
    plain = nbformat.from_dict(list(plain_cells(mine.cells)))
    ours = {squeezed(cell.source) for cell in (*base.cells, *new.cells)} | {""}
    texts = {place: cell.source for place, cell in enumerate(plain)}
    written = {place: text for place, text in texts.items() if squeezed(text) not in ours}
    _renew(plain, base, new)
    rebuilt = rebuild(new, notebook_of(plain, {}))
    former = {key_of(cell): cell.source for cell in base.cells}
    by_id = {cell.get("id"): cell for cell in mine.cells}
    for cell in rebuilt.notebook.cells:
        number = rebuilt.origin.get(cell.id)
        own = by_id.get(cell.id) if number is None else mine.cells[number]
        if own is not None and own.cell_type == cell.cell_type:
            _bring(own, cell, former.get(key_of(cell)))
    rebuilt.notebook.metadata = nbformat.from_dict({**mine.metadata, **new.metadata})
    there = "\n".join(cell.source for cell in rebuilt.notebook.cells)
    named = [cell for cell in new.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    changed = [cell for cell in new.cells if former.get(key_of(cell), cell.source) != cell.source]
    return Carried(
        rebuilt.notebook,
        rebuilt.repaired,
        rebuilt.held,
        [key_of(cell) for cell in named if cell.id in rebuilt.origin],
        [key_of(cell) for cell in named if cell.id not in rebuilt.origin],
        [_called(place, text) for place, text in written.items() if text not in there],
        [key_of(cell) for cell in changed if rebuilt.origin.get(cell.id) in written],
    )


def _called(place: int, text: str) -> str:
    """A cell in a sentence: its number, which JupyterLab does not show, and its first words."""
    return f"cell {place + 1} (“{shortened(text.strip().splitlines()[0], 40)}”)"


def _renew(mine: list[NotebookNode], base: NotebookNode, new: NotebookNode) -> None:
    """Update the cells in which the learner wrote nothing, so that they do not count as written."""
    former = {key_of(cell): cell for cell in base.cells}
    by_text = {(cell.cell_type, cell.source): cell for cell in base.cells}
    latest = {key_of(cell): cell for cell in new.cells}
    for cell in mine:
        text = (cell.cell_type, cell.source)
        was = former.get(key_of(cell))
        if was is None or (was.cell_type, was.source) != text:
            was = by_text.get(text)
        if was is None:
            continue
        if now := latest.get(key_of(was)):
            cell.cell_type, cell.source = now.cell_type, now.source
        else:
            cell.source, cell.metadata = "", NotebookNode()


def _bring(own: NotebookNode, cell: NotebookNode, former: str | None) -> None:
    """Copy into a cell what only the learner's copy has: notes in a text, results, pictures."""
    if cell.cell_type == "markdown" and not grade_id(cell) and former == cell.source:
        cell.source = own.source if own.source.strip() else cell.source
    if own.source == cell.source:
        for name in ("outputs", "execution_count", "attachments"):
            if name in own:
                cell[name] = own[name]


def with_work(
    workspace: Path,
    path: str,
    mine: bytes | None,
    base: bytes | None,
    new: bytes,
    renamed: Mapping[str, str],
) -> tuple[bytes, str, str]:
    """The new version of a file with the learner's work, a phrase for it, and more sentences.

    mine: the learner's file at `path`; None if there is none.
    base: the version on which it is based; None if unknown.
    renamed: by old name, the new name of an exercise that `mine` and `base` may contain.
    """
    if path.endswith(".ipynb") and mine is not None:
        latest = read_notebook(new, path)
        try:
            own, former = read_notebook(mine, path), read_notebook(base or new, path)
            for notebook in (own, former):
                use_new_names(notebook, renamed)
            carried = carry(own, former, latest)
        except CourseError as problem:
            return new, "without what you wrote", str(problem)
        number = len(carried.answered)
        answers = f" ({counted(number, 'answer')})" if number else ""
        return (
            write_notebook(carried.notebook),
            f"with what you wrote{answers}",
            " ".join(_said(carried)),
        )
    if path.startswith(f"{FOLDER}/"):
        name = Path(path).name
        new = with_passed(workspace, {name: new.decode()})[name].encode()
        return new, "with the parts that passed", "What you edited is only in the old file."
    return new, "without your changes", ""


def _said(carried: Carried) -> Iterator[str]:
    yield from carried.unclear
    if carried.both:
        yield f"Your text is kept in {listed(carried.both)}, which the course has changed, too."
    if carried.left_out:
        yield carried.left_out
