"""Files that are whole or not there at all: atomic writes, and errors one can act on."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from course_utils.errors import CourseError

FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_HARD_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def replace_file(path: Path, data: bytes, *, flush: bool = True) -> None:
    """Write `data` to `path`; whoever looks sees the old file or the new one, never a part.

    flush: wait until the disk has it. Many files that can be made again need not.

    Raises CourseError if the folder cannot be written in, or the disk is full.
    """
    with explained(path), _temporary(path, data, flush) as temporary:
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)


def create_file(path: Path, data: bytes) -> None:
    """Like `replace_file`, for a file that is not there yet: nothing is ever overwritten.

    Raises CourseError as `replace_file` does, and if there is something at `path`.
    """
    with explained(path), _temporary(path, data) as temporary:
        try:
            os.link(temporary, path)  # unlike a rename, it fails if `path` is taken
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS or os.path.lexists(path):
                raise
            os.replace(temporary, path)


def free_path(path: Path, label: str) -> Path:
    """The first of NAME.label.ext, NAME.label-2.ext, … beside `path` that is not taken."""
    number, candidate = 1, path.with_name(f"{path.stem}.{label}{path.suffix}")
    while os.path.lexists(candidate):
        number += 1
        candidate = path.with_name(f"{path.stem}.{label}-{number}{path.suffix}")
    return candidate


@contextmanager
def alone(workspace: Path) -> Iterator[None]:
    """Hold the workspace. It is free again once this process ends, however it ends.

    No command asks a question while it holds it, so nobody waits for long.
    """
    import fcntl  # Windows lacks it, and can do all that changes no file here

    file = workspace / ".course" / "lock"
    with explained(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        stream = file.open("ab")
    with stream:
        with suppress(OSError):  # some network disks know no locks
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an OSError about `path` into a CourseError that says what to do."""
    try:
        yield
    except OSError as error:
        raise CourseError(explanation(path, error)) from error


@contextmanager
def _temporary(path: Path, data: bytes, flush: bool = True) -> Iterator[Path]:
    """A file beside `path` that holds `data`, and is gone afterwards."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            if flush:
                file.flush()
                os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def explanation(path: Path, error: OSError) -> str:
    """What the system refused at `path`, and what to do, in one sentence or two."""
    blocking = next((folder for folder in path.parents if os.path.lexists(folder)), path.parent)
    if not blocking.is_dir():
        return (
            f"{blocking} is a file, and a folder is needed there: "
            "move or rename that file, then run this again."
        )
    if error.errno in FULL:
        return (
            f"The disk is full, so {path} was not written: "
            "free some space, then run this again. Nothing was lost."
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return (
            f"{path} cannot be read or written: make {path.parent} writable for you, "
            "or choose another folder, then run this again. Nothing was lost."
        )
    return f"{path}: {error.strerror or error}. Put that right, then run this again."


def put_beside(path: Path, label: str, data: bytes) -> Path:
    """Put `data` beside `path`, as NAME.label.ext, unless it lies there already."""
    for file in sorted(path.parent.glob(f"{path.stem}.{label}*{path.suffix}")):
        if file.read_bytes() == data:
            return file
    beside = free_path(path, label)
    create_file(beside, data)
    return beside
