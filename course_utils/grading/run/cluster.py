"""A crew on a Dask cluster: jobs go to its workers; one whose worker is lost goes to another.

Workers may come and go during a run. Each is looked at before it is given anything: it must have
the same code as the coordinator, and a sandbox that is good enough.

Whoever reaches a scheduler can run programs on its workers, and read the seed there. So it listens
where only the instructor does, or asks for Dask's own certificates (tls://).
"""

import asyncio
import contextlib
import dataclasses
import logging
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version

import distributed
from distributed.core import rpc
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from course_utils.errors import CourseError
from course_utils.grading.job import Job
from course_utils.grading.results import Graded
from course_utils.grading.run import cluster_worker as there
from course_utils.grading.sandbox import Level
from course_utils.grading.station import Settings, all_held

_ANSWER = 20.0  # seconds until a scheduler counts as one that does not answer
_EVERY = 2.0  # seconds between two looks at who is there
_PATIENCE = 120.0  # seconds that a run waits without any worker
_LEASE = 600.0  # seconds after which workers give up a coordinator that has gone silent


@dataclass(eq=False)
class _Order:
    """A job that is somewhere in the cluster. workers: those that may take it."""

    job: Job
    result: "Future[Graded]" = field(default_factory=Future)
    workers: frozenset[str] = frozenset()
    task: distributed.Future | None = None


