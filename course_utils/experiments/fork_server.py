"""Python programs that are there at once: forks of a process that has imported torch.

Such a fork has what a new process has: CUDA is not started, and no variable is read by it. It is
there in a twentieth of a second, where a new one takes seconds to import torch. What is read while
Python or torch start is that of a parent: there are two at most, and a new process is started where
neither fits, or where the system has no fork. The process that forks is `fork_server_process.py`.
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
from typing import IO, TypeAlias

# Read by Python, torch and what they load, before the first line of a program. virtual_cuda reads
# what is meant for it in the fork, and output is never held back there.
_READ_EARLY = ("PYTHON", "TORCH", "PYTORCH", "OMP_", "MKL_", "KMP_", "LD_", "LC_")
_AS_IT_IS = ("PYTHONPATH", "PYTHONUNBUFFERED")
_FOR_TRAINING = ("torch._dynamo", "torch.nn.parallel", "torch.utils.data")
"""What a training program would have torch load, in every process, at its first step."""
_TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node")


def start_program(
    words: Sequence[str], env: Mapping[str, str], folder: Path, *, ranks: int = 1
) -> ForkedProcess | subprocess.Popen[str]:
    """Start `python WORDS`, a file and its arguments, in a session of its own.

    stdout and stderr go to one pipe. ranks: so many processes of it, as torchrun starts them.
    """
    parent = _started(env)
    if parent is not None:
        path = env.get("PYTHONPATH", "").split(os.pathsep)
        return parent.start(words, env, path, folder, ranks=ranks, imported=_FOR_TRAINING)
    several = (*_TORCHRUN, str(ranks)) if ranks > 1 else ()
    return _new([*several, *words], env, folder)


def run_python(program: str, env: Mapping[str, str], path: Sequence[str], timeout: float) -> str:
    """What a program prints, to stdout and stderr alike, in a process of its own.

    Args:
        env: its whole environment.
        path: where it finds modules, beside the working folder, which is that of this process.
        timeout: seconds.

    Raises:
        subprocess.TimeoutExpired: it was still running, and was killed with its process group.
    """
    parent = _started(env)
    if parent is None:
        return _run_new(program, {**env, "PYTHONPATH": os.pathsep.join(path)}, timeout)
    until = time.monotonic() + timeout
    with parent.start(["-c", program], env, path, Path.cwd()) as running:
        output, printed = running.stdout.buffer, bytearray()  # type: ignore[attr-defined]
        try:
            while select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
                piece = output.read1(1 << 16)
                if not piece:
                    return printed.decode(errors="replace")
                printed += piece
        except BaseException:
            _kill(running.pid)
            raise
        _kill(running.pid)
    raise subprocess.TimeoutExpired(sys.executable, timeout)


def _run_new(program: str, env: Mapping[str, str], timeout: float) -> str:
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


_parents: dict[frozenset[tuple[str, str]], ForkServer] = {}
_MOST_PARENTS = 2
_starting = threading.Lock()


def _started(env: Mapping[str, str]) -> ForkServer | None:
    """The one for what `env` says early, started if need be; None where there is none."""
    if sys.platform != "linux":
        return None
    early = frozenset(
        (name, value)
        for name, value in env.items()
        if name.startswith(_READ_EARLY) and name not in _AS_IT_IS
    )
    with _starting:
        known = _parents.get(early)
        if known is None and len(_parents) == _MOST_PARENTS:
            return None
        if known is None or not known.can_be_asked():
            known = _parents[early] = ForkServer(env)
        return known


class ForkServer:
    """Our side of it."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._owner, self._asking = os.getpid(), threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 << 20)
        dropped = ("PYTHONPATH", "VIRTUAL_CUDA")
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-u",
                    str(Path(__file__).with_name("fork_server_process.py")),
                    str(theirs.fileno()),
                    *filter(None, sys.path),
                ],
                env={name: value for name, value in env.items() if not name.startswith(dropped)},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is meant for who asks
            )

    def can_be_asked(self) -> bool:
        """A fork of this process needs one of its own."""
        return self._owner == os.getpid() and self._process.poll() is None

    def start(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        path: Sequence[str],
        folder: Path,
        *,
        ranks: int = 1,
        imported: Sequence[str] = (),
    ) -> ForkedProcess:
        """A program, `-c TEXT …` or `FILE …`. imported: modules that are there already."""
        import resource  # only Linux comes here

        limits = {
            name: resource.getrlimit(getattr(resource, name))
            for name in dir(resource)
            if name.startswith("RLIMIT_")
        }
        asked = [list(words), dict(env), list(path), str(folder), ranks, list(imported), limits]
        request = json.dumps(asked).encode()
        # Whoever has to do something before a process starts hears of it: the virtual nvidia-smi.
        sys.audit("subprocess.Popen", sys.executable, list(words), str(folder), dict(env))
        reading, writing = os.pipe()
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with self._asking, theirs:
                socket.send_fds(self._control, [request], [writing, theirs.fileno()])
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


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
