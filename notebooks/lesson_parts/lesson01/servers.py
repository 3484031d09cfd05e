"""A server that several people share: three virtual cards, and what runs on them.

It is always virtual, so that every learner sees the same cards and the same processes.
"""

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from course_utils.errors import CourseError
from course_utils.experiments.children import run_bare_child

_SERVER = "from lesson_parts.hosts import be_shared_server; be_shared_server()\n"
_LEAVE_COMMAND = (
    "from pathlib import Path; from virtual_cuda.nvidia.command import leave_nvidia_smi; "
    "leave_nvidia_smi(Path({folder!r}))"
)


def on_server(command: str) -> str:
    """Run a command, such as `nvidia-smi -L`, on the shared server, and return what it printed."""
    path = os.pathsep.join([str(_tools()), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command,
        shell=True,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout.rstrip("\n")


def python_on_server(code: str) -> str:
    """Run a Python program on the shared server, and return what it printed.

    An exception that ends it is printed as its last line, without the traceback.
    """
    return run_bare_child(_SERVER + code)


_kept: list[TemporaryDirectory[str]] = []  # removed with this process


@cache
def _tools() -> Path:
    """A folder with the server's nvidia-smi. It is made by a process that plays the server, once.

    Raises CourseError if virtual GPUs are not possible here.
    """
    folder = TemporaryDirectory(prefix="shared-server-")
    said = run_bare_child(_SERVER + _LEAVE_COMMAND.format(folder=folder.name))
    made = next(Path(folder.name).iterdir(), None)
    if made is None:
        raise CourseError(f"The virtual server could not be started: {said}")
    _kept.append(folder)
    return made
