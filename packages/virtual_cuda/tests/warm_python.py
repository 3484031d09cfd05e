"""Python processes that do not each have to import torch: forks of one that has.

A fork has what a new process has: no virtual GPUs, and CUDA is not started. What torch reads while
it is imported (VIRTUAL_CUDA, say) has no effect in it; a test of that starts a process of its own.
The process that forks is `python warm_python.py SOCKET MODULE…`.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import types
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

_MOST = 1 << 20  # bytes of a request


def run(
    *arguments: str | Path,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 600,
    imported: tuple[str, ...] = (),
) -> subprocess.CompletedProcess[str]:
    """As subprocess.run([sys.executable, *arguments], capture_output=True, text=True).

    arguments: `-c PROGRAM …`, `-m MODULE …` or `FILE …`. imported: modules, beside torch, that
    are there already.
    """
    words = list(map(str, arguments))
    if sys.platform != "linux":  # a fork may not use the system's own libraries elsewhere
        command = [sys.executable, *words]
        options = {"cwd": cwd, "env": env, "capture_output": True, "text": True}
        return subprocess.run(command, timeout=timeout, **options)
    environment = dict(os.environ if env is None else env)
    request = json.dumps([words, os.fspath(cwd or os.getcwd()), environment]).encode()
    ours, theirs = socket.socketpair()
    with ours, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with theirs:
            files = [theirs.fileno(), out.fileno(), err.fileno()]
            socket.send_fds(_server(os.getpid(), imported), [request], files)
        pid = int(ours.recv(16))
        try:
            if not select.select([ours], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(words, timeout)
            status = int(ours.recv(16))
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            raise
        texts = (file.seek(0) or file.read().decode(errors="replace") for file in (out, err))
        return subprocess.CompletedProcess(words, status, *texts)


@cache
def _server(owner: int, imported: tuple[str, ...]) -> socket.socket:
    """The socket of the process that forks. owner: ours; a fork of it needs one of its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno()), *imported],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    return ours


def _serve(control: socket.socket) -> list[str] | None:
    """Fork for each request. Returns in a fork, with its arguments; None once nobody asks."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        request, files, *_ = socket.recv_fds(control, _MOST, 3)
        if not request:
            return None
        if not os.fork():
            control.close()
            words, folder, env = json.loads(request)
            return _begin(words, folder, env, *files)
        for file in files:
            os.close(file)


def _begin(words: list[str], folder: str, env: dict[str, str], *files: int) -> list[str]:
    """Fork the program, and return in it; say here how it ended."""
    teller, out, err = files
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        os.write(teller, str(os.getpid()).encode())
        _, status = os.waitpid(pid, 0)
        os.write(teller, str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for file in files:
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    torch.default_generator.seed()
    return words


def _program(words: list[str]) -> types.CodeType:
    """The code of a program, for whose main module everything is set."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    path = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    if words[0] == "-c":
        sys.argv, name, text, place = ["-c", *words[2:]], "<string>", words[1], ""
    elif words[0] == "-m":
        text = "import runpy, sys; runpy.run_module(sys.argv[0], None, '__main__', True)"
        sys.argv, name, place = words[1:], "<string>", os.getcwd()
    else:
        sys.argv, name = words, words[0]
        main.__file__, text, place = name, Path(name).read_text("utf-8"), str(Path(name).parent)
    sys.path[:] = [place, *path, *sys.path[1:]]
    return compile(text, name, "exec")


if __name__ == "__main__":
    import torch

    kept = sys.modules["__main__"], [*map(importlib.import_module, sys.argv[2:])]
    words = _serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        exec(_program(words), vars(sys.modules["__main__"]))
