"""The learner's record: checks, predictions, hints and so on, saved in the workspace.

One JSON object per line. Lines are only appended, so that two open notebooks do not lose each
other's lines, and a crash loses one line at most.
"""

import json
import os
import time
from functools import cache
from pathlib import Path
from typing import Any

from course_utils.checking.mode import SCORED

Event = dict[str, Any]


def workspace() -> Path | None:
    """The folder of the learner's workspace that contains the current folder, or None.

    The environment variable COURSE_WORKSPACE takes precedence.
    """
    named = os.environ.get("COURSE_WORKSPACE")
    if named:
        return Path(named)
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the folder of the notebook was deleted or renamed
        return None
    return next((folder for folder in (here, *here.parents) if (folder / ".course").is_dir()), None)


class LearnerRecord:
    """Events in the order they happened; on disk if there is a workspace, else in memory."""

    def __init__(self, folder: Path | None, quiet: bool = False) -> None:
        self._file = None if folder is None else folder / ".course" / "record.jsonl"
        self._unsaved: list[Event] = []
        self._said = quiet

    def add(self, kind: str, name: str, **details: Any) -> None:
        """Append an event. If it cannot be saved, print that once; never raise."""
        event = {"at": int(time.time()), "kind": kind, "name": name, **details}
        if self._file is None:
            problem = "This notebook is outside a learner's workspace"
            advice = "Open the copy that `make lab` put into one."
        else:
            try:
                _append(self._file, json.dumps(event))
                return
            except OSError as error:
                problem = f"{self._file} cannot be written ({error.strerror})"
                advice = "Free disk space, or make the folder writable."
        self._unsaved.append(event)
        if not self._said:
            print(f"{problem}. Progress is lost when this notebook's kernel stops. {advice}")
            self._said = True

    def events(self, kind: str, name: str | None = None) -> list[Event]:
        """All events of a kind, oldest first. Lines that cannot be read are skipped."""
        return [e for e in self.everything() if e["kind"] == kind and name in (None, e["name"])]

    def everything(self) -> list[Event]:
        """All events of all kinds, oldest first."""
        return [*self._saved(), *self._unsaved]

    def _saved(self) -> list[Event]:
        if self._file is None:
            return []
        try:
            lines = self._file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        return [event for line in lines if (event := _parse(line)) is not None]


def _append(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+b") as stream:
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                line = "\n" + line  # a crash cut the line before this one short
        stream.write(line.encode() + b"\n")


def _parse(line: str) -> Event | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    usable = isinstance(event, dict) and isinstance(event.get("kind"), str) and "name" in event
    return event if usable else None


@cache
def record() -> LearnerRecord:
    """The record of this process. Under nbgrader, it is kept in memory, without a message."""
    if SCORED:
        return LearnerRecord(None, quiet=True)
    return LearnerRecord(workspace())
