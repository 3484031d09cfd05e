"""Fast start of Python programs, as forks of a parent process that has imported their modules.

A fork behaves like a new process. But variables that Python reads at its start are those of the
parent. There are at most two parents, which run `fork_server.py`; if neither fits, a new process
starts.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from exercise_kit.programs import fork_server

_READ_EARLY = ("PYTHON", "LD_", "LC_")  # variables that Python reads at its start
_AS_IT_IS = ("PYTHONPATH", "PYTHONUNBUFFERED")  # exceptions: a fork handles them itself
_MOST_PARENTS = 2
_LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
_Parent: TypeAlias = tuple[socket.socket, subprocess.Popen[bytes]]


class LaunchFault(Exception):
    """A failure around a program that is not the program's fault."""


@dataclass(eq=False)
class Launcher:
    """Starts programs.

    setup: a file that runs in a parent. It imports modules for the forks, and defines `ready()`,
        called before a program from a file, for more imports; `settle()`, called in a fork before
        its program; and for several ranks `meet(place)`, which returns an object that keeps the
        rendezvous socket open, and `rank_variables(rank, ranks, place)`.
    read_early: prefixes of variables that the imported modules read at import.
    several: the arguments of `python` that start a program on several ranks; their number follows.
    withheld: prefixes of variables that parents do not get, except those in `read_early`.
    """

    setup: Path
    read_early: Sequence[str] = ()
    several: Sequence[str] = ()
    withheld: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._parents: dict[str, _Parent] = {}
        self._starting = threading.Lock()
        self._here: socket.socket | None = None

    def be_parent(self, kept: int = 2, begin: Callable[[], None] = lambda: None) -> None:
        """Fork all programs from a copy of this process, which has one thread, after `begin` there.

        kept: a descriptor that they inherit.
        """
        self._here, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            low, high = sorted((kept, theirs.fileno()))  # close all other descriptors
            for first, last in ((3, low), (low + 1, high), (high + 1, os.sysconf("SC_OPEN_MAX"))):
                os.closerange(first, last)
            sys.excepthook = sys.__excepthook__
            sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
            begin()
            fork_server.main(theirs, str(self.setup), sys.path)
        theirs.close()

    def start(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        *,
        ranks: int = 1,
        watch: Mapping[str, Any] | None = None,
    ) -> Running:
        """The running program `python WORDS` (a file and arguments, or `-c TEXT`) in a new session.

        stdout and stderr share one pipe. ranks: number of processes. watch: see `within.watched`.
        """
        parent = self.parent(env)
        if parent is not None:
            request = {
                "words": list(words),
                "env": dict(env),
                "folder": str(folder),
                "ranks": ranks,
                "watch": watch,
                "limits": [(kind, resource.getrlimit(kind)) for kind in _LIMITS],
            }
            try:
                return ForkedProcess(parent, request)
            except LaunchFault:
                self._forget(parent)
                raise
        if watch and "processor" in watch:  # a new process imports all modules itself
            watch = {**watch, "processor": 2 * watch["processor"]}
        several = (*self.several, str(ranks)) if ranks > 1 else ()
        watching = (fork_server.__file__, "watch", json.dumps(watch)) if watch else ()
        return subprocess.Popen(
            [sys.executable, "-u", *several, *watching, *words],
            cwd=folder,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def parent(self, env: Mapping[str, str]) -> socket.socket | None:
        """The socket to the parent for the early variables of `env`; None if no parent fits."""
        if self._here is not None or sys.platform != "linux":
            return self._here
        early = (*_READ_EARLY, *self.read_early)
        said = {n: env[n] for n in sorted(env) if n.startswith(early) and n not in _AS_IT_IS}
        with self._starting:
            control, process = self._parents.get(str(said), (None, None))
            if process is None and len(self._parents) == _MOST_PARENTS:
                return None
            if process is None or process.poll() is not None:
                withheld = ("PYTHONPATH", *self.withheld)
                left = {name: env[name] for name in env if not name.startswith(withheld)}
                control, process = self._parents[str(said)] = _new_parent(self.setup, left | said)
            return control

    def _forget(self, parent: socket.socket) -> None:
        """End a parent that could not start a program, so that the next program gets a new one."""
        with self._starting:
            for said, (control, process) in [*self._parents.items()]:
                if control is parent:
                    process.kill()
                    process.wait()
                    del self._parents[said]


def _new_parent(setup: Path, env: Mapping[str, str]) -> _Parent:
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [fork_server.__file__, str(theirs.fileno()), str(setup)]
        process = subprocess.Popen(
            [sys.executable, "-u", *words, *filter(None, sys.path)],
            env=env,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C must only reach the caller
        )
    return control, process


class ForkedProcess(AbstractContextManager["ForkedProcess"]):
    """A program in a fork of a parent, with the interface of a `subprocess.Popen`.

    control: the socket to the parent. request: the message for `fork_server.main`. fault: the
    failure before its first line, or "".

    Raises LaunchFault if it cannot be started.
    """

    def __init__(self, control: socket.socket, request: Mapping[str, Any]) -> None:
        words = (sys.executable, request["words"], request["folder"], request["env"])
        # Audit hooks that act before a new process need this event: the virtual nvidia-smi.
        sys.audit("subprocess.Popen", *words)
        reading, writing = os.pipe()
        self.stdout = os.fdopen(reading, encoding="utf-8", errors="replace")
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, os.fdopen(writing, "wb"):
            control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 << 20)  # more than a request
            message = json.dumps(request).encode()
            socket.send_fds(control, [message], [writing, theirs.fileno()])
        said = self._hear()
        if not said.isdecimal():
            raise LaunchFault(said or "the parent process of the programs has ended")
        self.pid = int(said)
        self.fault: str
        self.returncode: int  # both are set when it has ended

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        with self._line:
            told = []
            while (said := self._hear()) and not said.lstrip("-").isdecimal():
                told.append(said)
        self.returncode = int(said) if said else -signal.SIGKILL
        never = [] if told else [f"the program ended before its first line ({self.returncode})"]
        self.fault = next((each for each in told + never if each != fork_server.BEGINS), "")

    def _hear(self) -> str:
        return self._line.recv(fork_server.LONGEST_FAULT).decode(errors="replace")


Running: TypeAlias = ForkedProcess | subprocess.Popen[str]


def raise_fault(running: Running) -> None:
    """Raise LaunchFault if a program, which has ended, failed before its first line."""
    if isinstance(running, ForkedProcess) and running.fault:
        raise LaunchFault(running.fault)


def read(
    running: Running,
    timeout: float,
    most: int = sys.maxsize,
    heard: Callable[[bytes], object] = bytes,
) -> tuple[str, bool]:
    """The first `most` bytes that a program prints, and whether it ended within `timeout` seconds.

    If not, or after an error here, the program is killed with its process group.

    heard: called at once with each piece of the printed text.
    """
    until = time.monotonic() + timeout
    output, printed, ended = running.stdout.buffer, bytearray(), False  # type: ignore[union-attr]
    try:
        while not ended and select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
            piece = output.read1(1 << 16)
            ended = not piece
            heard(piece)
            printed += piece[: max(0, most - len(printed))]
    finally:
        if not ended:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    return printed.decode(errors="replace"), ended
