"""Atomic writes of files, and file errors as messages with advice."""

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
    """Write `data` to `path`; a reader gets the old file or the new one, never a part.

    flush: wait until the data is on the disk. Not needed for many files that can be made again.

    Raises CourseError if the folder is not writable, or the disk is full.
    """
    with explained(path), _temporary(path, data, flush) as temporary:
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)


def create_file(path: Path, data: bytes) -> None:
    """Write `data` to a new file, atomically. An existing file is never overwritten.

    Raises CourseError as `replace_file` does, and if `path` exists.
    """
    with explained(path), _temporary(path, data) as temporary:
        try:
            os.link(temporary, path)  # unlike a rename, it fails if `path` is taken
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS or os.path.lexists(path):
                raise
            os.replace(temporary, path)


def free_path(path: Path, label: str) -> Path:
    """The first path of NAME.label.ext, NAME.label-2.ext, … next to `path` that does not exist."""
    number, candidate = 1, path.with_name(f"{path.stem}.{label}{path.suffix}")
    while os.path.lexists(candidate):
        number += 1
        candidate = path.with_name(f"{path.stem}.{label}-{number}{path.suffix}")
    return candidate


@contextmanager
def alone(workspace: Path) -> Iterator[None]:
    """Lock the workspace. The lock is released when this process ends, even by a crash.

    No command asks a question while it has the lock, so other commands never wait for long.
    """
    import fcntl  # not on Windows, where commands that change no files still work

    file = workspace / ".course" / "lock"
    with explained(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        stream = file.open("ab")
    with stream:
        with suppress(OSError):  # some network disks have no locks
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
    """A temporary file next to `path` with `data`, removed afterwards."""
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
    """The message for a file error at `path`: what failed, and what to do."""
    blocking = next((folder for folder in path.parents if os.path.lexists(folder)), path.parent)
    if not blocking.is_dir():
        return (
            f"{blocking} is a file, and a folder is needed there. "
            "Move or rename that file, then run this again."
        )
    if error.errno in FULL:
        return (
            f"The disk is full, so {path} was not written. Nothing was lost. "
            "Free some space, then run this again."
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return (
            f"{path} cannot be read or written. Nothing was lost. Make {path.parent} writable for "
            "you, or choose another folder, then run this again."
        )
    return f"{path}: {error.strerror or error}. Fix this, then run this again."


def put_beside(path: Path, label: str, data: bytes) -> Path:
    """The file NAME.label.ext next to `path` that contains `data`; created if there is none."""
    for file in sorted(path.parent.glob(f"{path.stem}.{label}*{path.suffix}")):
        if file.read_bytes() == data:
            return file
    beside = free_path(path, label)
    create_file(beside, data)
    return beside
