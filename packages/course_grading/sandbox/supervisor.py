"""The processes that wait for a submission and end all processes that it started."""

import contextlib
import gc
import os
import resource
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import NoReturn

import psutil

from course_grading.sandbox import libc
from course_grading.sandbox.levels import SandboxRefused

READY = b"ready"
_MOST = 4096  # bytes of a refusal
OUR_FAULT = 70
"""The exit code of a confined process after a fault of the grader."""

STOPPED_BY = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
"""Signals that end a submission. They are blocked until the supervisor handles them."""


def die_with_parent(line: socket.socket) -> None:
    """Let the kernel kill this process if its parent ends, which has the other end of `line`."""
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    watch = select.poll()
    watch.register(line, select.POLLHUP)
    if any(event & select.POLLHUP for _, event in watch.poll(0)):
        os._exit(1)  # the parent ended before the call


def refuse(line: socket.socket, refusal: str) -> NoReturn:
    """Send the reason to the supervisor and end, in a child that could not be confined."""
    line.send(refusal.encode()[:_MOST])
    os._exit(1)


def supervise(
    child: int,
    line: socket.socket,
    *,
    tidy: Callable[[], None],
    release: Callable[[], None],
    account: Callable[[int], None],
) -> NoReturn:
    """Wait for a confined process, then clean up and end as it did.

    child: the pid of the process.
    tidy: removes its folders and groups.
    release: closes the descriptors that only the confined process needs.
    account: gets its exit status, before anything is removed.

    Raises SandboxRefused if it could not be confined.
    """
    gc.disable()  # a collection would copy memory that the processes share
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in STOPPED_BY:
        signal.signal(number, lambda *_: os.kill(child, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPED_BY)
    word = line.recv(_MOST)
    if word != READY:
        os.waitpid(child, 0)
        tidy()
        raise SandboxRefused(word.decode() or "The process ended before it was confined.")
    release()
    told = line.recv(_MOST)  # from the init process, if there is one
    _, status = os.waitpid(child, 0)
    _end_descendants()
    status = int(told) if told else status
    account(status)
    tidy()
    _end_as(status)


def run_as_init(child: int, line: socket.socket) -> NoReturn:
    """Reap processes until `child` ends, as the first process of a pid namespace.

    The kernel then kills all other processes of the namespace.
    """
    gc.disable()
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == child:
            line.send(str(status).encode())
            os._exit(0)


def _end_descendants() -> None:
    """Kill all descendants, if no namespace has; orphans are children of this process."""
    this = psutil.Process()
    while _any_child_left():
        for process in this.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                process.kill()
        time.sleep(0.001)


def _any_child_left() -> bool:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _end_as(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))
