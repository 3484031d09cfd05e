"""What surrounds an answer while it runs. A course hands its own to the kit."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from exercise_kit.contract import NotFit, Observer


class Replaced(NotFit):
    """An answer put something of its own in the place of what everybody uses; it was put back."""


class World:
    """Plain Python: environment variables, the working folder and the limit of recursion.

    words: a file like words.md, with findings that any exercise of the course can meet.
    remembered: an `intact()` of before a submission began; without one, what its cells replaced
        before an answer was asked for counts as what was there.
    """

    words: Path | None = None
    remembered: Callable[[], AbstractContextManager[None]] | None = None

    def ready(self, observer: Observer) -> None:
        """Load and start what an answer may need, before anybody's time is counted."""

    def names(self) -> Mapping[str, Any]:
        """What the example of a task may use without defining it."""
        return {}

    def intact(self) -> Callable[[], AbstractContextManager[None]]:
        """Remember what answers must not replace.

        The context managers that come of it put back what their body replaced, and then raise
        `Replaced`.
        """
        return contextlib.nullcontext

    def is_of_the_machine(self, value: Any) -> bool:
        """Whether a fact says what another machine would not, whatever the answer."""
        return False

    @contextlib.contextmanager
    def unswitched(self) -> Iterator[list[str]]:
        """Begin with nothing switched for the whole process, and put back what was.

        Yields a list, in which the names of what was left switched stand afterwards, but for what
        no caller would notice.
        """
        environment, folder, depth = _environment(), _folder(), sys.getrecursionlimit()
        try:
            yield []
        finally:
            if environment != _environment():
                os.environ.clear()
                os.environ.update({os.fsdecode(k): os.fsdecode(v) for k, v in environment.items()})
            if folder is not None and _folder() != folder:
                with contextlib.suppress(OSError):  # it may be gone for good
                    os.chdir(folder)
            sys.setrecursionlimit(depth)


def _environment() -> dict[Any, Any]:
    """The variables, undecoded: to read each as a string takes fifty times as long."""
    return dict(os.environ._data)  # type: ignore[attr-defined]


def _folder() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return None
