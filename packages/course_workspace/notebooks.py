"""Notebooks of a workspace: reading them with their outputs, and recovering damaged ones."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_notebooks.source import source_notebook, source_of
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, load_manifest
from course_workspace.deliveries import Deliveries
from course_workspace.files import assignment_file

_MERGE_MARKS = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7}).*$", re.MULTILINE)
_CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata)"\s*:')
_KINDS = ("code", "markdown", "raw")


def read_notebook(data: bytes, name: str) -> NotebookNode:
    """The notebook in `data`. Raises CourseError, with its `name`, if there is none."""
    try:
        content = json.loads(data.decode())
        return notebook_of([_cell(cell) for cell in content["cells"]], content.get("metadata"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CourseError(
            f"{name} is not a valid notebook. `course doctor {name}` shows what can be recovered."
        ) from error


def notebook_of(cells: Sequence[Mapping[str, Any]], metadata: Any) -> NotebookNode:
    """A notebook of these cells. metadata: of the notebook; ignored if it is not a dict."""
    kept = metadata if isinstance(metadata, dict) else {}
    return nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": kept, "cells": list(cells)}
    )


def salvage(data: bytes) -> tuple[NotebookNode, bool] | None:
    """The cells in a damaged file, each once, and whether all cells could be read.

    The file may be cut off, or contain two notebooks, or the marks of a failed merge. None if there
    is no cell in it.
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
    """The assignment's notebook as the course releases it now."""
    from course_notebooks.release import released_notebook  # it takes seconds to import

    return nbformat.from_dict(released_notebook(source_notebook(root, assignment)))


def base_of(root: Path, record: Deliveries, path: str, data: bytes) -> NotebookNode | None:
    """The version on which a learner's copy, `data`, is based; if unknown, the current release.

    None for a notebook that is not the course's.
    """
    base = record.base(path, data)
    if base is not None:
        return read_notebook(base, path)
    for assignment in load_manifest(root / "course.toml").assignments:
        if path == assignment_file(assignment):
            return release_of(root, assignment)
    return None


def _whole_cells(text: str) -> Iterator[dict[str, Any] | None]:
    """Every cell in `text`, and None for each cell that is cut off."""
    decoder = json.JSONDecoder(strict=False)
    place = 0
    while match := _CELL.search(text, place):
        try:
            value, place = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            place = match.end()
            # Metadata inside a cell looks the same; only a cell has a type.
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
