"""A judge's handle on the worker: one process for each submission, forked from a warm one."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from course_utils.grading.pipe import Asking
from course_utils.grading.times import Times

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH")
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_STARTING = 600


class WorkerFault(Exception):
    """The grader's own part of a worker failed; nothing of it is the submission's doing."""


class Worker:
    """The warm process of an assignment. It is told neither the seed nor a case in advance.

    code: the exit status of the last submission's process, negative for a signal.
    cpu: seconds of processor time of all submissions' processes so far.
    """

    def __init__(self, settings: Mapping[str, Any], times: Times) -> None:
        self.times = times
        self.code, self.cpu = 0, 0.0
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= dict.fromkeys(_ONE_THREAD, "1")
        environment |= {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}
        command = [sys.executable, "-m", "course_utils.grading.worker"]
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), json.dumps(dict(settings))],
                pass_fds=[theirs.fileno()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self._control.settimeout(_STARTING)
        self._hear()

    @contextlib.contextmanager
    def submission(self, files: Mapping[str, bytes]) -> Iterator[Asking]:
        """A process of its own for a submission."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"fork"], [theirs.fileno()])
        pid = self._hear()["pid"]
        asking = Asking(ours)
        try:
            content = {name: data.hex() for name, data in files.items()}
            begun = asking.ask({"do": "begin", "files": content}, _STARTING)
            if "refused" in begun:
                raise WorkerFault(begun["refused"])
            yield asking
        finally:
            asking.close()
            self._end(pid)

    def _end(self, pid: int) -> None:
        self._control.settimeout(self.times.letting_go)
        try:
            said = self._hear()
        except TimeoutError:
            os.kill(pid, signal.SIGTERM)  # which its supervisor hears, and clears up
            self._control.settimeout(_STARTING)
            said = self._hear()
        self.code = said["code"]
        self.cpu += said["cpu"]

    def _hear(self) -> dict[str, Any]:
        said = self._control.recv(4096)
        if not said:
            raise WorkerFault("the warm process of the grader ended")
        return json.loads(said)

    def close(self) -> None:
        self._control.close()
        self._process.wait()
