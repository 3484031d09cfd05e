"""The coordinator's handle on one judge and its worker: jobs in, results out, whatever happens."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from typing import IO, Any

from course_utils.errors import CourseError
from course_utils.grading.job import Job
from course_utils.grading.results import Graded, Verdict
from course_utils.grading.sandbox import Level, Limits
from course_utils.grading.times import Times

_STARTING = 900.0
_LONGEST = 7200.0


class StationFault(CourseError):
    """The grader could not even start."""


@dataclass(frozen=True)
class Settings:
    """What every submission of a run is graded with."""

    assignment: str
    seed: str
    level: Level
    limits: Limits = field(default_factory=Limits)
    times: Times = field(default_factory=Times)

    def to_json(self) -> dict[str, Any]:
        return {
            "assignment": self.assignment,
            "seed": self.seed,
            "level": self.level.name,
            "limits": asdict(self.limits),
            "times": asdict(self.times),
        }


class Station:
    """One judge with its worker. A context manager; raises StationFault if they cannot start."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        # A file: a pipe that nobody reads would stop the judge once it is full.
        with tempfile.TemporaryFile() as said:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "course_utils.grading.judge", str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                )
            self._get_ready(Connection(ours.detach()), said)

    def _get_ready(self, pipe: Connection, said: IO[bytes]) -> None:
        self._pipe, self._busy = pipe, False
        try:
            self._pipe.send_bytes(json.dumps(self._settings.to_json()).encode())
            if not self._pipe.poll(_STARTING):
                raise EOFError
            self._pipe.recv_bytes()
        except (EOFError, OSError):
            self._kill()
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            last = lines[-1] if lines else "it said nothing"
            raise StationFault(f"The grader could not start: {last}") from None

    @property
    def pid(self) -> int:
        """Of the judge."""
        return self._process.pid

    def grade(self, job: Job) -> Graded:
        """What comes of a submission. One that brings the grader down twice is held."""
        problem = ""
        for _ in range(2):
            if self._busy:  # a caller was interrupted, and its result may still be on its way
                self._restart()
            self._busy = True
            try:
                self._pipe.send_bytes(job.to_bytes())
                if not self._pipe.poll(_LONGEST):
                    problem = f"it was not graded within {_LONGEST / 3600:.0f} hours"
                    self._restart()
                    break
                reply = json.loads(self._pipe.recv_bytes())
                self._busy = False
            except (EOFError, OSError):
                problem = "the grader ended while it graded this"
                self._restart()
                continue
            if "graded" in reply:
                return Graded.from_json(reply["graded"])
            problem = reply["fault"]
            self._restart()
        return all_held(job, problem)

    def _restart(self) -> None:
        self._kill()
        self._start()

    def _kill(self) -> None:
        self._pipe.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()

    def close(self) -> None:
        if self._busy:
            self._kill()
            return
        self._pipe.close()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._kill()

    def __enter__(self) -> "Station":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def all_held(job: Job, why: str) -> Graded:
    checks = [step.check for step in job.steps if step.check is not None]
    text = "This could not be graded yet; a person will look at it. Nothing counts against you."
    found = tuple(
        Verdict(each.exercise, "held", None, each.points, text=text, why=why) for each in checks
    )
    return Graded(job.student, job.assignment, found)
