"""A coordinator's handle on its loader process."""

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import cache

from course_grading.protocol import hear

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH")
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_STARTING = 900.0  # seconds
_LOOKING = 0.02  # seconds between two checks whether a fork has ended


class Loader:
    """The loader process. It starts at the first request, and again if it has ended.

    Raises OSError if it does not answer.
    """

    _control: socket.socket

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def fork(self, part: str, *descriptors: int) -> int:
        """The pid of a new process of a part, such as "judge", which gets these descriptors."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            request = json.dumps({"fork": part}).encode()
            socket.send_fds(self._control, [request], descriptors)
            return int(hear(self._control)["pid"])

    def wait(self, pid: int, seconds: float) -> bool:
        """Whether a fork ends within so many seconds. After True, do not ask for it again."""
        until = time.monotonic() + seconds
        while not self._ended(pid):
            if time.monotonic() > until:
                return False
            time.sleep(_LOOKING)
        return True

    def kill(self, pid: int) -> None:
        """Kill a fork with all its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # its own session, if it has one already
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self.wait(pid, _STARTING)

    def _ended(self, pid: int) -> bool:
        with self._lock:
            try:
                self._control.send(json.dumps({"ended": pid}).encode())
                return bool(hear(self._control)["ended"])
            except OSError:  # the loader has ended, and the system reaps its children
                return True

    def _start(self) -> None:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= dict.fromkeys(_ONE_THREAD, "1")
        environment |= {"MPLBACKEND": "agg", "NBGRADER_EXECUTION": "autograde"}
        if self._process is not None:  # it has ended
            self._control.close()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "course_grading.loader", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self._control.settimeout(_STARTING)
        hear(self._control)

    def close(self) -> None:
        """End the loader after its forks have ended."""
        with self._lock:
            if self._process is not None:
                self._control.close()
                self._process.wait()
                self._process = None


@cache
def loader() -> Loader:
    """The loader of this process."""
    found = Loader()
    atexit.register(found.close)
    return found
