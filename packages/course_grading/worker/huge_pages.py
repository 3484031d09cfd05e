"""Memory in huge pages: a process that has torch loaded is forked in a quarter of the time."""

import contextlib
from pathlib import Path

from course_grading.sandbox import libc

_SIZE = 2 << 20


def use_huge_pages() -> None:
    """Move this process's memory into huge pages: a fork copies an entry for each page.

    Where the kernel has none, or cannot do it at once (before Linux 6.1), all stays as it is.
    """
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, _, _, file, *_ = line.split()
        start, end = (int(number, 16) for number in place.split("-"))
        first, last = -(-start // _SIZE) * _SIZE, end // _SIZE * _SIZE
        if rights.startswith("rw") and file == "0" and first < last:
            with contextlib.suppress(OSError):
                libc.madvise(first, last - first, libc.MADV_COLLAPSE)
