"""The sandbox level of this computer, found by attempts to break out of each level."""

import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox import landlock
from course_grading.sandbox.confine import confine
from course_grading.sandbox.levels import Level, SandboxRefused
from course_grading.sandbox.limits import Limits

_LEFT_OPEN = (
    "A submission can send signals to programs of the same user.",
    "A submission can connect to abstract sockets of other programs.",
    "A submission can connect to this user's other programs, such as a session bus.",
)
"""Trials that may succeed at KERNEL_RULES."""

_WITHOUT_LANDLOCK = "Landlock is missing, so only the new root protects the files."

Trials = dict[str, Callable[[], object]]
"""Sentence on a problem → a function that must raise OSError, or else the problem exists."""


@dataclass(frozen=True)
class ProbeResult:
    """The result of a probe.

    level: the best level that passed its trials.
    lacks: sentences on the problems of better levels, and on what this level leaves open.
    """

    level: Level
    lacks: tuple[str, ...]


def probe(readable: Sequence[Path] | None = None) -> ProbeResult:
    """The level of this computer: tries the best level first. Forks; takes about 0.1 seconds.

    readable: as in `confine`; default: the folders of this Python.
    """
    shown = [Path(sys.prefix), Path(sys.base_prefix)] if readable is None else readable
    lacks: list[str] = []
    with _trials(shown[0]) as trials:
        for level in (Level.FULL, Level.NO_CGROUPS, Level.KERNEL_RULES):
            broken, open_still = _tried(level, shown, trials)
            lacks += [f"{level.name}: {sentence}" for sentence in broken]
            if not broken:
                return ProbeResult(level, (*lacks, *open_still))
    return ProbeResult(Level.NONE, (*lacks, "NONE: A submission can do all that this user can do."))


@contextlib.contextmanager
def _trials(library: Path) -> Iterator[Trials]:
    """The trials, on a file, sockets and a process outside the sandbox. library: for reading."""
    token = secrets.token_hex(4)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="course-canary-")))
        folder.chmod(0o777)
        secret, abstract, path = folder / "secret", f"\0course-{token}", str(folder / "socket")
        secret.write_text(token)
        secret.chmod(0o666)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
        for address in (abstract, path):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        (folder / "socket").chmod(0o777)
        pid = os.fork()
        if not pid:
            Path("/proc/self/comm").write_text(token)
            signal.pause()
            os._exit(0)
        stack.callback(os.waitpid, pid, 0)
        stack.callback(os.kill, pid, signal.SIGKILL)
        signals, without_path, sockets = _LEFT_OPEN
        yield {
            "A file outside could be read.": secret.read_bytes,
            "A file outside could be written.": lambda: secret.write_text("changed"),
            "The folder of Python could be written.": lambda: _write(library / f"course-{token}"),
            "A port of this computer could be reached.": lambda: socket.create_connection(
                ("127.0.0.1", port), 2
            ),
            "A process outside could be seen.": lambda: _find_process(token),
            signals: lambda: os.kill(pid, 0),
            without_path: lambda: socket.socket(socket.AF_UNIX).connect(abstract),
            sockets: lambda: socket.socket(socket.AF_UNIX).connect(path),
        }


def _tried(level: Level, readable: Sequence[Path], trials: Trials) -> tuple[list[str], list[str]]:
    """The problems of a level, and what it leaves open, as sentences."""
    answer, told = os.pipe()
    child = os.fork()
    if not child:
        try:
            confine(level, Limits(), readable, {}, keep=[told])
            reached = _possible(trials)
        except SandboxRefused as refusal:
            reached = [str(refusal)]
        except BaseException as error:
            reached = [f"The trial failed: {type(error).__name__}: {error}."]
        os.write(told, json.dumps(reached).encode())
        os._exit(0)
    os.close(told)
    with open(answer, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    reached = json.loads(text) if text else ["The trial ended before it answered."]
    open_still = [each for each in reached if each in _LEFT_OPEN]
    if level == Level.KERNEL_RULES:
        return [each for each in reached if each not in _LEFT_OPEN], open_still
    return reached, [] if landlock.version() else [_WITHOUT_LANDLOCK]


def _possible(trials: Trials) -> list[str]:
    found = []
    for sentence, trial in trials.items():
        with contextlib.suppress(OSError):
            trial()
            found.append(sentence)
    return found


def _write(path: Path) -> None:
    path.write_text("")
    path.unlink()


def _find_process(name: str) -> None:
    """Raise FileNotFoundError if no process has this name."""
    for folder in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if Path("/proc", folder, "comm").read_text().strip() == name:
                return
    raise FileNotFoundError(name)
