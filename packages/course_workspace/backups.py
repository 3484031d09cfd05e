"""What stood in a workspace before a command changed it, kept in .course/backups/."""

import json
import time
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from course_notebooks.safe_files import create_file, explained, replace_file
from course_workspace.deliveries import DeliveredFile, Deliveries, sha256

_FOLDER = ".course/backups"
_CONTENTS = "backup.json"


@dataclass(frozen=True)
class Backup:
    """Files as they were.

    what: the command that was about to change them.
    entries: of each file, what the record said of it.
    after: of each file, the hash of what the command made of it.
    """

    folder: Path
    what: str
    entries: dict[str, DeliveredFile]
    after: dict[str, str]

    def read(self, path: str) -> bytes:
        """A file as it was. Raises CourseError if it cannot be read."""
        with explained(self.folder / path):
            return (self.folder / path).read_bytes()


def back_up(record: Deliveries, what: str, files: Mapping[str, tuple[bytes, bytes]]) -> Backup:
    """Keep files before they change: of each path in the workspace, what it was and will be."""
    folder = _new_folder(record.workspace, what)
    for path, (before, _) in files.items():
        create_file(folder / path, before)
    entries = {path: record.entry(path) for path in files}
    after = {path: sha256(later) for path, (_, later) in files.items()}
    backup = Backup(folder, what, entries, after)
    contents = TypeAdapter(Backup).dump_json(backup, indent=1, exclude={"folder"})
    # Last: a backup with a list of contents is a whole one.
    replace_file(folder / _CONTENTS, contents + b"\n")
    return backup


def latest(workspace: Path, what: str) -> Backup | None:
    """The latest whole backup that `what` made and that was not put back."""
    files = (workspace / _FOLDER).glob(f"*/{_CONTENTS}")
    for file in sorted(files, reverse=True, key=lambda file: _age(file.parent)):
        try:
            backup = Backup(**{**json.loads(file.read_bytes()), "folder": file.parent})
        except (OSError, ValueError, TypeError):
            continue  # somebody edited it
        if backup.what == what:
            return backup
    return None


def mark_as_put_back(backup: Backup) -> None:
    with explained(backup.folder):
        (backup.folder / _CONTENTS).rename(backup.folder / f"put-back-{_CONTENTS}")


def _new_folder(workspace: Path, what: str) -> Path:
    number = 1 + max((_age(folder)[0] for folder in (workspace / _FOLDER).glob("*/")), default=0)
    stamp = time.strftime("%Y-%m-%d")
    folder = workspace / _FOLDER / f"{number:04}-{stamp}-{what}"
    with explained(folder):
        folder.mkdir(parents=True)
    return folder


def _age(folder: Path) -> tuple[int, str]:
    """The number of a backup, which a clock that is put back does not upset."""
    number = folder.name.partition("-")[0]
    return (int(number) if number.isdecimal() else 0), folder.name
