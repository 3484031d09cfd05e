"""The learner's version of an assignment: nbgrader's own preprocessors, without a gradebook."""

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config import Config

from course_notebooks.source import read_built
from course_utils.errors import CourseError

_STEPS = (  # nbgrader's order for `generate_assignment`, without the steps that need a gradebook
    LockCells,
    ClearSolutions,
    ClearOutput,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
)
_MARKER = re.compile(
    r"(begin|end)[\s_-]*(solution|hidden[\s_-]*tests?|mark[\s_-]*scheme)", re.IGNORECASE
)
_AUTHORS_ONLY = ("course", "jupytext", "widgets")  # build stamp, text pairing, widget state


def released_notebook(source: Path, config: Config | None = None) -> NotebookNode:
    """The learners' version of the assignment notebook at `source`. config: nbgrader's settings.

    Raises CourseError if `source` cannot be read or released, or if it would contain a part of a
    solution, a hidden test or a mark scheme.
    """
    notebook = read_built(source)
    secrets = [block for cell in notebook.cells for block in _marked_blocks(cell.source)]
    for key in _AUTHORS_ONLY:
        notebook.metadata.pop(key, None)
    resources = ResourcesDict()
    for step in _STEPS:
        preprocessor = step(config=config)
        log = preprocessor.log  # shared with nbgrader's command, if one runs
        level = log.level
        log.setLevel(logging.CRITICAL)  # the exception has the message
        try:
            notebook, resources = preprocessor.preprocess(notebook, resources)
        except Exception as error:
            raise CourseError(f"{source} cannot be released: {error}") from error
        finally:
            log.setLevel(level)
    for cell in notebook.cells:
        _refuse_leak(source, cell, secrets)
    return notebook


def _refuse_leak(source: Path, cell: NotebookNode, secrets: Iterable[list[str]]) -> None:
    name = cell.get("id", "without id")
    if marker := _MARKER.search(cell.source):
        raise CourseError(
            f"{source}: the cell {name} would keep “{marker[0]}” in the release. "
            "Write both markers of the region, as in ### BEGIN SOLUTION and ### END SOLUTION."
        )
    lines = _code(cell.source.split("\n"))
    for secret in secrets:
        if any(lines[i : i + len(secret)] == secret for i in range(len(lines))):
            raise CourseError(
                f"{source}: the cell {name} repeats a solution, from “{secret[0]}” on, "
                "and would be released. Remove it there."
            )


def _marked_blocks(text: str) -> Iterator[list[str]]:
    """The lines between two markers; not a single line, which may also occur elsewhere."""
    block: list[str] | None = None
    for line in text.split("\n"):
        if marker := _MARKER.search(line):
            if block is not None and len(_code(block)) > 1:
                yield _code(block)
            block = [] if marker[1].lower() == "begin" else None
        elif block is not None:
            block.append(line)


def _code(lines: Iterable[str]) -> list[str]:
    """The lines without indentation, and without empty lines and comments."""
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
