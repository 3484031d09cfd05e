"""An executor on a Dask cluster. If a worker is lost, another worker gets its job.

Workers can join and leave during a run. Each is checked before it gets a job: it must have the same
code as the coordinator, and the required sandbox level.

Anyone who can connect to a scheduler can run programs on its workers and read the hidden cases
there. So let it listen only where the instructor is alone, or use Dask's certificates (tls://).
"""

import asyncio
import contextlib
import logging
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from importlib.metadata import version
from typing import Any

import distributed
from distributed.core import rpc
from distributed.scheduler import KilledWorker
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from course_grading.executor import hold_all
from course_grading.job import GradingSettings, Job
from course_grading.results import Graded
from course_grading.run import cluster_worker as there
from course_grading.run.digests import tool_versions
from course_grading.sandbox import Level
from course_utils.errors import CourseError

_ANSWER = 20.0  # seconds to wait for an answer of a scheduler
_EVERY = 2.0  # seconds between two updates of the list of workers
_PATIENCE = 120.0  # seconds that a run waits without any worker
_AGAIN = "Finished results are saved. Start it or its workers, then run the same command again."
_IDLE = 600.0  # seconds without a job after which workers end their judges


class ClusterExecutor:
    """One judge for each thread of each usable worker. `settings.level` is the lowest allowed.

    say: prints a message about unusable workers that join later.
    level: the lowest sandbox level of the workers so far.
    Raises CourseError if the scheduler does not answer, or a worker is unusable, or none exists.
    """

    def __init__(
        self, settings: GradingSettings, address: str, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._settings, self._address, self._say = settings, address, say
        self._run = f"course-grade-{uuid.uuid4().hex}"
        self._tools = tool_versions()
        self.level = max(Level)
        self._members: dict[str, int] = {}  # usable worker → number of threads
        self._refused: set[str] = set()
        self._problem = ""  # why the run cannot go on
        self._closing = threading.Event()
        self._watch = threading.Thread(target=self._keep_watch, daemon=True, name="watch")
        self._client = _connect(address)
        try:
            for problem in self._look_around():
                raise CourseError(problem)
            if not self._members:
                raise CourseError(
                    f"The scheduler {address} has no workers. Start some with `dask "
                    f"worker {address}`, from the environment of the course."
                )
        except BaseException:
            self._client.close()
            raise
        self._watch.start()

    @property
    def size(self) -> int:
        """The number of judges, at least 1: a run without workers must still wait for one."""
        return max(1, sum(self._members.copy().values()))

    def submit(self, job: Job) -> "Future[Graded]":
        """A future with the result of a job on a usable worker."""
        result: Future[Graded] = Future()
        # A daemon thread, so that a lost job does not prevent the end of the run.
        threading.Thread(target=self._fulfil, args=(job, result), daemon=True).start()
        return result

    def close(self) -> None:
        """End the run on all workers."""
        self._closing.set()
        self._problem = "The run has ended."
        self._watch.join()
        with contextlib.suppress(Exception):  # an unreachable worker ends its judges by itself
            self._client.run(there.end, self._run, workers=list(self._members), wait=False)
        self._client.close()

    def _look_around(self) -> list[str]:
        """Update the list of workers. Returns messages about new ones that are unusable."""
        threads = self._client.nthreads()
        self._refused &= threads.keys()
        for gone in self._members.keys() - threads.keys():
            self._members.pop(gone, None)
        new = list(threads.keys() - self._members.keys() - self._refused)
        said = self._client.run(there.worker_info, workers=new, on_error="return")
        problems = []
        for worker, info in said.items():
            if isinstance(info, OSError):  # it has left
                continue
            if problem := self._unfit(worker, info):
                self._refused.add(worker)
                problems.append(problem)
            else:
                self._members[worker] = threads[worker]
                self.level = min(self.level, info.level)
        return problems

    def _unfit(self, worker: str, said: there.WorkerInfo | Exception) -> str:
        if not isinstance(said, there.WorkerInfo):
            (why, *_) = str(said).splitlines() or [type(said).__name__]
            return (
                f"The worker {worker} cannot grade ({why}). Install this version of the course "
                "there, with its extra `cluster`."
            )
        for name, ours in self._tools.items():
            theirs = said.tool_versions.get(name, "none")
            if theirs != ours:
                return (
                    f"The worker {worker} has another version of {name} ({theirs}) than this "
                    f"computer ({ours}). Install the same version of the course on both."
                )
        if said.level < self._settings.level:
            return (
                f"The sandbox of the worker {worker} has the level {said.level.name}, and grading "
                f"needs {self._settings.level.name}. {' '.join(said.lacks)} Stop that worker, or "
                f"allow this level with `--minimum {said.level.name.lower()}`."
            )
        return ""

    def _fulfil(self, job: Job, result: "Future[Graded]") -> None:
        result.set_running_or_notify_cancel()
        try:
            result.set_result(self._grade(job))
        except Exception as error:
            result.set_exception(error)

    def _grade(self, job: Job) -> Graded:
        """The result of a job. If its worker is lost, Dask gives it to another usable worker."""
        while True:
            fit = self._fit_workers()
            try:
                asked: distributed.Future[Any] = self._client.submit(
                    there.grade, self._run, self._settings, job, _IDLE, workers=fit, pure=False
                )
                while not asked.done() and not self._members.keys().isdisjoint(fit):
                    with contextlib.suppress(TimeoutError):
                        asked.result(_EVERY)
                if asked.done():
                    return Graded.from_json(asked.result())
            except there.CannotGrade as fault:
                worker, why = fault.args
                self._refused.add(worker)
                self._members.pop(worker, None)
                self._say(f"The worker {worker} is not used: {why}")
            except KilledWorker as killed:
                lost = killed.allowed_failures + 1
                return hold_all(job, f"all {lost} workers that graded this submission were lost")
            except Exception as error:
                if self._client.status == "running" and not isinstance(error, CancelledError):
                    raise CourseError(
                        f"The cluster {self._address} could not grade ({type(error).__name__}: "
                        f"{error}). Finished results are saved. Run the same command again."
                    ) from error
                self._closing.wait(_EVERY)  # if the scheduler has ended, the watch notices it

    def _fit_workers(self) -> list[str]:
        """The usable workers; waits for the first one. Raises CourseError if the run must end."""
        while not self._problem:
            if fit := list(self._members):
                return fit
            self._closing.wait(_EVERY)
        raise CourseError(self._problem)

    def _keep_watch(self) -> None:
        staffed = time.monotonic()
        while not self._closing.wait(_EVERY):
            try:
                for problem in self._look_around():
                    self._say(f"Not used: {problem}")
            except Exception:
                self._problem = f"The scheduler {self._address} does not answer any more. {_AGAIN}"
                return
            if self._members:
                staffed = time.monotonic()
            elif time.monotonic() - staffed > _PATIENCE:
                none = f"has had no worker for {_PATIENCE:.0f} seconds"
                self._problem = f"The scheduler {self._address} {none}. {_AGAIN}"
                return


def _connect(address: str) -> distributed.Client:
    for name in ("distributed", "distributed.client"):  # our messages replace its log
        logging.getLogger(name).setLevel(logging.CRITICAL)
    ours = version("distributed")
    try:
        theirs = asyncio.run(asyncio.wait_for(_version_at(address), _ANSWER))
        if theirs != ours:
            have = f"runs dask.distributed {theirs}, and this computer has {ours}"
            raise CourseError(f"The scheduler {address} {have}. Install the same version on both.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)
            return distributed.Client(address, timeout=_ANSWER, set_as_default=False)
    except CourseError:
        raise
    except Exception as error:  # another protocol than Dask's can raise any error
        raise CourseError(
            f"The scheduler {address} does not answer ({type(error).__name__}: {error}). Check "
            f"that `dask scheduler` of dask.distributed {ours} runs there, and that this computer "
            "can connect to it."
        ) from None


async def _version_at(address: str) -> str:
    """A scheduler's version. With a time limit, because a client waits forever for an answer."""
    connection = Security().get_connection_args("client")
    async with rpc(address, timeout=_ANSWER, connection_args=connection) as scheduler:
        return (await scheduler.versions())["packages"]["distributed"]
