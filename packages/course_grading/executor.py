"""Judges with their workers on this computer. Each job gets a result, even if a judge crashes."""

import json
import socket
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Protocol

from course_grading.job import GradingSettings, Job
from course_grading.loader.handle import loader
from course_grading.results import CellRun, Graded, Verdict
from course_grading.sandbox import Level
from course_utils.errors import CourseError

_STARTING = 900.0  # seconds until a judge must be ready
_LONGEST = 7200.0  # seconds until a submission is held


class JudgeProcessFault(CourseError):
    """A judge could not start."""


class JudgeProcess:
    """A judge with its worker. pid: the process id of the judge.

    Raises JudgeProcessFault if they cannot start.
    """

    def __init__(self, settings: GradingSettings) -> None:
        self._settings, self._loader = settings, loader()
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self._pipe, self._busy, self.pid = Connection(ours.detach()), False, 0
        # A file, because a full pipe that nobody reads would block the judge.
        with tempfile.TemporaryFile() as said, theirs:
            try:
                self.pid = self._loader.fork("judge", theirs.fileno(), said.fileno())
                theirs.close()  # then the pipe closes when the judge ends
                self._pipe.send(1 if self._settings.real is None else 2)
                self._pipe.send(self._settings)
                if not self._pipe.poll(_STARTING):
                    raise EOFError
                self._pipe.recv_bytes()
            except (EOFError, OSError):
                self._kill()
                said.seek(0)
                lines = said.read().decode(errors="replace").strip().splitlines()
                last = lines[-1] if lines else "it printed no reason"
                raise JudgeProcessFault(f"The grader could not start: {last}") from None

    def grade(self, job: Job) -> Graded:
        """The result of a submission. One that crashes the judge twice is held."""
        problem = ""
        for _ in range(2):
            if self._busy:  # a caller was interrupted, and its result may still arrive
                self._restart()
            self._busy = True
            try:
                self._pipe.send(job)
                if not self._pipe.poll(_LONGEST):
                    problem = f"grading it took more than {_LONGEST / 3600:.0f} hours"
                    self._restart()
                    break
                reply = json.loads(self._pipe.recv_bytes())
                if "graded" in reply:
                    self._busy = False
                    return Graded.from_json(reply["graded"])
                problem = reply["fault"]
            except (EOFError, OSError):
                problem = "the grader crashed while it graded this submission"
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
        """End the judge; kill it if it is busy."""
        if self._busy:
            self._kill()
            return
        self._pipe.close()
        if not self._loader.wait(self.pid, 60):
            self._loader.kill(self.pid)


class GradingExecutor(Protocol):
    """Grades jobs, `size` at a time. level: the lowest sandbox level among its workers."""

    @property
    def size(self) -> int:
        """The number of jobs that are graded at the same time."""

    @property
    def level(self) -> Level:
        """The lowest sandbox level."""

    def submit(self, job: Job) -> "Future[Graded]":
        """A future with the result of a job."""

    def close(self) -> None:
        """End all processes."""


class LocalExecutor:
    """Grades on this computer, with one thread for each judge. The threads only wait."""

    def __init__(self, settings: GradingSettings, size: int) -> None:
        self.size, self.level, self._settings = size, settings.level, settings
        self._mine = threading.local()
        self._judges: list[JudgeProcess] = []
        self._pool = ThreadPoolExecutor(size, "judge")

    def submit(self, job: Job) -> "Future[Graded]":
        """A future with the result of a job."""
        return self._pool.submit(self._grade, job)

    def _grade(self, job: Job) -> Graded:
        if not hasattr(self._mine, "judge"):
            self._mine.judge = JudgeProcess(self._settings)
            self._judges.append(self._mine.judge)
        return self._mine.judge.grade(job)

    def close(self) -> None:
        """End all processes; drop the jobs that have not started."""
        self._pool.shutdown(cancel_futures=True)
        for judge_process in self._judges:
            judge_process.close()


def hold_all(job: Job, why: str) -> Graded:
    """The result of a job that could not be graded: every check and own test is held."""
    steps = [step for notebook in job.notebooks for step in notebook]
    checks = [step.check for step in steps if step.check is not None]
    text = "This could not be graded yet. A person will look at it. You lose no points by this."
    found = tuple(
        Verdict(each.exercise, "held", None, each.points, text=text, why=why) for each in checks
    )
    runs = dict.fromkeys((step.own for step in steps if step.own), CellRun([], ended=why))
    return Graded(job.student, job.assignment, found, runs=runs)
