"""Progress bars for slow cells; at the end, one line with the time remains.

In a notebook, a bar is one output that is replaced. Output on stderr looks like an error there.
"""

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

from IPython import display, get_ipython
from tqdm import tqdm

Item = TypeVar("Item")

_TICK = 0.5  # seconds
_WIDTH = 78  # characters

# A process that forks (a DataLoader with workers) must not do so while a bar is being written: the
# child would inherit stdout's lock, which is never released there.
_drawing = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_drawing.acquire, after_in_parent=_drawing.release, after_in_child=_drawing.release
    )


class _Bar(tqdm):
    monitor_interval = 0  # no monitor thread


class _Output:
    """One output of a cell: each text that is written replaces the one before."""

    encoding = "utf-8"  # for tqdm, which otherwise draws with "#"

    def __init__(self) -> None:
        self._shown: Any = display.display({"text/plain": ""}, raw=True, display_id=True)

    def write(self, text: str) -> None:
        self._shown.update({"text/plain": text.strip()}, raw=True)


@contextmanager
def waiting(what: str, seconds: float) -> Iterator[None]:
    """Show a bar against the clock while the block runs. It slows down, and is not full too early.

    what, seconds: the activity, such as "Starting two processes", and about how long it takes.
    """
    done = threading.Event()
    with _bar(what, seconds, seconds, "{l_bar}{bar}|") as bar:

        def tick() -> None:
            while not done.wait(_TICK):
                _draw(bar, seconds * (1 - 0.25 ** ((perf_counter() - start) / seconds)))

        start = perf_counter()
        clock = threading.Thread(target=tick, daemon=True)
        clock.start()
        try:
            yield
        finally:
            done.set()
            clock.join()


def steps(items: Sequence[Item], what: str, seconds: float) -> Iterator[Item]:
    """Yield `items` with a bar that counts the finished ones.

    what, seconds: the activity, such as "Measuring six sizes", and about how long all of it takes.
    """
    with _bar(what, seconds, len(items), "{desc}: {n} of {total} |{bar}|") as bar:
        for number, item in enumerate(items, 1):
            yield item
            _draw(bar, number)


@contextmanager
def _bar(what: str, seconds: float, total: float, style: str) -> Iterator[tqdm]:
    """A bar that is removed at the end of its block; after success, a line with the time stays."""
    start = perf_counter()
    file: Any = _Output() if hasattr(get_ipython(), "kernel") else sys.stdout
    about = f"{what}, about {seconds:.0f} s"
    bar = _Bar(desc=about, total=total, bar_format=style, leave=False, file=file, ncols=_WIDTH)
    try:
        yield bar
    finally:
        bar.close()
    file.write(f"{what}: done in {perf_counter() - start:.0f} s.\n")


def _draw(bar: tqdm, value: float) -> None:
    with _drawing:
        bar.n = value
        bar.refresh()
