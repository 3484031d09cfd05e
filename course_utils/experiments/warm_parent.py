"""Python processes that are there at once: forks of one that has imported torch and nothing else.

Such a fork has what a new process has: CUDA is not started, and no variable is read by it. It is
there in a twentieth of a second, where a new one takes seconds to import torch. The process that
forks is `python warm_parent.py SOCKET`. Where the system has no fork, or the environment has what
is read while Python or torch start, `run_python` starts a new process instead.
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
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress

# Read by Python, torch and what they load, before the first line of a program.
_READ_EARLY = ("PYTHON", "TORCH", "PYTORCH", "VIRTUAL_CUDA", "OMP_", "MKL_", "KMP_", "LD_", "LC_")
_MOST = 1 << 20  # bytes of a request


def run_python(program: str, env: Mapping[str, str], path: Sequence[str], timeout: float) -> str:
    """What a program prints, to stdout and stderr alike, in a process of its own.

    Args:
        env: its whole environment.
        path: where it finds modules, beside the working folder, which is that of this process.
        timeout: seconds.

    Raises:
        subprocess.TimeoutExpired: it was still running, and was killed with its process group.
    """
    early = {name: value for name, value in env.items() if name.startswith(_READ_EARLY)}
    early.pop("PYTHONPATH", None)
    parent = _started(env, early)
    if parent is None or parent.early != early:
        return _run_new(program, {**env, "PYTHONPATH": os.pathsep.join(path)}, timeout)
    return parent.run(program, env, path, timeout)


def _run_new(program: str, env: Mapping[str, str], timeout: float) -> str:
    return subprocess.run(
        [sys.executable, "-u", "-c", program],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
    ).stdout


_parent: WarmParent | None = None
_starting = threading.Lock()


def _started(env: Mapping[str, str], early: Mapping[str, str]) -> WarmParent | None:
    """The one of this process, started if need be; None where there is no fork to rely on."""
    global _parent
    if sys.platform != "linux":
        return None
    with _starting:
        if _parent is None or not _parent.can_be_asked():
            _parent = WarmParent(env, early)
        return _parent


class WarmParent:
    """Our side of it. early: what stood in the environment when it started, of what counts then."""

    def __init__(self, env: Mapping[str, str], early: Mapping[str, str]) -> None:
        self.early, self._owner, self._asking = dict(early), os.getpid(), threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * _MOST)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-u", __file__, str(theirs.fileno())],
                env={name: value for name, value in env.items() if name != "PYTHONPATH"},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is meant for who asks
            )

    def can_be_asked(self) -> bool:
        """A fork of this process needs one of its own."""
        return self._owner == os.getpid() and self._process.poll() is None

    def run(self, program: str, env: Mapping[str, str], path: Sequence[str], timeout: float) -> str:
        """As `run_python`."""
        until = time.monotonic() + timeout
        request = json.dumps([program, dict(env), list(path), os.getcwd()]).encode()
        reading, writing = os.pipe()
        with open(reading, "rb", buffering=0) as output:
            try:
                with self._asking:
                    socket.send_fds(self._control, [request], [writing])
                    pid = int(self._control.recv(32))
            finally:
                os.close(writing)
            printed = bytearray()
            try:
                while select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
                    piece = output.read(1 << 16)
                    if not piece:
                        return printed.decode(errors="replace")
                    printed += piece
            except BaseException:
                _kill(pid)
                raise
            _kill(pid)
        raise subprocess.TimeoutExpired(sys.executable, timeout)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _serve(control: socket.socket) -> str | None:
    """Fork for each request. Returns in a fork, with its program; None once nobody asks."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        request, descriptors, *_ = socket.recv_fds(control, _MOST, 1)
        if not request:
            return None
        (output,) = descriptors
        pid = os.fork()
        if not pid:
            control.close()
            program, env, path, folder = json.loads(request)
            _settle(env, path, folder, output)
            return str(program)
        os.close(output)
        control.send(str(pid).encode())


def _settle(env: Mapping[str, str], path: Sequence[str], folder: str, output: int) -> None:
    """Make this fork what a process started with `python -c` finds itself in."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    os.close(output)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.argv, sys.path = ["-c"], ["", *path, *sys.path[1:]]
    numpy.random.seed()  # Python sees to its own numbers
    torch.default_generator.seed()
    sys.modules["__main__"] = types.ModuleType("__main__")


if __name__ == "__main__":
    import numpy
    import torch

    import virtual_cuda

    imported = sys.modules["__main__"], torch, virtual_cuda  # what the forks are spared
    program = _serve(socket.socket(fileno=int(sys.argv[1])))
    if program is not None:
        exec(compile(program, "<string>", "exec"), vars(sys.modules["__main__"]))
