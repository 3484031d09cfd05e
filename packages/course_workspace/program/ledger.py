"""The parts that the course put into a learner's program, recorded in the workspace.

So a part that the learner has edited is never mistaken for the course's.
"""

import os
import time
from dataclasses import field
from pathlib import Path
from typing import Literal, Self

import pydantic
from pydantic import TypeAdapter

from course_notebooks.safe_files import create_file, explained, free_path, replace_file

_FILE = ".course/program.json"


@pydantic.dataclasses.dataclass(frozen=True)
class PutPart:
    """The text of a part at the time it was put into the program.

    cell: the learner's cell that passed; "" for the course's first version of the part.
    at: the time, in seconds since 1970.
    """

    text: str
    cell: str = ""
    at: int = 0


@pydantic.dataclasses.dataclass
class _LedgerFile:
    """The ledger in its file."""

    version: Literal[1] = 1
    parts: dict[str, list[PutPart]] = field(default_factory=dict)


class Ledger:
    """The texts of each part, by its name, in the order in which they were put."""

    def __init__(self, workspace: Path, parts: dict[str, list[PutPart]]) -> None:
        self._file, self._parts = workspace / _FILE, parts

    @classmethod
    def read(cls, workspace: Path) -> Self:
        """The ledger of a workspace. One that cannot be read is renamed, and a new one begun."""
        file = workspace / _FILE
        if not os.path.lexists(file):
            return cls(workspace, {})
        with explained(file):
            data = file.read_bytes()
        try:
            return cls(workspace, TypeAdapter(_LedgerFile).validate_json(data).parts)
        except ValueError:
            create_file(free_path(file, "broken"), data)
            return cls(workspace, {})

    def of(self, name: str) -> list[PutPart]:
        """The texts of a part, the oldest first."""
        return self._parts.get(name, [])

    def passed(self, name: str) -> PutPart | None:
        """The latest text of a part that passed, or None."""
        return next((part for part in reversed(self.of(name)) if part.cell), None)

    def give(self, name: str, text: str) -> bool:
        """Record the course's first version of a part; False if it is already recorded."""
        if any(part.text == text and not part.cell for part in self.of(name)):
            return False
        self._parts.setdefault(name, []).append(PutPart(text))
        return True

    def put(self, name: str, text: str, cell: str) -> bool:
        """Record a part that passed, before it is put; False if it is already the latest."""
        latest = self.passed(name)
        if latest is not None and (latest.text, latest.cell) == (text, cell):
            return False
        self._parts.setdefault(name, []).append(PutPart(text, cell, int(time.time())))
        return True

    def write(self) -> None:
        """Save the ledger. Raises CourseError if it cannot be written."""
        data = TypeAdapter(_LedgerFile).dump_json(_LedgerFile(1, self._parts), indent=1)
        replace_file(self._file, data + b"\n")
