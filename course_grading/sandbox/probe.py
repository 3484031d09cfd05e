"""Which level this machine gives: found out by trying to break out of each."""

import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox import landlock
from course_grading.sandbox.confine import confine
from course_grading.sandbox.levels import Level, Refused
from course_grading.sandbox.limits import Limits

_TOLD_APART = {
    "read": "A file outside could be read.",
    "write": "A file outside could be written.",
    "library": "The folder of Python could be written.",
    "network": "A port of this machine could be reached.",
    "process": "A process outside could be seen.",
}
_IN_THE_OPEN = {
    "signal": "Programs of the same user can be sent signals.",
    "abstract": "Sockets without a path, of other programs, can be reached.",
    "socket": "Sockets of this user's other programs, such as a session bus, can be reached.",
}


@dataclass(frozen=True)
class Probed:
    """level: the best one that held.
    lacks: a sentence for everything that better ones lacked, and for what this one leaves open.
    """

    level: Level
    lacks: tuple[str, ...]


def probe(readable: Sequence[Path] | None = None) -> Probed:
    """Try the levels, the best one first. Forks; takes about a tenth of a second.

    readable: as for `confine`; if not given, this Python's own folders.
    """
    shown = [Path(sys.prefix), Path(sys.base_prefix)] if readable is None else readable
    lacks: list[str] = []
    with _canaries() as canaries:
        for level in (Level.FULL, Level.NO_CGROUPS, Level.KERNEL_RULES):
            broken, open_still = _tried(level, shown, canaries)
            lacks += [f"{level.name}: {sentence}" for sentence in broken]
            if not broken:
                return Probed(level, (*lacks, *open_still))
    return Probed(Level.NONE, (*lacks, "NONE: A submission can do whatever this user can do."))


@dataclass(frozen=True)
class _Canaries:
    """What must not be reached from inside."""

    folder: Path
    secret: str
    port: int
    abstract: str
    listening: Path
    name: str
    pid: int


@contextlib.contextmanager
def _canaries() -> Iterator[_Canaries]:
    token = secrets.token_hex(4)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="course-canary-")))
        folder.chmod(0o777)
        (folder / "secret").write_text(token)
        (folder / "secret").chmod(0o666)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
        for address in (f"\0course-{token}", str(folder / "socket")):
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
        yield _Canaries(folder, token, port, f"\0course-{token}", folder / "socket", token, pid)


def _tried(
    level: Level, readable: Sequence[Path], canaries: _Canaries
) -> tuple[list[str], list[str]]:
    """What did not hold, and what the level leaves open."""
    answer, told = os.pipe()
    child = os.fork()
    if not child:
        try:
            confine(level, Limits(), readable, {}, keep=[told])
            reached = _reached(canaries, readable)
        except Refused as refusal:
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
    open_still = [_IN_THE_OPEN[each] for each in reached if each in _IN_THE_OPEN]
    broken = [_TOLD_APART.get(each, each) for each in reached if each not in _IN_THE_OPEN]
    if level == Level.KERNEL_RULES:
        return broken, open_still
    without = [] if landlock.version() else ["Landlock is missing: the new root stands alone."]
    return broken + open_still, without


def _reached(canaries: _Canaries, readable: Sequence[Path]) -> list[str]:
    """In the sandbox: what could be done after all."""
    trials = {
        "read": lambda: (canaries.folder / "secret").read_bytes(),
        "write": lambda: (canaries.folder / "secret").write_text("changed"),
        "library": lambda: _write_and_remove(readable[0] / f"course-{canaries.secret}"),
        "network": lambda: socket.create_connection(("127.0.0.1", canaries.port), 2),
        "process": lambda: _find_process(canaries.name),
        "signal": lambda: os.kill(canaries.pid, 0),
        "abstract": lambda: socket.socket(socket.AF_UNIX).connect(canaries.abstract),
        "socket": lambda: socket.socket(socket.AF_UNIX).connect(str(canaries.listening)),
    }
    reached = []
    for name, trial in trials.items():
        with contextlib.suppress(OSError):
            trial()
            reached.append(name)
    return reached


def _write_and_remove(path: Path) -> None:
    path.write_text("")
    path.unlink()


def _find_process(name: str) -> None:
    """Raises FileNotFoundError if there is none of that name."""
    for folder in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if Path("/proc", folder, "comm").read_text().strip() == name:
                return
    raise FileNotFoundError(name)
