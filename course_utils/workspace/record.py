"""What was delivered into a workspace: which version each copy follows, and the versions.

The versions are kept by their hash, so that a later one can be merged with what a learner wrote.
"""

import gzip
import hashlib
import json
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_utils.authoring.files import create_file, explained, free_path, replace_file

_FILE = ".course/delivered.json"
_FOLDER = ".course/delivered"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Version:
    """A version of a file: the hashes of the original in the course, and of what came of it."""

    original: str
    content: str


@dataclass
class Entry:
    """A file of the course in a workspace.

    copy: the version that the learner's copy follows; None where nobody knows.
    pending: a newer one, which waits for `course update`.
    earlier: hashes of originals that an older course delivered, the oldest first.
    """

    copy: Version | None = None
    pending: Version | None = None
    earlier: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "copy": self.copy and [self.copy.original, self.copy.content],
            "pending": self.pending and [self.pending.original, self.pending.content],
            **({"earlier": list(self.earlier)} if self.earlier else {}),
        }

    @classmethod
    def from_json(cls, value: Any) -> "Entry":
        """Raises ValueError, TypeError or KeyError where it is none of ours."""
        earlier = tuple(value.get("earlier", ()))
        return cls(_version(value["copy"]), _version(value["pending"]), _hashes(earlier))


@dataclass
class Record:
    """The record of one workspace.

    broken: where a record that could not be read was kept, or "".
    """

    workspace: Path
    entries: dict[str, Entry] = field(default_factory=dict)
    broken: str = ""

    @classmethod
    def read(cls, workspace: Path) -> "Record":
        """The record as it is; an empty one if there is none, or one that is of no use."""
        path = workspace / _FILE
        if not os.path.lexists(path):
            return cls(workspace)
        with explained(path):
            data = path.read_bytes()
        try:
            return cls(workspace, _entries(json.loads(data)))
        except (ValueError, TypeError, KeyError, AttributeError):
            copy = free_path(path, "broken")
            create_file(copy, data)
            return cls(workspace, broken=copy.relative_to(workspace).as_posix())

    def entry(self, path: str) -> Entry:
        return self.entries.setdefault(path, Entry())

    def write(self) -> None:
        files = {path: entry.to_json() for path, entry in self.entries.items()}
        data = json.dumps({"version": 2, "files": files}, indent=1) + "\n"
        replace_file(self.workspace / _FILE, data.encode())

    def keep(self, content: bytes) -> str:
        """Keep what is delivered, and return its hash."""
        name = sha256(content)
        if not self._kept(name).exists():
            replace_file(self._kept(name), gzip.compress(content, mtime=0))
        return name

    def kept(self, name: str) -> bytes | None:
        """What was kept under a hash; None if it is lost or damaged."""
        try:
            content = gzip.decompress(self._kept(name).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None
        return content if sha256(content) == name else None

    def has_kept(self, name: str) -> bool:
        return self._kept(name).is_file()

    def base(self, path: str) -> bytes | None:
        """The version that the learner's copy follows, where it is known."""
        copy = self.entry(path).copy
        return self.kept(copy.content) if copy else None

    def _kept(self, name: str) -> Path:
        return self.workspace / _FOLDER / f"{name}.gz"


def _entries(record: Any) -> dict[str, Entry]:
    match record:
        case {"version": 2, "files": dict(files)}:
            return {path: Entry.from_json(value) for path, value in files.items()}
        case {"version": 1, "files": dict(files)}:
            return {path: Entry(earlier=_hashes(tuple(value))) for path, value in files.items()}
    raise ValueError("not a record of deliveries")


def _version(value: Any) -> Version | None:
    if value is None:
        return None
    original, content = _hashes(tuple(value))
    return Version(original, content)


def _hashes(values: tuple[Any, ...]) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise ValueError("not the hashes of originals")
    return values
