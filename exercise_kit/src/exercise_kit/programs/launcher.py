"""Python programs that are there at once: forks of a process that has imported what they need.

Such a fork is what a new process would be, and there in a twentieth of a second. What is read while
Python starts is that of a parent: there are two at most, and a new process is started where neither
fits, or where the system has no fork. The process that forks is `fork_server.py`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeAlias

from exercise_kit.programs import fork_server

_READ_EARLY = ("PYTHON", "LD_", "LC_")  # by Python, before the first line of a program
_AS_IT_IS = ("PYTHONPATH", "PYTHONUNBUFFERED")  # output is never held back in a fork
_MOST_PARENTS = 2


class Launcher:
    """Starts programs.

    Args:
        setup: a file that is run in a parent. It imports what its forks are spared, and defines
            `settle()`, called in a fork before its program, and for programs of several ranks
            `meeting()`, which gives the port at which they meet and what keeps it open, and
            `rank_variables(rank, ranks, port)`.
        read_early: beginnings of the names of variables that what it imports reads at once.
        imported: modules that `start` has a parent import before it forks.
        several: words after `python` that start so many ranks, a number that follows, of a program.
        withheld: beginnings of the names of variables that no parent gets, if it does not read them
            at once.
    """

    def __init__(
        self,
        setup: Path,
        read_early: Sequence[str] = (),
        imported: Sequence[str] = (),
        several: Sequence[str] = (),
        withheld: Sequence[str] = (),
    ) -> None:
        self.setup, self._early = setup, (*_READ_EARLY, *read_early)
        self._withheld = ("PYTHONPATH", *withheld)
        self._imported, self._several = imported, several
        self._parents: dict[frozenset[tuple[str, str]], ForkServer] = {}
        self._starting = threading.Lock()
        self._here: ForkServer | None = None

    def be_parent(self) -> None:
        """Fork all programs of this process from what it is now. It must have one thread."""
        self._here = ForkServer.of_this_process(self.setup)

    def start(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        *,
        ranks: int = 1,
        watch: Mapping[str, Any] | None = None,
    ) -> Running:
        """Start `python WORDS`, a file and its arguments, in a session of its own.

        stdout and stderr go to one pipe. ranks: so many processes of it. watch: what to do in the
        program, the arguments of `within.Watched`, with the file of `counts`.
        """
        parent = self.parent(env)
        if parent is not None:
            path = env.get("PYTHONPATH", "").split(os.pathsep)
            return parent.start(
                words, env, path, folder, ranks=ranks, imported=self._imported, watch=watch
            )
        several = (*self._several, str(ranks)) if ranks > 1 else ()
        watching = (fork_server.__file__, "run", json.dumps(watch)) if watch else ()
        return _new([*several, *watching, *words], env, folder)

    def run(self, program: str, env: Mapping[str, str], path: Sequence[str], timeout: float) -> str:
        """What a program prints, to stdout and stderr alike, in a process of its own.

        Args:
            env: its whole environment.
            path: where it finds modules, beside the working folder, which is this process's.
            timeout: seconds.

        Raises:
            subprocess.TimeoutExpired: it was still running, and was killed with its process group.
        """
        parent = self.parent(env)
        if parent is None:
            return run_new(program, {**env, "PYTHONPATH": os.pathsep.join(path)}, timeout)
        with parent.start(["-c", program], env, path, Path.cwd()) as running:
            try:
                printed, ended = read(running, timeout)
            except BaseException:
                kill(running.pid)
                raise
            if not ended:
                kill(running.pid)
        if not ended:
            raise subprocess.TimeoutExpired(sys.executable, timeout)
        return printed

    def parent(self, env: Mapping[str, str]) -> ForkServer | None:
        """The one for what `env` says early, started if need be; None where there is none."""
        if self._here is not None and self._here.can_be_asked():
            return self._here
        if sys.platform != "linux":
            return None
        read = {
            name: value
            for name, value in env.items()
            if name.startswith(self._early) and name not in _AS_IT_IS
        }
        early = frozenset(read.items())
        with self._starting:
            known = self._parents.get(early)
            if known is None and len(self._parents) == _MOST_PARENTS:
                return None
            if known is None or not known.can_be_asked():
                left = {name: env[name] for name in env if not name.startswith(self._withheld)}
                server = ForkServer.of_a_new_process(self.setup, {**left, **read})
                known = self._parents[early] = server
            return known


class ForkServer:
    """Our side of it."""

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None) -> None:
        self._owner, self._asking = os.getpid(), threading.Lock()
        self._control, self._process = control, process
        control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 << 20)

    @classmethod
    def of_a_new_process(cls, setup: Path, env: Mapping[str, str]) -> ForkServer:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            words = [fork_server.__file__, str(theirs.fileno()), str(setup)]
            process = subprocess.Popen(
                [sys.executable, "-u", *words, *filter(None, sys.path)],
                env=dict(env),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is meant for who asks
            )
        return cls(control, process)

    @classmethod
    def of_this_process(cls, setup: Path) -> ForkServer:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            # Nothing that this process talks through is a program's.
            os.closerange(3, theirs.fileno())
            os.closerange(theirs.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
            sys.excepthook = sys.__excepthook__
            sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
            fork_server.main(theirs, setup, sys.path)
        theirs.close()
        return cls(control, None)

    def can_be_asked(self) -> bool:
        """A fork of this process needs one of its own."""
        alive = self._process is None or self._process.poll() is None
        return self._owner == os.getpid() and alive

    def start(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        path: Sequence[str],
        folder: Path,
        *,
        ranks: int = 1,
        imported: Sequence[str] = (),
        watch: Mapping[str, Any] | None = None,
    ) -> ForkedProcess:
        """A program, `-c TEXT …` or `FILE …`. imported: modules that are there already."""
        import resource  # only Linux comes here

        limits = {
            name: resource.getrlimit(getattr(resource, name))
            for name in dir(resource)
            if name.startswith("RLIMIT_")
        }
        request = {
            "words": list(words),
            "env": dict(env),
            "path": list(path),
            "folder": str(folder),
            "ranks": ranks,
            "imported": list(imported),
            "limits": limits,
            "watch": watch,
        }
        # Whoever has to do something before a process starts hears of it: the virtual nvidia-smi.
        sys.audit("subprocess.Popen", sys.executable, list(words), str(folder), dict(env))
        reading, writing = os.pipe()
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with self._asking, theirs:
                asked = json.dumps(request).encode()
                socket.send_fds(self._control, [asked], [writing, theirs.fileno()])
        finally:
            os.close(writing)
        return ForkedProcess(line, open(reading, encoding="utf-8", errors="replace"))


class ForkedProcess:
    """A program in a fork of the fork server, to be used as a `subprocess.Popen`."""

    def __init__(self, line: socket.socket, stdout: IO[str]) -> None:
        self._line, self.stdout = line, stdout
        self.pid = int(line.recv(32))
        self.returncode: int | None = None

    def __enter__(self) -> ForkedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        with self._line:
            said = self._line.recv(32)
        self.returncode = int(said) if said else -signal.SIGKILL


Running: TypeAlias = ForkedProcess | subprocess.Popen[str]


def read(running: Running, timeout: float, most: int | None = None) -> tuple[str, bool]:
    """What a program prints until it ends, and whether it did, within `timeout` seconds.

    most: bytes that are kept, from the first; None for all.
    """
    until = time.monotonic() + timeout
    output, printed = running.stdout.buffer, bytearray()  # type: ignore[union-attr]
    ended = False
    while select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
        piece = output.read1(1 << 16)
        if not piece:
            ended = True
            break
        printed += piece if most is None else piece[: max(0, most - len(printed))]
    return printed.decode(errors="replace"), ended


def run_new(program: str, env: Mapping[str, str], timeout: float) -> str:
    """As `Launcher.run`, in a process that is no fork."""
    with _new(["-c", program], env, Path.cwd()) as process:
        try:
            return process.communicate(timeout=timeout)[0]
        except BaseException:
            process.kill()
            raise


def _new(words: Sequence[str], env: Mapping[str, str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", *words],
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def kill(pid: int) -> None:
    """End a program with its process group."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
