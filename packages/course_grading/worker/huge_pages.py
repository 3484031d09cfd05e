"""Memory in huge pages: forking a process with torch then takes a quarter of the time."""

import contextlib
from pathlib import Path

from course_grading.sandbox import libc

_SIZE = 2 << 20


def use_huge_pages() -> None:
    """Move this process's memory into huge pages, because a fork copies an entry for each page.

    Without kernel support (before Linux 6.1, or no huge pages), this does nothing.
    """
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, _, _, file, *_ = line.split()
        start, end = (int(number, 16) for number in place.split("-"))
        first, last = -(-start // _SIZE) * _SIZE, end // _SIZE * _SIZE
        if rights.startswith("rw") and file == "0" and first < last:
            with contextlib.suppress(OSError):
                libc.madvise(first, last - first, libc.MADV_COLLAPSE)
