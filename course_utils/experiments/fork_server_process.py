"""The process whose forks are programs: `python fork_server_process.py SOCKET PATH…`.

    this process         has imported torch, and is asked
    └── a launcher       for each program: says its pid, later how it ended
        └── the program  or several, its ranks, whose store the launcher holds

PATH: where torch and virtual_cuda are found.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing.process
import os
import resource
import signal
import socket
import sys
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress

_MOST = 1 << 20  # bytes of a request
_LETTING_GO = 30.0  # seconds, as torchrun's


def _serve(control: socket.socket) -> list[str] | None:
    """Fork for each request. Returns in a program, with its words; None once nobody asks."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for launchers
    while True:
        request, descriptors, *_ = socket.recv_fds(control, _MOST, 2)
        if not request:
            return None
        words, env, path, folder, ranks, imported, limits = json.loads(request)
        for name in imported:
            importlib.import_module(name)
        if not os.fork():
            control.close()
            variables = _launch(ranks, *descriptors)
            _settle(folder, {**env, **variables}, limits)
            sys.path[:] = [*filter(None, path), *own_path]
            return list(words)
        for descriptor in descriptors:
            os.close(descriptor)


def _launch(ranks: int, output: int, line: int) -> dict[str, str]:
    """Fork the program. Returns in it, with the variables of its rank; here it ends with it."""
    os.setsid()
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
            return _of_rank(rank, ranks, reading) if ranks > 1 else {}
        os.close(reading)
        pids.append(pid)
        ports.append(port)
    if ranks > 1:  # after the forks: a store has threads
        store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
        for port in ports:
            os.write(port, str(store.port).encode())
    os.write(line, str(_wait(pids)).encode())
    os._exit(0)


def _of_rank(rank: int, ranks: int, port: int) -> dict[str, str]:
    """What torchrun tells a process of one machine (torch/distributed/elastic/agent)."""
    number, count = str(rank), str(ranks)
    return {
        **dict.fromkeys(("RANK", "LOCAL_RANK", "ROLE_RANK"), number),
        **dict.fromkeys(("WORLD_SIZE", "LOCAL_WORLD_SIZE", "ROLE_WORLD_SIZE"), count),
        **{"GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default"},
        **{"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": os.read(port, 16).decode()},
        **{"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "none"},
        **{"TORCHELASTIC_RESTART_COUNT": "0", "TORCHELASTIC_MAX_RESTARTS": "0"},
    }


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
        left.discard(pid)
        if not failed and (failed := os.waitstatus_to_exitcode(status)):
            end(signal.SIGTERM)
            signal.setitimer(signal.ITIMER_REAL, _LETTING_GO)
    return failed


def _settle(folder: str, env: Mapping[str, str], limits: Mapping[str, tuple[int, int]]) -> None:
    """Make this fork what a new process finds itself in."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, name), limit)
    multiprocessing.process.ORIGINAL_DIR = folder  # type: ignore[attr-defined]
    numpy.random.seed()  # Python sees to its own numbers
    torch.default_generator.seed()
    virtual_cuda_tool.startup.start()


def _run(words: Sequence[str]) -> None:
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
    try:
        exec(compile(text, name, "exec"), vars(main))
    except Exception as error:  # told without this frame
        trace = error.__traceback__
        sys.excepthook(type(error), error, trace.tb_next if trace else None)
        sys.exit(1)


if __name__ == "__main__":
    own_path = sys.path[1:]
    sys.path[:] = sys.argv[2:]
    import numpy
    import torch
    import torch.distributed

    import virtual_cuda
    import virtual_cuda_tool.startup

    # What the forks are spared.
    imported = sys.modules["__main__"], virtual_cuda
    words = _serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        _run(words)
