"""The record of files delivered into a workspace: the version of each copy, and the versions.

The versions are stored by their hash: the difference between a copy and its version is what the
learner wrote.
"""

import gzip
import hashlib
import os
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import pydantic
from pydantic import TypeAdapter

from course_notebooks.safe_files import create_file, explained, free_path, replace_file

_FILE = ".course/delivered.json"
_FOLDER = ".course/delivered"


def sha256(data: bytes) -> str:
    """The SHA-256 hash of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


class Version(NamedTuple):
    """A version of a file: the hashes of the course's original and of the delivered content."""

    original: str
    content: str


@pydantic.dataclasses.dataclass
class DeliveredFile:
    """A file of the course in a workspace.

    copy: the version that was delivered at its path; None if unknown.
    beside: newer versions that were put next to it, and versions before it was deleted.
    new, told: the path of the latest new version, and the message about it.
    """

    copy: Version | None = None
    beside: list[Version] = field(default_factory=list)
    new: str = ""
    told: str = ""


@pydantic.dataclasses.dataclass
class _DeliveriesFile:
    """The record in its file."""

    version: Literal[2]
    files: dict[str, DeliveredFile]


@dataclass
class Deliveries:
    """The record of one workspace.

    broken: the path of a copy of a record that could not be read, or "".
    """

    workspace: Path
    entries: dict[str, DeliveredFile] = field(default_factory=dict)
    broken: str = ""

    @classmethod
    def read(cls, workspace: Path) -> "Deliveries":
        """The record of a workspace; empty if there is none, or if it cannot be read."""
        path = workspace / _FILE
        if not os.path.lexists(path):
            return cls(workspace)
        with explained(path):
            data = path.read_bytes()
        try:
            return cls(workspace, TypeAdapter(_DeliveriesFile).validate_json(data).files)
        except ValueError:
            copy = free_path(path, "broken")
            create_file(copy, data)
            return cls(workspace, broken=copy.relative_to(workspace).as_posix())

    def entry(self, path: str) -> DeliveredFile:
        """The entry of a file; a new one if there is none yet."""
        return self.entries.setdefault(path, DeliveredFile())

    def write(self) -> None:
        """Save the record. Raises CourseError if it cannot be written."""
        data = TypeAdapter(_DeliveriesFile).dump_json(_DeliveriesFile(2, self.entries), indent=1)
        replace_file(self.workspace / _FILE, data + b"\n")

    def keep(self, content: bytes) -> str:
        """Store a delivered content, and return its hash."""
        name = sha256(content)
        if not self._kept(name).exists():
            replace_file(self._kept(name), gzip.compress(content, mtime=0))
        return name

    def kept(self, name: str) -> bytes | None:
        """The content with this hash; None if it is missing or damaged."""
        try:
            content = gzip.decompress(self._kept(name).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None
        return content if sha256(content) == name else None

    def has_kept(self, name: str) -> bool:
        """Whether there is a content with this hash, intact or damaged."""
        return self._kept(name).is_file()

    def base(self, path: str, present: bytes) -> bytes | None:
        """The version on which a learner's copy, `present`, is based; None if unknown.

        The learner may have renamed files, so it is the version with the most lines in common.
        """
        entry, there = self.entry(path), _lines(present)
        known = [version for version in (entry.copy, *entry.beside) if version]
        kept = [content for each in known if (content := self.kept(each.content)) is not None]
        return min(kept, key=lambda each: len(there ^ _lines(each)), default=None)

    def _kept(self, name: str) -> Path:
        return self.workspace / _FOLDER / f"{name}.gz"


def _lines(data: bytes) -> set[bytes]:
    """The lines of a file, and of the texts in a notebook, independent of its JSON layout."""
    found = re.split(rb'\\[nr]|[\r\n]+|": "?|", "?', data.replace(b"\0", b""))
    return {line.strip(b' \t",[]{}') for line in found}
