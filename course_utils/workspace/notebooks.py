"""Notebooks as a workspace has them: read as they are, with outputs and all, and written."""

import json
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_utils.errors import CourseError
from course_utils.workspace.same import source_of


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
    return nbformat.from_dict({
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": metadata if isinstance(metadata, dict) else {}, "cells": cells,
    })  # fmt: skip


def write_notebook(notebook: NotebookNode) -> bytes:
    """The bytes of a notebook, as JupyterLab saves it."""
    return (nbformat.writes(notebook) + "\n").encode()


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
