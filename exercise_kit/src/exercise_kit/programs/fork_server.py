"""The process whose forks are programs: `python fork_server.py SOCKET SETUP PATH…`.

Without forks, `python fork_server.py run WATCH FILE …` is a program that is watched.

    this process         has imported what programs need, and is asked
    └── a launcher       for each program: says its pid, later how it ended
        └── the program  or several, its ranks, whose meeting place the launcher holds

SETUP: the file that `Launcher` is given. PATH: where modules are found.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import importlib.util
import json
import multiprocessing.process
import os
import signal
import socket
import sys
import threading
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

_MOST = 1 << 20  # bytes of a request
_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_LETTING_GO = 30.0  # seconds, as torchrun's


def main(control: socket.socket, setup: Path, own_path: Sequence[str]) -> NoReturn:
    """Serve until nobody asks any more; in a fork, run its program. Ends this process."""
    asked = _serve(control, _load(setup), own_path)
    code = 0
    try:
        if asked is not None:
            _run(asked["words"], asked["watch"])
    except BaseException as error:
        code = _code(error)
    _end(code)


def _load(setup: Path) -> Any:
    spec = importlib.util.spec_from_file_location("setup_of_forks", setup)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _serve(control: socket.socket, setup: Any, own_path: Sequence[str]) -> dict[str, Any] | None:
    """Fork for each request. Returns it in a program; None once nobody asks."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for launchers
    while True:
        request, descriptors, *_ = socket.recv_fds(control, _MOST, 2)
        if not request:
            return None
        asked: dict[str, Any] = json.loads(request)
        for name in asked["imported"]:
            importlib.import_module(name)
        gc.freeze()  # what is there now is not looked through when a fork ends
        if not os.fork():
            control.close()
            variables = _launch(asked["ranks"], setup, bool(asked["watch"]), *descriptors)
            _settle(asked["folder"], {**asked["env"], **variables}, asked["limits"])
            sys.path[:] = [*filter(None, asked["path"]), *own_path]
            setup.settle()
            return asked
        for descriptor in descriptors:
            os.close(descriptor)


def _launch(ranks: int, setup: Any, tidy: bool, output: int, line: int) -> dict[str, str]:
    """Fork the program. Returns in it, with the variables of its rank; here it ends with it.

    tidy: whether to end what it leaves running.
    """
    os.setsid()
    if tidy:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    os.close(output)
    os.write(line, str(os.getpid()).encode())
    pids, ports = [], []
    for rank in range(ranks):
        reading, port = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(line)
            os.close(port)
            number = os.read(reading, 16) if ranks > 1 else b""
            os.close(reading)
            return dict(setup.rank_variables(rank, ranks, number)) if ranks > 1 else {}
        os.close(reading)
        pids.append(pid)
        ports.append(port)
    if ranks > 1:  # after the forks: a meeting place has threads
        number, _kept = setup.meeting()
        for port in ports:
            os.write(port, str(number).encode())
    code = _wait(pids)
    while tidy and (left := _children()):
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    os.write(line, str(code).encode())
    os._exit(0)


def _children() -> list[int]:
    file = Path(f"/proc/self/task/{os.getpid()}/children")
    return [*map(int, file.read_text().split())]


def _wait(pids: Sequence[int]) -> int:
    """The exit status of the first that fails, which ends the others; 0 if none does."""
    left, failed = set(pids), 0

    def end(number: int) -> None:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    signal.signal(signal.SIGALRM, lambda *_: end(signal.SIGKILL))
    while left:
        pid, status = os.wait()
        if pid not in left:
            continue  # an orphan of a program
        left.discard(pid)
        if not failed and (failed := os.waitstatus_to_exitcode(status)):
            end(signal.SIGTERM)
            signal.setitimer(signal.ITIMER_REAL, _LETTING_GO)
    return failed


def _code(ended: BaseException) -> int:
    """The exit code of a program that this left, as Python says it, and what else it says."""
    if isinstance(ended, KeyboardInterrupt):
        sys.excepthook(type(ended), ended, None)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    code = getattr(ended, "code", 1)
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def _end(code: int) -> NoReturn:
    """End as Python does, but do not tear down what was imported: with torch that takes most of a
    second."""
    with suppress(Exception):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        if sys.modules["__main__"].__dict__ is not globals():
            vars(sys.modules["__main__"]).clear()
            gc.collect()  # a file that a program left open is written
        sys.stdout.flush()
    os._exit(code & 0xFF)


def _settle(folder: str, env: Mapping[str, str], limits: Mapping[str, tuple[int, int]]) -> None:
    """Make this fork what a new process finds itself in."""
    import resource

    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, name), limit)
    multiprocessing.process.ORIGINAL_DIR = folder  # type: ignore[attr-defined]


def _run(words: Sequence[str], watch: Mapping[str, Any] | None) -> None:
    """Run a program as the main module."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if words[0] == "-c":
        sys.argv, text, name, first = ["-c", *words[2:]], words[1], "<string>", ""
    else:
        sys.argv, name, first = list(words), words[0], os.path.dirname(os.path.abspath(words[0]))
        with open(name, encoding="utf-8") as file:
            text = file.read()
        main.__file__ = name
    sys.path.insert(0, first)
    watched = _watched(watch) if watch else None
    try:
        exec(compile(text, name, "exec"), vars(main))
    except Exception as error:  # told without this frame
        own = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(own), own)
        sys.exit(1)
    finally:
        if watched is not None:
            watched.end()


def _watched(watch: Mapping[str, Any]) -> Any:
    """The side of `within.py` in a program, which need not find our package."""
    counts = watch.get("counts")
    loaded = {"counts": counts and _load(Path(counts))}
    return _load(Path(__file__).with_name("within.py")).Watched(**{**watch, **loaded})


if __name__ == "__main__":
    own_path = sys.path[1:]
    if sys.argv[1] == "run":
        sys.path[:] = own_path
        _run(sys.argv[3:], json.loads(sys.argv[2]))
    else:
        sys.path[:] = sys.argv[3:]
        main(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]), own_path)
