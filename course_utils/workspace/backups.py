"""What stood in a workspace before a command changed it, kept in .course/backups/."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.authoring.files import create_file, explained, replace_file
from course_utils.workspace.record import Entry, Record, sha256

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
    entries: Mapping[str, Entry]
    after: Mapping[str, str]

    def file(self, path: str) -> Path:
        return self.folder / path


def back_up(record: Record, what: str, files: Mapping[str, tuple[bytes, bytes]]) -> Backup:
    """Keep files before they change: of each path in the workspace, what it was and will be."""
    folder = _new_folder(record.workspace, what)
    for path, (before, _) in files.items():
        create_file(folder / path, before)
    entries = {path: record.entry(path).to_json() for path in files}
    after = {path: sha256(later) for path, (_, later) in files.items()}
    contents = {"what": what, "entries": entries, "after": after}
    # Last: a backup with a list of contents is a whole one.
    replace_file(folder / _CONTENTS, (json.dumps(contents, indent=1) + "\n").encode())
    return _backup(folder, contents)


def latest(workspace: Path, what: str) -> Backup | None:
    """The latest whole backup that `what` made and that was not put back."""
    return next((each for each in _all(workspace) if each.what == what), None)


def mark_as_put_back(backup: Backup) -> None:
    with explained(backup.folder):
        (backup.folder / _CONTENTS).rename(backup.folder / f"put-back-{_CONTENTS}")


def kept_texts(workspace: Path, path: str) -> Iterator[Path]:
    """Every kept state of a file, the latest first."""
    folders = sorted((workspace / _FOLDER).glob("*/"), key=_age, reverse=True)
    return (file for folder in folders if (file := folder / path).is_file())


def _all(workspace: Path) -> Iterator[Backup]:
    for file in sorted(
        (workspace / _FOLDER).glob(f"*/{_CONTENTS}"),
        reverse=True,
        key=lambda file: _age(file.parent),
    ):
        try:
            yield _backup(file.parent, json.loads(file.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # somebody edited it


def _backup(folder: Path, contents: Any) -> Backup:
    entries = {path: Entry.from_json(value) for path, value in contents["entries"].items()}
    return Backup(folder, contents["what"], entries, contents["after"])


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
