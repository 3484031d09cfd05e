"""Probes: programs of a line or two with one fact, and the source from which it was read.

They ask for cards themselves. Those of one subject, a file of ``probes``, share a process, unless
they look at CUDA's start or break it. The expectation is what the source says, never what virtual
CUDA answers; what was recorded on a real card wins, as for every program.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from .registry import PROGRAMS, Devices, Facts, Program, caught, plain, stable_text

Look = Callable[[], Any]


def _add(
    what: str, source: str, run: Callable[[Devices], Facts], expected: Facts, **how: Any
) -> None:
    subject = sys._getframe(2).f_globals["__name__"].rsplit(".", 1)[-1]  # whose file calls
    name = f"{subject}: {what}"
    assert name not in PROGRAMS and source, f"{name}: taken, or without a source"
    process = name if how.pop("own", False) else how.pop("group", f"probes of {subject}")
    devices = how.pop("devices", 1)
    PROGRAMS[name] = Program(name, what, run, expected, source, devices, None, process, True)


def shows(what: str, source: str, look: Look, expected: Any, **how: Any) -> None:
    """``look()`` is ``expected``, in the JSON form of both.

    ``devices``: how many cards it needs. ``own``: it runs in a process of its own, ``group``: in
    one with others of the same name.
    """
    _add(what, source, lambda _: {"is": plain(look())}, {"is": plain(expected)}, **how)


def refuses(
    what: str, source: str, act: Look, says: str, kind: str = "RuntimeError", **how: Any
) -> None:
    """``act()`` raises ``kind``, and ``says`` is in the text."""

    def run(_: Devices) -> Facts:
        error = caught(act)
        if error["type"] == kind and says in error["text"]:
            return {"type": kind, "says": says}
        return error

    _add(what, source, run, {"type": kind, "says": says}, **how)


def warns(what: str, source: str, act: Look, says: str, **how: Any) -> None:
    """``act()`` gives a warning, and ``says`` is in its text."""

    def run(_: Devices) -> Facts:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            act()
        texts = [stable_text(str(warning.message)) for warning in seen]
        return {"warns": says if any(says in text for text in texts) else texts}

    _add(what, source, run, {"warns": says}, **how)


def within(block: AbstractContextManager[Any], act: Look) -> Any:
    """What ``act`` answers inside a block."""
    with block:
        return act()


def in_a_thread(act: Look) -> Any:
    """What ``act`` answers in a new thread."""
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.append(act()))
    thread.start()
    thread.join()
    return seen[0]
