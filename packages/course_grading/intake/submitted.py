"""nbgrader's folder submitted/: a submission is put there whole, and nothing is lost."""

import itertools
import os
import secrets
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from nbgrader.utils import parse_utc

from course_grading.intake.choice import ChosenFiles
from course_notebooks.safe_files import explained

State = Literal["new", "unchanged", "replaced", "kept"]
"""The result for a student; kept: the submission that was already in the folder is newer."""

_TIMESTAMP = "timestamp.txt"
_SECRET = "submission_secret.txt"  # by which `nbgrader release_feedback` names a page
NOT_TAKEN = "not_taken.txt"
"""Stands alone in the folder of a student whose work was refused: why. It is held at grading."""

REPLACED = ".replaced"  # nbgrader globs submitted/*, which passes over a name with a dot


def store(submitted: Path, student: str, assignment: str, submission: ChosenFiles) -> State:
    """Put a submission into its folder, unless the same or a newer one is there.

    What is replaced goes to `submitted`/.replaced. Raises CourseError if the disk does not take it.
    """
    folder = submitted / student / assignment
    with explained(folder):
        there = os.path.lexists(folder)
        if there and _files(folder) == submission.files:
            return "unchanged"
        if there and _is_newer(folder, submission.time):
            return "kept"
        incoming = submitted / f".incoming-{student}"
        shutil.rmtree(incoming, ignore_errors=True)  # of a run that was killed
        try:
            _write(incoming, submission)
            if there:
                _set_aside(folder, submitted / REPLACED / student / assignment)
            folder.parent.mkdir(exist_ok=True)
            incoming.rename(folder)
        finally:
            shutil.rmtree(incoming, ignore_errors=True)
    return "replaced" if there else "new"


def note_refusal(submitted: Path, student: str, assignment: str, why: str) -> None:
    """Leave a reason where there is no submission yet, so that the student is not a missing one."""
    if not os.path.lexists(submitted / student / assignment):
        note = ChosenFiles({NOT_TAKEN: f"{why}\n".encode(errors="replace")})
        store(submitted, student, assignment, note)


def time_of(folder: Path) -> datetime | None:
    """When the submission in a folder was handed in, in UTC; None if that is not known."""
    try:
        return parse_utc((folder / _TIMESTAMP).read_text("utf-8").strip()).replace(tzinfo=UTC)
    except (OSError, ValueError, OverflowError):
        return None


def set_time(folder: Path, time: datetime | None) -> None:
    """Write when the submission in a folder was handed in, into the file that nbgrader reads.

    Where no time is known the file is empty: nbgrader opens it when it releases feedback.
    """
    stamp = f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f} UTC" if time else ""
    (folder / _TIMESTAMP).write_text(stamp, encoding="utf-8")


def _write(folder: Path, submission: ChosenFiles) -> None:
    for name, data in submission.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    set_time(folder, submission.time)
    (folder / _SECRET).write_text(secrets.token_hex(64), encoding="utf-8")


def _set_aside(folder: Path, aside: Path) -> None:
    aside.mkdir(parents=True, exist_ok=True)
    free = (aside / str(number) for number in itertools.count(1))
    folder.rename(next(path for path in free if not os.path.lexists(path)))


def _files(folder: Path) -> dict[str, bytes] | None:
    """The files in a folder but nbgrader's own; None if there are links or special files in it."""
    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            return None
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in (_TIMESTAMP, _SECRET):
            found[name] = path.read_bytes()
    return found


def _is_newer(folder: Path, time: datetime | None) -> bool:
    there = time_of(folder)
    return there is not None and time is not None and there > time
