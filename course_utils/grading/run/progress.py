"""How far a run is: a bar with the time that is left, or a line now and then in a log."""

import sys
import time
from collections.abc import Callable

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from course_utils.grading.results import Graded

_EVERY = 10.0  # seconds between two lines of a log


class Progress:
    """A context manager; `advance` for each submission that is done."""

    def __init__(self, total: int, say: Callable[[str], None]) -> None:
        self._total, self._say = total, say
        self._done, self._first, self._said = 0, 0.0, time.monotonic()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
        )
        self._bar = Bar(*columns) if sys.stdout.isatty() else None
        self._task = self._bar.add_task("starting the workers", total=total) if self._bar else None

    def advance(self, graded: Graded) -> None:
        self._done += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=1, description=graded.student)
            return
        now = time.monotonic()
        if self._done == 1:
            self._first = now  # what came before was mostly the start
        elif now - self._said > _EVERY and self._done < self._total:
            left = (now - self._first) / (self._done - 1) * (self._total - self._done)
            self._say(f"{self._done} of {self._total} done, about {left:.0f} s left")
            self._said = now

    def __enter__(self) -> "Progress":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
