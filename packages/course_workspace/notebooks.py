"""Notebooks as a workspace has them: read as they are, with outputs and all, and written."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_notebooks.source import source_notebook, source_of
from course_utils.errors import CourseError
from course_utils.manifest import Assignment
from course_workspace.deliveries import Deliveries
from course_workspace.files import assignment_file

_MERGE_MARKS = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7}).*$", re.MULTILINE)
_CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata)"\s*:')
_KINDS = ("code", "markdown", "raw")
_LONGEST_ID = 64  # signs, by the format of notebooks


def read_notebook(data: bytes, name: str) -> NotebookNode:
    """The notebook in `data`. Raises CourseError, which calls it `name`, if there is none."""
    try:
        content = json.loads(data.decode())
        return notebook_of([_cell(cell) for cell in content["cells"]], content.get("metadata"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CourseError(
            f"{name} cannot be read as a notebook: `course doctor {name}` says what is left of it."
        ) from error


def notebook_of(cells: Sequence[Mapping[str, Any]], metadata: Any) -> NotebookNode:
    """A notebook of these cells. metadata: of the notebook, as far as it is a table."""
    kept = metadata if isinstance(metadata, dict) else {}
    return nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": kept, "cells": list(cells)}
    )


def salvage(data: bytes) -> tuple[NotebookNode, bool] | None:
    """The cells in a damaged file, each once, and whether all of it could be read.

    It may be cut off, hold two notebooks one after the other, or the marks of a failed merge.
    None if there is no cell in it.
    """
    text = _MERGE_MARKS.sub("", data.decode("utf-8", "replace")).replace("\0", "")
    found: dict[tuple[str, str], dict[str, Any]] = {}
    whole = True
    for cell in _whole_cells(text):
        if cell is None:
            whole = False
        else:
            found.setdefault((cell["cell_type"], cell["source"]), cell)
    return (notebook_of([*found.values()], {}), whole) if found else None


def release_of(root: Path, assignment: Assignment) -> NotebookNode:
    """The assignment as the course releases it now."""
    from course_notebooks.release import released_notebook  # it takes seconds to import

    return nbformat.from_dict(released_notebook(source_notebook(root, assignment)))


def base_of(root: Path, record: Deliveries, assignment: Assignment) -> NotebookNode:
    """The version of an assignment that the learner's copy follows; where that is not known, the
    version that the course releases now."""
    base = record.base(assignment_file(assignment))
    if base is None:
        return release_of(root, assignment)
    return read_notebook(base, assignment.name)


class FreeIds:
    """Ids for the cells of one notebook, each given once."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def free(self, name: str) -> str:
        """`name`, or the first name like it that is free, and no longer than an id may be."""
        number, free = 1, name[:_LONGEST_ID]
        while free in self._taken:
            number += 1
            free = f"{name[: _LONGEST_ID - 8]}-{number}"
        self._taken.add(free)
        return free


def without_marks(cell: NotebookNode) -> NotebookNode:
    """A copy of a cell that is the learner's own, and so has none of the course's metadata."""
    own = deepcopy(cell)
    for name in ("nbgrader", "deletable", "editable"):
        own.metadata.pop(name, None)
    return own


def others_metadata(mine: NotebookNode, ours: NotebookNode) -> NotebookNode:
    """The metadata of the course's cell, with what other programs noted in the learner's."""
    others = {name: value for name, value in mine.metadata.items() if name != "nbgrader"}
    return nbformat.from_dict({**deepcopy(others), **deepcopy(ours.metadata)})


def bring_results(mine: NotebookNode, cell: NotebookNode) -> None:
    """Give `cell` what running it left in the learner's copy."""
    for name in ("outputs", "execution_count", "attachments"):
        if name in mine:
            cell[name] = deepcopy(mine[name])


def quoted(why: str, kind: str, text: str) -> str:
    """Markdown that says `why`, and shows the text of a cell of that kind."""
    fence = "```"
    if kind != "markdown":
        while fence in text:
            fence += "`"
        text = f"{fence}python\n{text}\n{fence}"
    return f"> {why}\n\n{text}"


def _whole_cells(text: str) -> Iterator[dict[str, Any] | None]:
    """Every cell in `text`, and None for one that is cut off."""
    decoder = json.JSONDecoder(strict=False)
    place = 0
    while match := _CELL.search(text, place):
        try:
            value, place = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            place = match.end()
            # Metadata inside of a cell looks alike; a cell says its kind.
            if '"cell_type"' in text[match.start() : match.start() + 400]:
                yield None
            continue
        if isinstance(value, dict) and value.get("cell_type") in _KINDS:
            yield _cell({**value, "id": str(value.get("id", ""))})


def _cell(cell: Any) -> dict[str, Any]:
    kept = {**cell, "source": source_of(cell)}
    metadata = kept.get("metadata")
    kept["metadata"] = metadata if isinstance(metadata, dict) else {}
    if kept["cell_type"] == "code":
        outputs = kept.get("outputs")
        kept["outputs"] = outputs if isinstance(outputs, list) else []
        kept.setdefault("execution_count", None)
    return kept
