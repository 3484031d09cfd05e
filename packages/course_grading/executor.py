"""Judges with their workers on this computer: jobs in, results out, whatever happens."""

import json
import socket
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Protocol

from course_grading.job import GradingSettings, Job
from course_grading.loader.handle import loader
from course_grading.results import Graded, Verdict
from course_grading.sandbox import Level
from course_utils.errors import CourseError

_STARTING = 900.0
_LONGEST = 7200.0


class JudgeProcessFault(CourseError):
    """The grader could not even start."""


class JudgeProcess:
    """One judge with its worker. pid: of the judge.

    Raises JudgeProcessFault if they cannot start.
    """

    def __init__(self, settings: GradingSettings) -> None:
        self._settings, self._loader = settings, loader()
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self._pipe, self._busy, self.pid = Connection(ours.detach()), False, 0
        # A file: a pipe that nobody reads would stop the judge once it is full.
        with tempfile.TemporaryFile() as said, theirs:
            try:
                self.pid = self._loader.fork("judge", theirs.fileno(), said.fileno())
                theirs.close()  # so that the judge's end is the end of the pipe
                self._pipe.send(self._settings)
                if not self._pipe.poll(_STARTING):
                    raise EOFError
                self._pipe.recv_bytes()
            except (EOFError, OSError):
                self._kill()
                said.seek(0)
                lines = said.read().decode(errors="replace").strip().splitlines()
                last = lines[-1] if lines else "it said nothing"
                raise JudgeProcessFault(f"The grader could not start: {last}") from None

    def grade(self, job: Job) -> Graded:
        """What comes of a submission. One that brings the grader down twice is held."""
        problem = ""
        for _ in range(2):
            if self._busy:  # a caller was interrupted, and its result may still be on its way
                self._restart()
            self._busy = True
            try:
                self._pipe.send(job)
                if not self._pipe.poll(_LONGEST):
                    problem = f"it was not graded within {_LONGEST / 3600:.0f} hours"
                    self._restart()
                    break
                reply = json.loads(self._pipe.recv_bytes())
                if "graded" in reply:
                    self._busy = False
                    return Graded.from_json(reply["graded"])
                problem = reply["fault"]
            except (EOFError, OSError):
                problem = "the grader ended while it graded this"
            self._restart()
        return hold_all(job, problem)

    def _restart(self) -> None:
        self._kill()
        self._start()

    def _kill(self) -> None:
        self._pipe.close()
        if self.pid:
            self._loader.kill(self.pid)

    def close(self) -> None:
        """End the process; kill it if it is busy."""
        if self._busy:
            self._kill()
            return
        self._pipe.close()
        if not self._loader.wait(self.pid, 60):
            self._loader.kill(self.pid)


class GradingExecutor(Protocol):
    """Grades jobs, several at a time. size: how many. level: of their sandboxes, the lowest."""

    @property
    def size(self) -> int:
        """Jobs that are graded at once."""

    @property
    def level(self) -> Level:
        """The level of the sandbox."""

    def submit(self, job: Job) -> "Future[Graded]":
        """Begin to grade a job; its result comes later."""

    def close(self) -> None:
        """End all processes."""


class LocalExecutor:
    """A thread for each judge; it only waits for its processes."""

    def __init__(self, settings: GradingSettings, size: int) -> None:
        self.size, self.level, self._settings = size, settings.level, settings
        self._mine = threading.local()
        self._judges: list[JudgeProcess] = []
        self._pool = ThreadPoolExecutor(size, "judge")

    def submit(self, job: Job) -> "Future[Graded]":
        """Begin to grade a job; its result comes later."""
        return self._pool.submit(self._grade, job)

    def _grade(self, job: Job) -> Graded:
        if not hasattr(self._mine, "judge"):
            self._mine.judge = JudgeProcess(self._settings)
            self._judges.append(self._mine.judge)
        return self._mine.judge.grade(job)

    def close(self) -> None:
        """End all processes; jobs that wait are dropped."""
        self._pool.shutdown(cancel_futures=True)
        for judge_process in self._judges:
            judge_process.close()


def hold_all(job: Job, why: str) -> Graded:
    """The result of a job that could not be graded: every check waits for a person."""
    checks = [step.check for step in job.steps if step.check is not None]
    text = "This could not be graded yet; a person will look at it. Nothing counts against you."
    found = tuple(
        Verdict(each.exercise, "held", None, each.points, text=text, why=why) for each in checks
    )
    return Graded(job.student, job.assignment, found)
