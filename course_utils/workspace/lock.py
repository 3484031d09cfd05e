"""One command at a time changes the files of a workspace; a second one waits until it has ended."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from course_utils.authoring.files import explained


@contextlib.contextmanager
def alone(workspace: Path) -> Iterator[None]:
    """Hold the workspace. It is free again once this process ends, however it ends.

    No command asks a question while it holds it, so nobody waits for long.
    """
    file = workspace / ".course" / "lock"
    with explained(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        stream = file.open("ab")
    with stream:
        with contextlib.suppress(OSError):  # some network disks know no locks
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield
