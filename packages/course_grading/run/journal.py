"""The journal of finished steps, from which a killed run continues without repeating them.

And the lock of a course: one run at a time. A second run gets the name of the first one's user.
"""

import contextlib
import fcntl
import getpass
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_grading.results import Graded
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError

GRADED, SAVED = "graded", "saved"


@dataclass(frozen=True)
class JournalEntry:
    """The result of a student. key: a hash of its inputs. state: GRADED or SAVED."""

    key: str
    state: str
    graded: Graded


class Journal:
    """A table with one row for each student and assignment. Each step is on disk before the next.

    Raises CourseError if the file cannot be used.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._explained():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._rows = sqlite3.connect(file, timeout=60)
            self._rows.execute("PRAGMA journal_mode=WAL")
            self._rows.execute(
                "CREATE TABLE IF NOT EXISTS entries (student TEXT, assignment TEXT, key TEXT, "
                "state TEXT, graded TEXT, at REAL, PRIMARY KEY (student, assignment))"
            )
            self._rows.execute(
                "CREATE TABLE IF NOT EXISTS hidden (assignment TEXT PRIMARY KEY, key TEXT, "
                "cases TEXT)"
            )

    def entry(self, student: str, assignment: str) -> JournalEntry | None:
        """The entry of a submission; None if there is none."""
        row = self._do(
            "SELECT key, state, graded FROM entries WHERE student = ? AND assignment = ?",
            (student, assignment),
        )
        try:
            return None if row is None else JournalEntry(row[0], row[1], Graded.from_json(row[2]))
        except ValueError:  # written by another version
            return None

    def put(self, graded: Graded, key: str) -> None:
        """Store a result that is not published and saved yet."""
        self._do(
            "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            (graded.student, graded.assignment, key, GRADED, graded.to_json(), time.time()),
        )

    def finish(self, graded: Graded) -> None:
        """Note that a stored result is published and saved."""
        self._do(
            "UPDATE entries SET state = ? WHERE student = ? AND assignment = ?",
            (SAVED, graded.student, graded.assignment),
        )

    def hidden(self, assignment: str, key: str, make: Callable[[], str]) -> str:
        """The hidden cases for this key, made and stored if there are none."""
        row = self._do(
            "SELECT cases FROM hidden WHERE assignment = ? AND key = ?", (assignment, key)
        )
        if row is None:
            row = (make(),)
            self._do("INSERT OR REPLACE INTO hidden VALUES (?, ?, ?)", (assignment, key, *row))
        return str(row[0])

    def _do(self, statement: str, values: tuple[object, ...]) -> Any:
        """The first row of a statement's result. On a full disk even a query can fail."""
        with self._explained(), self._rows:
            return self._rows.execute(statement, values).fetchone()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise CourseError(
                f"The journal {self._file} cannot be used ({error}). Nothing is lost. Free disk "
                "space or make the folder writable, then run the same command again. If the file "
                "is damaged, delete it: then everything is graded again."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._rows.close()


@contextlib.contextmanager
def exclusive_run(folder: Path) -> Iterator[None]:
    """Lock a course during the body. Raises CourseError if another process has the lock."""
    file = folder / "lock"
    with explained(file):
        folder.mkdir(parents=True, exist_ok=True)
        stream = file.open("a+", encoding="utf-8")
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            raise CourseError(
                f"This course is being graded already, by {stream.read().strip()}. "
                "Wait until that run has ended."
            ) from None
        who = f"{getpass.getuser()} on {socket.gethostname()}"
        since = time.strftime("%H:%M")
        with contextlib.suppress(OSError):  # a full disk must not stop a dry run
            os.truncate(file, 0)
            os.write(stream.fileno(), f"{who} (process {os.getpid()}, since {since})\n".encode())
        yield
