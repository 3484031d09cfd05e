"""The files in a folder or a zip, one after another; an unsafe file is refused."""

import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

from course_notebooks.reading import LARGEST, read_bounded, shown
from course_utils.errors import CourseError

LARGEST_ZIP = 50 * 1024 * 1024
"""The most bytes that a zip inside of another may have."""

_MOST_FILES = 100_000
_MOST_UNPACKED = {False: 100 << 30, True: 200 << 20}  # bytes of a zip; True: inside of another
_BOMB = 200 << 20, 200  # unpacked bytes and times the size of the zip, both: no honest zip has them

Refuse = Callable[[str], None]
"""Gets one sentence: what is not taken, and what to do."""


class IntakeRefused(CourseError):
    """One thing that is not taken in, while all the rest is."""


@dataclass(frozen=True)
class Item:
    """A regular file.

    parts: its path in the folder or zip; once its owner is known, among that student's files.
    origin: the path in the folder or zip, for people to read.
    read: its bytes. Raises CourseError.
    order: the attempt and the upload that it belongs to; the highest is the last.
    late: whether the platform marks it as late.
    time: when it was handed in, if the platform's files give that.
    """

    parts: tuple[str, ...]
    origin: str
    read: Callable[[], bytes]
    order: tuple[str, int] = ("", 0)
    late: bool = False
    time: datetime | None = None

    def ends(self, *suffixes: str) -> bool:
        """Whether its name ends so, in capitals or not."""
        return self.parts[-1].lower().endswith(suffixes)


def items_of_folder(folder: Path, refuse: Refuse) -> Iterator[Item]:
    """The regular files in `folder` and below it."""

    def unreadable(error: OSError) -> None:
        refuse(f"{shown(error.filename)} cannot be read ({error.strerror}): make it readable.")

    for place, folders, files in os.walk(folder, onerror=unreadable):
        folders.sort()
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in sorted(files + links):
            path = Path(place) / name
            if path.is_symlink():
                refuse(f"{shown(path)} is a link: ask for the file itself.")
            elif not path.is_file():
                refuse(f"{shown(path)} is not a regular file: delete it.")
            else:
                parts = path.relative_to(folder).parts
                yield Item(parts, shown(path), partial(read_bounded, path, _limit(path.name)))


def items_of_zip(
    file: IO[bytes] | Path, origin: str, refuse: Refuse, *, inner: bool = False
) -> Iterator[Item]:
    """The regular files in a zip, which stays open while they are read.

    inner: it came in another zip. The times in a zip are not read: a platform writes the time of
        the download. Raises IntakeRefused if the zip cannot be read at all.
    """
    try:
        try:
            archive = zipfile.ZipFile(file, metadata_encoding="utf-8")  # also without its mark
        except UnicodeDecodeError:
            archive = zipfile.ZipFile(file)
        entries = archive.infolist()
    except Exception as error:  # a broken zip raises a dozen kinds
        raise IntakeRefused(f"{origin} is not a readable zip: ask for it once more.") from error
    _refuse_bomb(entries, archive, origin, inner)
    locked = [entry for entry in entries if entry.flag_bits & 1]
    if locked:
        refuse(f"{origin} has {len(locked)} encrypted files: ask for them without a password.")
    for entry in entries:
        if entry.is_dir() or entry.flag_bits & 1:
            continue
        name = entry.filename.replace("\\", "/")
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        label = shown(f"{origin}: {name}")
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if name.startswith("/") or ".." in parts or not parts or ":" in parts[0][1:2]:
            refuse(f"{label} points outside of the zip: ask what made it.")
        elif kind == stat.S_IFLNK:
            refuse(f"{label} is a link: ask for the file itself.")
        elif kind not in (0, stat.S_IFREG):
            refuse(f"{label} is not a regular file: ask for the file itself.")
        else:
            yield Item(parts, label, partial(_unpacked, archive, entry, label))


def _refuse_bomb(
    entries: list[zipfile.ZipInfo], archive: zipfile.ZipFile, origin: str, inner: bool
) -> None:
    assert archive.fp is not None
    packed = archive.fp.seek(0, os.SEEK_END)
    unpacked = sum(entry.file_size for entry in entries)
    bytes_, times = _BOMB
    if unpacked > _MOST_UNPACKED[inner] or (unpacked > bytes_ and unpacked > times * packed):
        raise IntakeRefused(f"{origin} would unpack to {unpacked >> 20} MB: ask what is in it.")
    if len(entries) > _MOST_FILES:
        raise IntakeRefused(f"{origin} has more than {_MOST_FILES} files: ask what is in it.")


def _limit(name: str) -> int:
    return LARGEST_ZIP if name.lower().endswith(".zip") else LARGEST


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, origin: str) -> bytes:
    limit = _limit(entry.filename)
    if entry.file_size > limit:
        raise IntakeRefused(f"{origin} is larger than {limit >> 20} MB: ask for a smaller one.")
    try:
        with archive.open(entry) as file:
            return file.read(limit)
    except Exception as error:  # a broken zip raises a dozen kinds
        raise IntakeRefused(f"{origin} cannot be unpacked: ask for it once more.") from error
