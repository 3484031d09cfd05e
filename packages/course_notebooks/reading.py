"""Read a submitted notebook of any content, and reduce it to the parts that grading needs.

The result has a known form, so that later code can trust it: text, cell types, ids, grade_ids, and
outputs of limited size.
"""

import errno
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_utils.errors import CourseError
from exercise_kit.text import clip

LARGEST = 20 * 1024 * 1024
"""The largest size of a submitted file, in bytes."""

_MOST_CELLS = 5_000
_MOST_TEXT = 4_000_000  # characters of all cells together
_MOST_PARTS = 2_000_000  # lists and dicts of a JSON file: each takes at least 64 bytes
_LONGEST_SHOWN = 300  # characters of a path
_MOST_OUTPUT = 1_000_000  # characters of a cell's outputs
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KINDS = ("code", "markdown", "raw")
_FLAGS = ("grade", "locked", "solution", "task")


class Unreadable(CourseError):
    """A submitted file that cannot be read as a notebook."""


def read_submission(path: Path) -> NotebookNode:
    """The notebook at `path`, as `parse_submission` returns it. Raises Unreadable."""
    return parse_submission(read_bounded(path), shown(path))


def read_bounded(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a regular file. Raises Unreadable for a link, a special file or a large one."""
    name = shown(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Unreadable(f"{name} is not a regular file: ask for the file itself.")
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(largest + 1)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.ELOOP:
            raise Unreadable(f"{name} is a link: ask for the file itself.") from None
        why = getattr(error, "strerror", None) or error
        raise Unreadable(f"{name} cannot be read ({why}): repair it, or ask for it.") from error
    if len(data) > largest:
        size = f"{largest >> 20} MB"
        smaller = "it again, without outputs" if name.endswith(".ipynb") else "a smaller one"
        raise Unreadable(f"{name} is larger than {size}: ask for {smaller}.")
    return data


def parse_submission(data: bytes, name: str) -> NotebookNode:
    """The notebook in `data`, in nbformat 4.5, reduced to the parts that grading needs.

    name: its name in messages. Raises Unreadable, and no other error.
    """
    try:
        return _notebook(_json(data, name), name)
    except (RecursionError, MemoryError) as error:
        raise Unreadable(
            f"{name} is nested too deeply or too large for a notebook: ask for it again."
        ) from error


def shown(path: Path | str) -> str:
    """A path for messages: on one short line, without control characters or invalid text."""
    text = "".join(sign if sign.isprintable() else "�" for sign in str(path))
    return clip(text, _LONGEST_SHOWN)


def _json(data: bytes, name: str) -> Any:
    if not data.strip(b"\0 \t\r\n"):
        raise Unreadable(f"{name} is empty: ask for it again.")
    try:
        text = data.decode(json.detect_encoding(data)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name} is not in UTF-8: ask for it as JupyterLab saves it.") from error
    if text.count("[") + text.count("{") > _MOST_PARTS:
        raise MemoryError
    try:
        return json.loads(text)
    except ValueError as error:
        raise Unreadable(
            f"{name} is not a notebook, or only a part of one: ask for it again."
        ) from error


def _notebook(content: Any, name: str) -> NotebookNode:
    version = content.get("nbformat", 4) if isinstance(content, dict) else None
    if isinstance(version, int) and 1 <= version <= 3:
        content = _converted(content, name)
    elif version != 4:
        raise Unreadable(f"{name} is not a notebook of a known version: ask for it again.")
    cells = content.get("cells")
    if not isinstance(cells, list):
        raise Unreadable(f"{name} has no cells: ask for the notebook itself.")
    if len(cells) > _MOST_CELLS:
        raise Unreadable(f"{name} has more than {_MOST_CELLS} cells: ask what happened to it.")
    kept = list(plain_cells(cells))
    if sum(len(cell["source"]) for cell in kept) > _MOST_TEXT:
        raise Unreadable(f"{name} has more text than a person writes: ask what happened to it.")
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": kept})


def _converted(content: dict[str, Any], name: str) -> dict[str, Any]:
    try:
        return nbformat.convert(nbformat.from_dict(content), 4)
    except Exception as error:  # nbformat raises any error for damaged input
        raise Unreadable(
            f"{name} is in an old format, and damaged: ask for it as JupyterLab saves it."
        ) from error


def plain_cells(cells: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The cells in a known form, reduced to the parts that matching and grading need."""
    taken: set[str] = set()
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        kind = next((known for known in _KINDS if known == cell.get("cell_type")), "raw")
        kept: dict[str, Any] = {
            "cell_type": kind,
            "id": _free_id(cell.get("id"), number, taken),
            "metadata": _metadata(cell.get("metadata")),
            "source": _text(cell.get("source")),
        }
        if kind == "markdown" and isinstance(attached := cell.get("attachments"), dict):
            outputs = [{"output_type": "display_data", "data": data} for data in attached.values()]
            pictures = zip(attached, parse_outputs(outputs), strict=False)
            kept["attachments"] = {_text(name): each.data for name, each in pictures}
        if kind == "code":
            kept |= {"execution_count": None, "outputs": parse_outputs(cell.get("outputs"))}
        yield kept


def _free_id(given: Any, number: int, taken: set[str]) -> str:
    name = given if isinstance(given, str) and _ID.fullmatch(given) else f"unnamed-{number}"
    while name in taken:
        name = f"unnamed-{number}" if name == given else f"{name}-{number}"
    taken.add(name)
    return name


def _metadata(given: Any) -> dict[str, Any]:
    """nbgrader's metadata of a cell: its grade_id and flags; empty without a grade_id."""
    nbgrader = given.get("nbgrader") if isinstance(given, Mapping) else None
    known = nbgrader if isinstance(nbgrader, Mapping) else {}
    name = known.get("grade_id")
    if not isinstance(name, str) or not name:
        return {}
    flags = {flag: known.get(flag) is True for flag in _FLAGS}
    return {"nbgrader": {"grade_id": _text(name), **flags}}


def _text(given: Any) -> str:
    """The text of a cell, from a string or a list of lines; "" for any other value."""
    if isinstance(given, list):
        given = "".join(line for line in given if isinstance(line, str))
    if not isinstance(given, str):
        return ""
    whole = given.encode("utf-8", "replace").decode()  # a lone surrogate cannot be saved
    return whole.replace("\r\n", "\n").replace("\r", "\n")


def parse_outputs(given: Any) -> list[NotebookNode]:
    """The outputs of a cell that are text; none if they are longer than the limit."""
    outputs = [
        kept
        for output in (given if isinstance(given, list) else ())
        if isinstance(output, dict) and (kept := _output(output))
    ]
    return nbformat.from_dict(outputs) if sum(map(_length, outputs)) <= _MOST_OUTPUT else []


def _output(given: Mapping[str, Any]) -> dict[str, Any] | None:
    match given.get("output_type"):
        case "stream":
            name = "stderr" if given.get("name") == "stderr" else "stdout"
            return {"output_type": "stream", "name": name, "text": _text(given.get("text"))}
        case "display_data" | "execute_result" as kind:
            data = given.get("data")
            items = data.items() if isinstance(data, dict) else ()
            texts = {_text(mime): _text(v) for mime, v in items if isinstance(v, str | list)}
            count = {"execution_count": None} if kind == "execute_result" else {}
            return {"output_type": kind, "data": texts, "metadata": {}, **count}
        case "error":
            lines = given.get("traceback")
            return {
                "output_type": "error",
                "ename": _text(given.get("ename")),
                "evalue": _text(given.get("evalue")),
                "traceback": [_text(line) for line in lines] if isinstance(lines, list) else [],
            }
    return None


def _length(output: Mapping[str, Any]) -> int:
    texts = [
        output.get("text", ""),
        output.get("evalue", ""),
        *output.get("traceback", ()),
        *output.get("data", {}).values(),
    ]
    return sum(map(len, texts))
