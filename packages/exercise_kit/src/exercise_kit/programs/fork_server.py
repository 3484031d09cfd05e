"""The processes between a caller and a program.

    this process         has imported the modules for programs, and gets the requests
    └── a launcher       one for each program: reports its pid, later its exit status
        └── the program  or several ranks, whose rendezvous socket the launcher keeps open

`python fork_server.py SOCKET SETUP PATH…`: SETUP is the setup file of `Launcher`, PATH the search
path of modules. `python fork_server.py watch WATCH FILE …` is only the launcher of one program.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import linecache
import multiprocessing.process
import os
import resource
import runpy
import signal
import socket
import sys
import threading
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NoReturn

_Watch = Mapping[str, Any] | None  # see `within.watched`
_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_LETTING_GO = 30  # seconds from SIGTERM to SIGKILL, as in torchrun
BEGINS = "it begins"  # the message just before a program's first line
LONGEST_FAULT = 1000  # bytes of a message about a fault of ours


def main(control: socket.socket, setup_file: str, own_path: Sequence[str]) -> NoReturn:
    """Fork a launcher for each request until the socket closes. Ends this process and each fork."""
    gc.disable()  # it takes a fifth of the time of the imports
    setup = types.SimpleNamespace(**runpy.run_path(setup_file))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # this process does not wait for launchers
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 1 << 20, 2)
        if not message:
            _end(0)
        request = json.loads(message)
        output, line = descriptors
        with _ours(line):
            if request["words"][0] != "-c":
                setup.ready()
            gc.freeze()  # a fork's garbage collection skips the current objects
            is_fork = not os.fork()
        if is_fork:
            break
        for descriptor in descriptors:
            os.close(descriptor)
    gc.enable()
    control.close()
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    os.close(output)
    os.write(line, str(os.getpid()).encode())
    with _ours(line):
        code, variables = _launch(request["watch"], request["ranks"], setup)
        if code is not None:
            os.write(line, str(code).encode())
            os._exit(0)
        os.environ.clear()
        os.environ.update(request["env"] | variables)
        os.chdir(request["folder"])
        multiprocessing.process.ORIGINAL_DIR = request["folder"]  # type: ignore[attr-defined]
        for kind, limit in request["limits"]:
            resource.setrlimit(kind, limit)
        python_path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        sys.path[:] = [*filter(None, python_path), *own_path]
        setup.settle()
    os.write(line, BEGINS.encode())
    os.close(line)
    _run(request["words"], request["watch"])


@contextmanager
def _ours(line: int) -> Iterator[None]:
    """Report an error of the body, which is not the program's fault, and end this process."""
    try:
        yield
    except BaseException as error:
        # A SystemExit with a message can have another exception as its cause.
        cause = error.__context__ if isinstance(error, SystemExit) else None
        told = f"{type(cause or error).__name__}: {cause or error}"
        os.write(line, told.encode(errors="replace")[:LONGEST_FAULT])
        _end(_told(error))


def _launch(watch: _Watch, ranks: int = 1, setup: Any = None) -> tuple[int | None, dict[str, str]]:
    """Fork a program and wait for its end. Returns its exit status; in the fork, None and the
    variables of its rank.

    Kills processes that a watched program leaves running.
    """
    if tidy := watch is not None and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    place = socket.create_server(("127.0.0.1", 0)) if ranks > 1 else None
    pids: list[int] = []
    for rank in range(ranks):
        pids.append(os.fork())
        if not pids[-1]:
            with place or nullcontext():
                return None, setup.rank_variables(rank, ranks, place) if place else {}
    _kept = place and setup.meet(place)  # after the forks, because it starts threads
    code = _wait(pids, watch)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while tidy and (left := children.read_text().split()):
        for pid in map(int, left):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return code, {}


def _wait(pids: Sequence[int], watch: _Watch) -> int:
    """The exit status of the first rank that fails, or 0. A failure ends the other ranks.

    A watched rank that stops itself gets its signal here.
    """
    left, failed = set(pids), 0

    def send(number: int, *pids: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    signal.signal(signal.SIGALRM, lambda *_: send(signal.SIGKILL, *left))
    while left:
        pid, status = os.waitpid(-1, 0 if watch is None else os.WUNTRACED)
        if pid not in left:
            continue  # an orphan process of a program
        if watch is not None and os.WIFSTOPPED(status):
            send(watch.get("signal") or signal.SIGKILL, pid)
            send(signal.SIGCONT, pid)
            continue
        left.discard(pid)
        if not failed and (failed := os.waitstatus_to_exitcode(status)):
            send(signal.SIGTERM, *left)
            signal.alarm(_LETTING_GO)
    return failed


def _run(words: Sequence[str], watch: _Watch) -> NoReturn:
    """Run a program as the main module, and end the process as Python does."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = list(words)
    if words[0] == "-c":
        text, name, first = sys.argv.pop(1), "<string>", ""
        if sys.version_info >= (3, 13):  # from there on, Python shows its lines in a traceback
            linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    else:
        main.__file__ = name = words[0]
        text, first = Path(name).read_text("utf-8"), os.path.dirname(os.path.abspath(name))
    sys.path.insert(0, first)
    code, watched = 0, nullcontext()
    if watch is not None:  # the program's search path may not contain this package
        watched = runpy.run_path(str(Path(__file__).with_name("within.py")))["watched"](**watch)
    try:
        with watched:
            exec(compile(text, name, "exec"), vars(main))
    except BaseException as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # skip this frame
        code = _told(error)
    _end(code)


def _told(error: BaseException) -> int:
    """The exit code of a program ended by `error`. Prints the error as Python does."""
    if isinstance(error, SystemExit):
        if not isinstance(error.code, int | None):
            print(error.code, file=sys.stderr)
        return error.code & 0xFF if isinstance(error.code, int) else int(error.code is not None)
    sys.excepthook(type(error), error, error.__traceback__)
    return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


def _end(code: int) -> NoReturn:
    """End as Python does, or by a signal if `code` is negative, but without tearing down imported
    modules: with torch this takes most of a second."""
    with suppress(Exception):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        if sys.modules["__main__"].__dict__ is not globals():
            vars(sys.modules["__main__"]).clear()
            gc.collect()  # flushes files that the program left open
        sys.stdout.flush()
    if code < 0:
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    own_path = sys.path[1:]
    if sys.argv[1] == "watch":
        sys.path[:] = own_path
        watch, words = json.loads(sys.argv[2]), sys.argv[3:]
        code, _ = _launch(watch)
        _run(words, watch) if code is None else _end(code)
    else:
        sys.path[:] = sys.argv[3:]
        main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], own_path)
