"""Convert a notebook to text and back: pure functions, which raise instead of losing content.

The text is jupytext's py:percent without a header. In the notebook, a cell's id is its grade_id
or its slug, and there are no outputs.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from course_notebooks.matching import grade_id
from course_utils.errors import CourseError

_CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FORMAT = {
    "extension": ".py",
    "format_name": "percent",
    "cell_metadata_filter": "all",
    "notebook_metadata_filter": "-all",
    "cell_metadata_json": True,
}
_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_PASSING = {  # metadata that JupyterLab and jupytext add when a cell is run, shown or converted
    "ExecuteTime",
    "cell_marker",
    "collapsed",
    "execution",
    "lines_to_end_of_cell_marker",
    "lines_to_next_cell",
    "scrolled",
    "trusted",
}
_NBGRADER_FLAGS = ("grade", "locked", "solution", "task")


def notebook_from_text(text: str) -> NotebookNode:
    """The canonical notebook of a py:percent text: named cells, no outputs, kernel python3.

    Raises CourseError for a cell without a slug (or grade_id), a name that is used twice, invalid
    nbgrader metadata, and text that is no notebook.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if len(line.splitlines()) > 1 or line != line.rstrip("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"):
            raise CourseError(
                f"line {number} has an invisible line break (a form feed, U+2028, …). "
                "Write it as an escape, such as \\u2028, or remove it."
            )
    cells = [_canonical(cell) for cell in _cells(text)]
    if not cells:
        raise CourseError('there is no cell. Begin with `# %% [markdown] {"slug": "title"}`.')
    taken: set[str] = set()
    for number, cell in enumerate(cells, 1):
        cell.id = _declared_id(cell, number, taken)
        taken.add(cell.id)
    return new_notebook(cells=cells, metadata=nbformat.from_dict(_METADATA))


def text_from_notebook(notebook: NotebookNode) -> str:
    """The py:percent text of a notebook, without outputs, counts and other temporary state.

    A cell without a slug, or with the slug of another cell, gets one from its first words.
    Raises CourseError for a cell that cannot be text, and for a grade_id that is used twice.
    """
    cells = [_canonical(cell) for cell in notebook.cells]
    for cell, kept in zip(notebook.cells, cells, strict=True):
        kept.id = cell.get("id", "")
        if cell.get("attachments"):
            raise CourseError(
                f"the cell {_excerpt(cell)} has a pasted picture, which cannot be text. "
                "Save it as a file and link to that."
            )
    _name_all(cells)
    for cell in cells:
        cell.metadata["lines_to_next_cell"] = 1
    body = jupytext.writes(new_notebook(cells=cells), fmt=_FORMAT)
    text = body.rstrip("\n") + "\n"
    _refuse_loss(text, cells)
    return text


