"""One run at a time for a course: the second one is told who is at it."""

import contextlib
import fcntl
import getpass
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from course_utils.errors import CourseError


@contextlib.contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Raises CourseError if another process grades the same course; it is free once that ends."""
    file = folder / "lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = file.open("a+", encoding="utf-8")
    except OSError as error:
        raise CourseError(
            f"{file} cannot be written ({error.strerror}): make room, or make the folder writable."
        ) from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            raise CourseError(
                f"This course is being graded already, by {stream.read().strip()}: "
                "wait until that has ended."
            ) from None
        who = f"{getpass.getuser()} on {socket.gethostname()}"
        since = time.strftime("%H:%M")
        with contextlib.suppress(OSError):  # a full disk keeps nobody from looking
            os.truncate(file, 0)
            os.write(stream.fileno(), f"{who} (process {os.getpid()}, since {since})\n".encode())
        yield