class ClusterCrew:
    """One station for each thread of each fit worker. `settings.level` is the least allowed.

    say: is told of workers that come later and are not fit.
    Raises CourseError if there is no such scheduler, or a worker is missing or not fit.
    """

    def __init__(
        self, settings: Settings, address: str, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._settings, self._address, self._say = settings, address, say
        self._name = f"course-grade-{uuid.uuid4().hex}"
        self._tools = there.tools()
        self._level = max(Level)
        self._members: dict[str, int] = {}  # the fit workers, with their threads
        self._refused: set[str] = set()
        self._orders: set[_Order] = set()
        self._renewed = time.monotonic()
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._watch = threading.Thread(target=self._keep_watch, daemon=True, name="cluster")
        self._client = _connect(address)
        try:
            for problem in self._look_around():
                raise CourseError(problem)
            if not self._members:
                raise CourseError(
                    f"The scheduler {address} has no workers: start some with `dask "
                    f"worker {address}`, from the environment of the course."
                )
        except BaseException:
            self._dismiss()
            raise
        self._watch.start()

    @property
    def size(self) -> int:
        """At least 1, so that a run that has lost its last worker still asks for one."""
        with self._lock:
            return max(1, sum(self._members.values()))

    @property
    def level(self) -> Level:
        """The lowest of the workers that there have been."""
        return self._level

    def submit(self, job: Job) -> "Future[Graded]":
        order = _Order(job)
        with self._lock:
            self._orders.add(order)
            self._send(order)
        return order.result

    def close(self) -> None:
        self._closing.set()
        self._watch.join()
        with self._lock:
            self._orders.clear()
        self._dismiss()

    def _dismiss(self) -> None:
        with contextlib.suppress(Exception):  # workers that cannot be told end by their lease
            self._client.run(there.dismiss, self._name, workers=list(self._members), wait=False)
        self._client.close()

    def _look_around(self) -> list[str]:
        """Enlist the workers that are new; returns why some of them are not fit."""
        threads = self._client.nthreads()
        with self._lock:
            self._refused &= threads.keys()
            for gone in self._members.keys() - threads.keys():
                del self._members[gone]
            known = list(self._members)
            new = list(threads.keys() - self._members.keys() - self._refused)
        if time.monotonic() - self._renewed > _LEASE / 20:
            self._client.run(there.renew, self._name, workers=known, on_error="ignore")
            self._renewed = time.monotonic()
        said = self._client.run(there.introduce, workers=new, on_error="return")
        problems = []
        for worker, introduction in said.items():
            if isinstance(introduction, OSError):  # it went away meanwhile
                continue
            if problem := self._unfit(worker, introduction):
                self._refused.add(worker)
                problems.append(problem)
                continue
            settings = dataclasses.replace(self._settings, level=introduction.level)
            stations = there.Stations(self._name, settings, _LEASE)
            if self._client.run(there.enlist, stations, workers=[worker], on_error="ignore"):
                with self._lock:
                    self._members[worker] = threads[worker]
                    self._level = min(self._level, introduction.level)
        return problems

    def _unfit(self, worker: str, said: there.Introduction | Exception) -> str:
        if not isinstance(said, there.Introduction):
            (why, *_) = str(said).splitlines() or [type(said).__name__]
            return (
                f"The worker {worker} cannot grade ({why}): install this version of the course "
                "there, with its extra `cluster`."
            )
        for name, ours in self._tools.items():
            theirs = said.tools.get(name, "none")
            if theirs != ours:
                return (
                    f"The worker {worker} has another version of {name} ({theirs}) than this "
                    f"computer ({ours}): install the same version of the course on both."
                )
        if said.level < self._settings.level:
            return (
                f"On the worker {worker} submissions would run at the level {said.level.name}, "
                f"and {self._settings.level.name} is asked for: {' '.join(said.lacks)} Stop "
                f"that worker, or accept less with `--minimum {said.level.name.lower()}`."
            )
        return ""

    def _send(self, order: _Order) -> None:
        order.workers = frozenset(self._members)
        if not order.workers:
            return
        with warnings.catch_warnings():
            # Dask warns of what is sent with a task from 10 MB on; a submission may have 20.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            order.task = self._client.submit(
                there.grade,
                self._name,
                order.job.to_bytes(),
                pure=False,
                workers=list(order.workers),
                allow_other_workers=False,
            )
        order.task.add_done_callback(partial(self._settle, order))

    def _settle(self, order: _Order, task: distributed.Future) -> None:
        """Called by Dask when a task has ended, in whatever way."""
        with self._lock:
            if order not in self._orders or task is not order.task:
                return
            try:
                reply = task.result()
            except distributed.scheduler.KilledWorker as lost:
                self._done(
                    order,
                    all_held(
                        order.job,
                        "every worker that graded this was lost, "
                        f"{lost.allowed_failures + 1} of them",
                    ),
                )
                return
            except Exception as error:
                self._give_up(
                    self._lost()
                    if task.cancelled()
                    else CourseError(
                        f"The cluster {self._address} could not grade ({type(error).__name__}: "
                        f"{error}): what was graded is saved; run the same command again."
                    )
                )
                return
            if reply.kind == "graded":
                self._done(order, Graded.from_json(reply.text))
                return
            order.workers = frozenset()  # the watch sends it again
            self._members.pop(reply.worker, None)
            if reply.kind == "fault":
                self._refused.add(reply.worker)
                self._say(f"The worker {reply.worker} is left out: {reply.text}")

    def _done(self, order: _Order, graded: Graded) -> None:
        self._orders.discard(order)
        order.result.set_result(graded)

    def _give_up(self, problem: CourseError) -> None:
        with self._lock:
            for order in self._orders:
                order.result.set_exception(problem)
            self._orders.clear()

    def _lost(self) -> CourseError:
        return CourseError(
            f"The scheduler {self._address} is gone: what was graded is saved; "
            "start it again, then run the same command again."
        )

    def _keep_watch(self) -> None:
        staffed = time.monotonic()
        while not self._closing.wait(_EVERY):
            try:
                for problem in self._look_around():
                    self._say(f"Left out: {problem}")
            except Exception:
                if not self._closing.is_set():
                    self._give_up(self._lost())
                return
            with self._lock:
                if self._members:
                    staffed = time.monotonic()
                for order in self._orders:
                    if not order.workers & self._members.keys():
                        self._send(order)
            if time.monotonic() - staffed > _PATIENCE:
                self._give_up(
                    CourseError(
                        f"The scheduler {self._address} has had no worker for {_PATIENCE:.0f} "
                        "seconds: what was graded is saved; start workers, then run the same "
                        "command again."
                    )
                )
                return


def _connect(address: str) -> distributed.Client:
    for name in ("distributed", "distributed.client"):  # what it would log, our sentences say
        logging.getLogger(name).setLevel(logging.CRITICAL)
    ours = version("distributed")
    try:
        theirs = asyncio.run(asyncio.wait_for(_version_at(address), _ANSWER))
        if theirs != ours:
            raise CourseError(
                f"The scheduler {address} runs dask.distributed {theirs}, and this "
                f"computer has {ours}: install the same version on both."
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)
            return distributed.Client(address, timeout=_ANSWER, set_as_default=False)
    except CourseError:
        raise
    except OSError:
        raise CourseError(
            f"The scheduler {address} does not answer: see that `dask scheduler` "
            "runs there, and that this computer may reach it."
        ) from None
    except Exception as error:  # whatever comes of reading another protocol as Dask's
        raise CourseError(
            f"{address} is no scheduler of dask.distributed {ours} "
            f"({type(error).__name__}: {error}): name a scheduler's address, and "
            "install the same version on both."
        ) from None


async def _version_at(address: str) -> str:
    """Asked first, since a client waits without end for one that answers nothing."""
    connection = Security().get_connection_args("client")
    async with rpc(address, timeout=_ANSWER, connection_args=connection) as scheduler:
        return (await scheduler.versions())["packages"]["distributed"]
