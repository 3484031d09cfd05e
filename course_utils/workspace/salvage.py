"""What is left of a notebook that is not JSON any more: every cell that is still whole."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_utils.workspace.same import source_of

_MERGE_MARKS = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7}).*$", re.MULTILINE)
_CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata)"\s*:')
_KINDS = ("code", "markdown", "raw")


@dataclass(frozen=True)
class Salvaged:
    """whole: whether all of the file could be read."""

    notebook: NotebookNode
    whole: bool


def salvage(data: bytes) -> Salvaged | None:
    """The cells in a damaged file, each once; None if there is none.

    It may be cut off, hold two notebooks one after the other, or the marks of a failed merge.
    """
    text = _MERGE_MARKS.sub("", data.decode("utf-8", "replace")).replace("\0", "")
    found: dict[tuple[str, str], dict[str, Any]] = {}
    whole = True
    for cell in _cells(text):
        if cell is None:
            whole = False
        else:
            found.setdefault((cell["cell_type"], cell["source"]), cell)
    if not found:
        return None
    notebook = nbformat.from_dict(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": list(found.values()),
        }
    )
    return Salvaged(notebook, whole)


def _cells(text: str) -> Iterator[dict[str, Any] | None]:
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
            yield _tidy(value)


def _tidy(cell: dict[str, Any]) -> dict[str, Any]:
    metadata = cell.get("metadata")
    kept = {
        "cell_type": cell["cell_type"],
        "id": str(cell.get("id", "")),
        "metadata": metadata if isinstance(metadata, dict) else {},
        "source": source_of(cell),
    }
    if kept["cell_type"] == "code":
        outputs = cell.get("outputs")
        kept |= {"outputs": outputs if isinstance(outputs, list) else [], "execution_count": None}
    elif isinstance(cell.get("attachments"), dict):
        kept["attachments"] = cell["attachments"]
    return kept