def fingerprint(notebook: NotebookNode) -> str:
    """A hash of the written content of a notebook; running the notebook does not change it."""
    content = json.dumps(_content(notebook.cells), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def same_content(text: str, other: str) -> bool:
    """Whether two texts make the same notebook."""
    try:
        return _content(notebook_from_text(text).cells) == _content(notebook_from_text(other).cells)
    except CourseError:
        return False


def _cells(text: str) -> list[NotebookNode]:
    """The cells of a text as jupytext reads and nbformat validates them."""
    try:
        return jupytext.reads(text, fmt="py:percent").cells
    except nbformat.ValidationError as error:
        raise CourseError(f"not a valid notebook: {error.message}.") from error


def _canonical(cell: NotebookNode) -> NotebookNode:
    """The cell in canonical form: sorted metadata without temporary state, no outputs, no id."""
    metadata = {key: cell.metadata[key] for key in sorted(cell.metadata) if key not in _PASSING}
    jupyter = {k: v for k, v in metadata.pop("jupyter", {}).items() if k != "outputs_hidden"}
    if jupyter:
        metadata["jupyter"] = jupyter
    kept = {
        "cell_type": cell.cell_type,
        "metadata": json.loads(json.dumps(metadata, sort_keys=True)),
        "source": cell.source.strip("\n") if cell.source.strip() else "",
    }
    if cell.cell_type == "code":
        kept |= {"execution_count": None, "outputs": []}
    return nbformat.from_dict(kept)


def _content(cells: Iterable[NotebookNode]) -> list[Any]:
    kept = [_canonical(cell) for cell in cells]
    return [[cell.cell_type, cell.metadata, cell.source] for cell in kept]


def _declared_id(cell: NotebookNode, number: int, taken: set[str]) -> str:
    """The id that the text gives to a cell: its grade_id, else its slug."""
    kind = "" if cell.cell_type == "code" else f"[{cell.cell_type}] "
    where = f"cell {number}, {_excerpt(cell)}"
    if "nbgrader" in cell.metadata:
        _check_nbgrader(cell, where)
    name = grade_id(cell) or cell.metadata.get("slug")
    if name is None:
        proposal = json.dumps({**cell.metadata, "slug": _proposal(cell, taken)}, sort_keys=True)
        raise CourseError(f"{where} has no slug. Begin it with `# %% {kind}{proposal}`.")
    if not isinstance(name, str) or not _CELL_ID.fullmatch(name):
        raise CourseError(
            f"{where} has the name {name!r}. Use 1 to 64 letters, digits, - and _ "
            f"({_proposal(cell, taken)})."
        )
    if name in taken:
        raise CourseError(f"{where} has the name {name}, as an earlier cell. Rename one of them.")
    return name


def _check_nbgrader(cell: NotebookNode, where: str) -> None:
    """Raise CourseError for nbgrader metadata that nbgrader would refuse or misread."""
    meta = cell.metadata["nbgrader"]
    if not isinstance(meta, dict):
        raise CourseError(f"{where}: nbgrader is {meta!r}. Write a table, as in other cells.")
    missing = [key for key in ("grade_id", "schema_version", *_NBGRADER_FLAGS) if key not in meta]
    if missing:
        raise CourseError(f"{where}: nbgrader lacks {', '.join(missing)}. Add it.")
    for flag in _NBGRADER_FLAGS:
        if not isinstance(meta[flag], bool):
            raise CourseError(f"{where}: nbgrader's {flag} is {meta[flag]!r}. Write true or false.")
    if meta["schema_version"] != 3:
        raise CourseError(
            f"{where}: nbgrader's schema_version is {meta['schema_version']!r}. Use 3."
        )
    points = meta.get("points")
    graded = meta["grade"] or meta["task"]
    if graded and (isinstance(points, bool) or not isinstance(points, int | float) or points < 0):
        raise CourseError(f"{where}: a graded cell needs points. Add a number, 0 or more.")
    if cell.cell_type == "markdown" and not meta["task"] and meta["grade"] != meta["solution"]:
        raise CourseError(f"{where}: set both grade and solution of a markdown cell, or neither.")


def _name_all(cells: Sequence[NotebookNode]) -> None:
    """Give every cell without a grade_id a unique slug; valid slugs are kept."""
    grade_ids = [name for cell in cells if (name := grade_id(cell))]
    for name in grade_ids:
        if grade_ids.count(name) > 1:
            raise CourseError(f"two cells have the grade_id {name}. Change one of them.")
    taken = set(grade_ids)
    others = [cell for cell in cells if not grade_id(cell)]
    # Among a cell and its copies, the one with the original id comes first.
    for cell in sorted(others, key=lambda cell: cell.id != cell.metadata.get("slug")):
        slug = cell.metadata.get("slug")
        if not isinstance(slug, str) or not _CELL_ID.fullmatch(slug) or slug in taken:
            slug = cell.metadata["slug"] = _proposal(cell, taken)
        taken.add(slug)


def _proposal(cell: NotebookNode, taken: set[str]) -> str:
    """An unused slug made from the first line of the cell."""
    words = re.findall(r"[a-z0-9]+", cell.source.strip().split("\n")[0].lower())[:5]
    stem = "-".join(words)[:40].strip("-") or "cell"
    number, slug = 1, stem
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug


def _excerpt(cell: NotebookNode) -> str:
    first = cell.source.strip().split("\n")[0] or "(empty)"
    return f"“{first if len(first) <= 60 else first[:59] + '…'}”"


def _refuse_loss(text: str, cells: Sequence[NotebookNode]) -> None:
    """Raise CourseError unless `text` converts back to exactly `cells`."""
    again, wanted = _content(_cells(text)), _content(cells)
    if again != wanted:
        index = next(i for i, cell in enumerate(wanted) if again[i : i + 1] != [cell])
        raise CourseError(
            f"the cell {_excerpt(cells[index])} cannot be written as text without a change. "
            "Look for a line that begins with `# %%`, or for invisible characters."
        )
