"""Notebooks as a workspace has them: read as they are, with outputs and all, and written."""

import json
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_utils.errors import CourseError
from course_utils.workspace.same import source_of

_LONGEST_ID = 64  # signs, by the format of notebooks


def read_notebook(data: bytes, name: str) -> NotebookNode:
    """The notebook in `data`. Raises CourseError, which calls it `name`, if there is none."""
    try:
        content = json.loads(data.decode())
        cells = [_cell(cell) for cell in content["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CourseError(
            f"{name} cannot be read as a notebook: `course doctor {name}` says what is left of it."
        ) from error
    metadata = content.get("metadata")
    return nbformat.from_dict(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": metadata if isinstance(metadata, dict) else {},
            "cells": cells,
        }
    )


def write_notebook(notebook: NotebookNode) -> bytes:
    """The bytes of a notebook, as JupyterLab saves it."""
    return (nbformat.writes(notebook) + "\n").encode()


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


def note_cell(name: str, why: str, cell: NotebookNode) -> NotebookNode:
    """A Markdown cell with the id `name` that says `why`, and shows the text of `cell`."""
    text = cell.source if cell.cell_type == "markdown" else fenced(cell.source)
    return nbformat.from_dict(
        {
            "cell_type": "markdown",
            "id": name,
            "metadata": {},
            "source": f"> {why}\n\n{text}",
        }
    )


def fenced(text: str) -> str:
    """Code as Markdown shows it, with a fence that is not in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}python\n{text}\n{fence}"


def _cell(cell: Any) -> dict[str, Any]:
    kept = {**cell, "source": source_of(cell)}
    metadata = kept.get("metadata")
    kept["metadata"] = metadata if isinstance(metadata, dict) else {}
    if kept["cell_type"] == "code":
        kept.setdefault("outputs", [])
        kept.setdefault("execution_count", None)
    return kept
