"""What the observers of this topic share: refusals as facts, and children that tell what they saw.

A child is a stand-in for a program that would import torch: it starts in a twentieth of a second.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

VARIABLE = "CUDA_VISIBLE_DEVICES"


def refusal(call: Callable[[], Any], kind: type[Exception]) -> tuple[Any, Exception | None]:
    """What `call` returned, or the exception of type `kind` that left the answer."""
    try:
        return call(), None
    except Exception as error:
        inner = error.__cause__ or error  # the check wraps what leaves an answer
        if not isinstance(inner, kind):
            raise
        return None, inner


@contextmanager
def environment(changes: Mapping[str, str | None]) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Make `changes` in this process (None removes a variable), and put everything back at the end.

    Gives the environment as it is then, and a list that gets the name of every variable that is
    written or removed meanwhile, even if the body takes it back.
    """
    before, put, unset = dict(os.environ), os.putenv, os.unsetenv
    touched: list[str] = []

    def putenv(name: bytes, value: bytes) -> None:
        touched.append(os.fsdecode(name))
        put(name, value)

    def unsetenv(name: bytes) -> None:
        touched.append(os.fsdecode(name))
        unset(name)

    for name, value in changes.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    os.putenv, os.unsetenv = putenv, unsetenv
    try:
        yield dict(os.environ), touched
    finally:
        os.putenv, os.unsetenv = put, unset
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def starts() -> Iterator[list[int]]:
    """Gives a list that grows with every process that `subprocess` starts.

    A process that has just begun has left no note yet; here it is known at once.
    """
    begun: list[int] = []
    start = subprocess.Popen.__init__

    def counted(popen: Any, *arguments: Any, **named: Any) -> None:
        start(popen, *arguments, **named)
        begun.append(popen.pid)

    subprocess.Popen.__init__ = counted  # type: ignore[method-assign]
    try:
        yield begun
    finally:
        subprocess.Popen.__init__ = start  # type: ignore[method-assign]


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Drop what children write to stderr: nbgrader takes the mark of a cell with such an output."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def python(program: str, *arguments: object) -> list[str]:
    """The command that runs `program` in a Python without any packages."""
    return [sys.executable, "-I", "-S", "-c", program, *map(str, arguments)]


LEAVE_A_NOTE = """
import json, os, sys
folder = sys.argv[1]
with open(f"{folder}/new-{os.getpid()}", "w") as note:
    json.dump(dict(os.environ), note)
os.replace(note.name, f"{folder}/child-{os.getpid()}")
"""
"""Begins the program of a child, which leaves its environment in the folder that it is given."""


def notes(folder: Path) -> list[dict[str, str]]:
    """The environments of the children that left a note in `folder`."""
    return [json.loads(path.read_text("utf-8")) for path in folder.glob("child-*")]


def lost(child: Mapping[str, str], inherited: Mapping[str, str]) -> Sequence[str]:
    """The variables of this process that a child lacks or has with another value."""
    names = set(inherited) - {VARIABLE, "LC_CTYPE"}  # a child in the C locale sets the latter
    return sorted(name for name in names if child.get(name) != inherited[name])
