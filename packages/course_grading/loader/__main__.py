"""The loader: `python -m course_grading.loader CONTROL`.

    loader
    ├── judge            one for each thread of an executor, in its own session (killed as a whole)
    │   └── worker       forked before the judge gets any data; a second one for real GPUs
    └── truth            the right facts of the hidden cases of a seed

The loader gets neither a seed nor an assignment nor a submission, because every submission can
read the loader's memory. CONTROL is the number of an inherited socket.
"""

import gc
import json
import os
import socket
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import virtual_cuda
from course_grading.forks import end_with
from course_grading.judge import main as judge
from course_grading.worker import main as worker
from course_grading.worker.preload import use_virtual_gpus
from course_utils.checking.exercises import exercise
from course_utils.checking.world import load_lazy_parts
from course_utils.manifest import load_manifest


def main(control: socket.socket) -> None:
    """Answer two requests: fork a part with these descriptors, and whether a fork has ended."""
    load_lazy_parts()
    virtual_cuda.prepare()
    gc.collect()
    gc.freeze()  # a garbage collection in a fork would copy this memory
    control.send(b"{}")
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 64, 2)
        if not message:
            return  # the coordinator has ended
        request = json.loads(message)
        if "ended" in request:
            control.send(json.dumps({"ended": _ended(request["ended"])}).encode())
            continue
        pid = os.fork()
        if not pid:
            control.close()
            end_with(_PARTS[request["fork"]], *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(json.dumps({"pid": pid}).encode())


def _ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:  # it was reported before
        return True


def _judge(pipe: int, said: int) -> None:
    """Fork as many workers as the first message says, and judge."""
    os.setsid()
    os.dup2(said, 2)
    os.close(said)
    line = Connection(pipe)
    workers: list[tuple[socket.socket, int]] = []
    for _ in range(line.recv()):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        workers.append((ours, os.fork()))
        if not workers[-1][1]:
            for descriptor in (pipe, *(ours.fileno() for ours, _ in workers)):
                os.close(descriptor)
            end_with(worker.main, theirs)
        theirs.close()
    judge.main(line, workers, _TURN)


def _truth(descriptor: int) -> None:
    """Read an assignment and a seed; write its hidden cases, or an error message.

    The exercises' own answers give the right facts in this fork, so that no answer, not even ours,
    runs in a process that judges.
    """
    os.setsid()
    line = Connection(descriptor)
    try:
        assignment, seed = json.loads(line.recv_bytes())
        names = [each.name for each in load_manifest().assignment(assignment).exercises]
        use_virtual_gpus()
        content: Any = {
            name: [
                (number, case.title, case.data, case.right)
                for number, case in exercise(name).hidden_cases(seed)
            ]
            for name in names
        }
    except Exception as error:
        content = f"{type(error).__name__}: {error}"
    line.send_bytes(json.dumps(content).encode())


_PARTS: dict[str, Callable[..., None]] = {"judge": _judge, "truth": _truth}
_TURN = os.memfd_create("turn")
"""A file that judges lock while they use real GPUs."""


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
