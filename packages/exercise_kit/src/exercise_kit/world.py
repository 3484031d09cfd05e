"""The surroundings of an answer while it runs. A course passes its own `World`."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from exercise_kit.contract import NotFit, Observer


class Replaced(NotFit):
    """An answer replaced something that all code uses. The original was restored."""


class World:
    """The surroundings in plain Python: environment variables, working folder, recursion limit.

    words: a file like words.md, with findings for all exercises of the course.
    remembered: an `intact()` from before a submission began. Without it, the state before the call
        of an answer counts as the original.
    """

    words: Path | None = None
    remembered: Callable[[], AbstractContextManager[None]] | None = None

    def ready(self, observer: Observer) -> None:
        """Load and start everything that an answer may need, before its time limit begins."""

    def names(self) -> Mapping[str, Any]:
        """Name → object, for names that the examples of a task use without defining them."""
        return {}

    def intact(self) -> Callable[[], AbstractContextManager[None]]:
        """Store the objects that answers must not replace.

        Returns a function that makes context managers. Each restores objects that its body
        replaced, and then raises `Replaced`.
        """
        return contextlib.nullcontext

    def is_of_the_machine(self, value: Any) -> bool:
        """Whether a fact depends on the computer, not only on the answer."""
        return False

    @contextlib.contextmanager
    def unswitched(self) -> Iterator[list[str]]:
        """Run the body with default global settings, and restore the previous ones after it.

        Yields a list, which then contains the names of settings that the body left changed, except
        those that no caller would notice.
        """
        environment, folder, depth = _environment(), _folder(), sys.getrecursionlimit()
        try:
            yield []
        finally:
            if environment != _environment():
                os.environ.clear()
                os.environ.update({os.fsdecode(k): os.fsdecode(v) for k, v in environment.items()})
            if folder is not None and _folder() != folder:
                with contextlib.suppress(OSError):  # it may be deleted
                    os.chdir(folder)
            sys.setrecursionlimit(depth)


def _environment() -> dict[Any, Any]:
    """The environment variables, not decoded, because decoding takes fifty times as long."""
    return dict(os.environ._data)  # type: ignore[attr-defined]


def _folder() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return None
