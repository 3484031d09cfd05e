"""What the course put into a learner's program, kept in the workspace: so that nothing that they
changed by hand is ever taken for ours."""

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
    """A part as it was put into the program.

    cell: what passed, as the learner wrote it; "" for the form that a part has until its lesson.
    at: when, in seconds since 1970.
    """

    text: str
    cell: str = ""
    at: int = 0


@pydantic.dataclasses.dataclass
class _LedgerFile:
    """The ledger as a file has it."""

    version: Literal[1] = 1
    parts: dict[str, list[PutPart]] = field(default_factory=dict)


class Ledger:
    """Each part by its name, in the order in which it was put."""

    def __init__(self, workspace: Path, parts: dict[str, list[PutPart]]) -> None:
        self._file, self._parts = workspace / _FILE, parts

    @classmethod
    def read(cls, workspace: Path) -> Self:
        """What was kept. One that cannot be understood is laid aside, and a new one begun."""
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
        """What was put in the place of a part, the first one first."""
        return self._parts.get(name, [])

    def passed(self, name: str) -> PutPart | None:
        """The latest of a part that passed."""
        return next((part for part in reversed(self.of(name)) if part.cell), None)

    def give(self, name: str, text: str) -> bool:
        """Note the form that a part has until its lesson; False if that is known."""
        if any(part.text == text and not part.cell for part in self.of(name)):
            return False
        self._parts.setdefault(name, []).append(PutPart(text))
        return True

    def put(self, name: str, text: str, cell: str) -> bool:
        """Note what passed and is about to be put; False if it was put last."""
        latest = self.passed(name)
        if latest is not None and (latest.text, latest.cell) == (text, cell):
            return False
        self._parts.setdefault(name, []).append(PutPart(text, cell, int(time.time())))
        return True

    def write(self) -> None:
        """Raises CourseError if it cannot be written."""
        data = TypeAdapter(_LedgerFile).dump_json(_LedgerFile(1, self._parts), indent=1)
        replace_file(self._file, data + b"\n")
