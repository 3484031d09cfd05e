"""Submissions written as text: `# ==== NAME`, a TOML header in comments, then cells.

`# %% NAME` is the answer to an exercise; `# %% before NAME`, `after NAME` and `end` are cells of
the student's own.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Cells = tuple[tuple[str, str], ...]
"""The place of each cell, and its text."""


def read_written(folder: Path) -> Iterator[tuple[str, dict[str, Any], Cells]]:
    """The name, header and cells of each submission in the folder's files, in order of name."""
    texts = [file.read_text(encoding="utf-8") for file in folder.glob("*.py")]
    written = sorted(part for text in texts for part in re.split(r"(?m)^# ==== ", text)[1:])
    for name, _, text in (each.partition("\n") for each in written):
        yield name, *_header_and_cells(text)


def _header_and_cells(text: str) -> tuple[dict[str, Any], Cells]:
    head, *parts = re.split(r"(?m)^# %% (?=\w)", text)
    header = tomllib.loads("\n".join(line.removeprefix("#").strip() for line in head.splitlines()))
    cells = (part.partition("\n") for part in parts)
    return header, tuple((place.strip(), text.strip("\n")) for place, _, text in cells)


def with_own(cells: Iterable[dict[str, Any]], written: Cells) -> Iterator[dict[str, Any]]:
    """A notebook's cells, and the student's own among them."""
    for cell in cells:
        own = cell["metadata"].get("nbgrader", {})
        short = own.get("grade_id") if own.get("solution") else None
        yield from _own(written, f"before {short}")
        yield cell
        yield from _own(written, f"after {short}")
    yield from _own(written, "end")


def _own(written: Sequence[tuple[str, str]], where: str) -> Iterator[dict[str, Any]]:
    for number, (place, text) in enumerate(written):
        if place == where:
            yield {
                "cell_type": "code",
                "id": f"own{number}",
                "metadata": {},
                "source": text,
                "outputs": [],
                "execution_count": None,
            }
