"""A judge's handle on the worker, which forks one process for each submission."""

import contextlib
import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from course_grading.job import GradingSettings
from course_grading.protocol import JudgeEnd, hear, parse_json
from course_grading.results import Flag, on_a_line
from course_grading.sandbox import gpus

_STARTING = 600  # seconds
_LONGEST_TOLD = 4096  # bytes of a message
_MOST_LINES = 1_000_000
_MOST_TOLD = 1_000  # messages; the socket holds fewer
_MOMENT = 0.1  # seconds
# Processes that Python itself starts for "spawn" and "forkserver", and ends with its own. If a
# submission contains such a command line, hints.py names it.
_PYTHONS_OWN = re.compile(
    rb"\0-c\0from multiprocessing\.(resource_tracker|forkserver) import main;[^\0]*\0\Z"
)


class WorkerFault(Exception):
    """A part of the grader failed in the worker. It is not the submission's fault."""


class WorkerHandle:
    """The worker of an assignment. It gets neither the seed nor a case in advance.

    told: flags from the processes of submissions. death: how the last process ended.
    cpu: seconds of processor time of all submissions' processes so far.
    on_gpus: the exercises with GPUs. gpus: the names of the real GPUs of the last process.
    """

    def __init__(self, control: socket.socket, pid: int, settings: GradingSettings) -> None:
        """pid: the process at the other end of `control`, a child of this process."""
        self.times = settings.times
        real = settings.real is not None
        self.limits = replace(settings.limits, memory=gpus.MEMORY) if real else settings.limits
        self.gpus: list[str] = []
        self.told: list[Flag] = []
        self.death: dict[str, Any] = {}
        self.cpu = 0.0
        self._control, self._pid = control, pid
        control.settimeout(_STARTING)
        told = {
            "exercises": list(json.loads(settings.hidden)),
            "level": settings.level.name,
            "limits": asdict(self.limits),
            "real": settings.real,
        }
        control.send(json.dumps(told).encode())
        self.on_gpus: list[str] = hear(self._control)["on_gpus"]

    @contextlib.contextmanager
    def submission(self, files: Mapping[str, bytes]) -> Iterator[JudgeEnd]:
        """A new process for a submission: the socket to it."""
        ours, theirs = socket.socketpair()
        heard, way_out = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        way_out.shutdown(socket.SHUT_RD)
        with theirs, way_out:
            socket.send_fds(self._control, [b"fork"], [theirs.fileno(), way_out.fileno()])
        pid = hear(self._control)["pid"]
        asking = JudgeEnd(ours)
        try:
            content = {name: data.hex() for name, data in files.items()}
            begun = asking.ask({"do": "begin", "files": content}, _STARTING)
            if "refused" in begun:
                raise WorkerFault(begun["refused"])
            self.gpus = begun["gpus"]
            self._running = pid, len(_below(pid))
            yield asking
        finally:
            asking.close()
            with heard:
                self._end(pid)
                self._listen(heard)

    def look_for_processes(self, forks: int = 0) -> bool:
        """Flag processes that the current submission left running. forks: how many are ours.

        Returns whether there are any.
        """
        pid, own = self._running
        for pause in (0.0, _MOMENT):  # a process that has just ended may still be listed
            time.sleep(pause)
            if len(_below(pid)) <= own + forks:
                return False
        self.told.append(Flag("", 0, "", "leaves a process running while an answer is called"))
        return True

    def _end(self, pid: int) -> None:
        self._control.settimeout(self.times.letting_go)
        try:
            said = hear(self._control)
        except TimeoutError:
            os.kill(pid, signal.SIGTERM)  # its supervisor handles this and cleans up
            self._control.settimeout(_STARTING)
            said = hear(self._control)
        self.cpu += said["cpu"]

    def _listen(self, heard: socket.socket) -> None:
        """Read all messages of the process. The last one is its supervisor's account of its end."""
        heard.setblocking(False)
        self.death, said = {}, list[bytes]()
        with contextlib.suppress(BlockingIOError):
            while len(said) < _MOST_TOLD:  # a message can be empty, so an empty one is not the end
                said.append(heard.recv(_LONGEST_TOLD))
        while said and not said[-1]:
            said.pop()
        for each in said:
            self._note(each)

    def _note(self, said: bytes) -> None:
        flag = Flag("", 0, "", "writes into the socket of the audit")
        with contextlib.suppress(ValueError, RecursionError):
            match parse_json(said):
                case [str(file), int(line), str(text), str(why)] if 0 <= line < _MOST_LINES:
                    flag = Flag(on_a_line(file), line, on_a_line(text), on_a_line(why))
                case dict(account):
                    first, self.death = not self.death, account
                    if first:
                        return
        self.told.append(flag)

    def close(self) -> None:
        """End the worker, and wait for it."""
        self._control.close()
        os.waitpid(self._pid, 0)


def _below(pid: int) -> list[int]:
    """The ids of a process and of all its running descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return []
    below = [each for child in map(int, children) for each in _below(child)]
    return below if state == b"Z" or _PYTHONS_OWN.search(command) else [pid, *below]
