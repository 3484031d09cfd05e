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
import queue
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib.metadata import version

import distributed
from distributed.core import rpc
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from course_grading.job import Job, Settings
from course_grading.results import Graded
from course_grading.run import cluster_worker as there
from course_grading.sandbox import Level
from course_grading.station import StationFault, all_held
from course_utils.errors import CourseError

_ANSWER = 20.0  # seconds until a scheduler counts as one that does not answer
_EVERY = 2.0  # seconds between two looks at who is there
_PATIENCE = 120.0  # seconds that a run waits without any worker
_LEASE = 600.0  # seconds after which workers give up a coordinator that has gone silent
_MOST_LOST = 4  # workers that may be lost over a job


@dataclass(eq=False)
class _Order:
    """A job that is not done yet. lost: how many workers were lost while they graded it."""

    job: Job
    result: "Future[Graded]" = field(default_factory=Future)
    lost: int = 0


class ClusterCrew:
    """One station for each thread of each fit worker. `settings.level` is the least allowed.

    say: is told of workers that come later and are not fit.
    level: the lowest of the workers that there have been.
    Raises CourseError if there is no such scheduler, or a worker is missing or not fit.
    """

    def __init__(
        self, settings: Settings, address: str, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._settings, self._address, self._say = settings, address, say
        self._name = f"course-grade-{uuid.uuid4().hex}"
        self._tools = there.tools()
        self.level = max(Level)
        self._members: dict[str, int] = {}  # the fit workers, with their threads
        self._refused: set[str] = set()
        self._orders: set[_Order] = set()
        self._waiting: queue.Queue[_Order] = queue.Queue()
        self._renewed = time.monotonic()
        self._lock = threading.Lock()
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
        return max(1, sum(self._members.copy().values()))

    def submit(self, job: Job) -> "Future[Graded]":
        order = _Order(job)
        with self._lock:
            self._orders.add(order)
        self._waiting.put(order)
        return order.result

    def close(self) -> None:
        self._closing.set()
        self._watch.join()
        self._dismiss()

    def _dismiss(self) -> None:
        self._closing.set()
        with contextlib.suppress(Exception):  # workers that cannot be told end by their lease
            self._client.run(there.dismiss, self._name, workers=list(self._members), wait=False)
        self._client.close()

    def _look_around(self) -> list[str]:
        """Enlist the workers that are new; returns why some of them are not fit."""
        threads = self._client.nthreads()
        self._refused &= threads.keys()
        for gone in self._members.keys() - threads.keys():
            self._members.pop(gone, None)
        if time.monotonic() - self._renewed > _LEASE / 20:
            known = list(self._members)
            self._client.run(there.renew, self._name, workers=known, on_error="ignore")
            self._renewed = time.monotonic()
        new = list(threads.keys() - self._members.keys() - self._refused)
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
                self._members[worker] = threads[worker]
                self.level = min(self.level, introduction.level)
                for _ in range(threads[worker]):
                    threading.Thread(target=self._employ, args=(worker,), daemon=True).start()
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

    def _employ(self, worker: str) -> None:
        """Give a thread of a worker one job after another, as long as the worker is there."""
        while worker in self._members and not self._closing.is_set():
            try:
                order = self._waiting.get(timeout=_EVERY)
            except queue.Empty:
                continue
            if worker not in self._members:  # it went away meanwhile
                self._waiting.put(order)
                return
            try:
                said = self._client.run(
                    there.grade, self._name, order.job, workers=[worker], on_error="return"
                )
            except Exception:  # of the scheduler; if it is gone, the watch says so
                self._members.pop(worker, None)
                self._waiting.put(order)
                return
            match said.get(worker):
                case str(text):
                    self._done(order, Graded.from_json(text))
                    continue
                case StationFault() as fault:
                    self._refused.add(worker)
                    self._say(f"The worker {worker} is left out: {fault}")
                case None | OSError():  # it is gone
                    order.lost += 1
                case there.Unknown():  # it has been started again
                    pass
                case error:
                    self._give_up(
                        f"The cluster {self._address} could not grade ({type(error).__name__}: "
                        f"{error}): what was graded is saved; run the same command again."
                    )
                    return
            self._members.pop(worker, None)
            if order.lost < _MOST_LOST:
                self._waiting.put(order)
            else:
                why = f"every worker that graded this was lost, {order.lost} of them"
                self._done(order, all_held(order.job, why))

    def _done(self, order: _Order, graded: Graded) -> None:
        with self._lock:
            if order in self._orders:
                self._orders.discard(order)
                order.result.set_result(graded)

    def _give_up(self, problem: str) -> None:
        with self._lock:
            for order in self._orders:
                order.result.set_exception(CourseError(problem))
            self._orders.clear()

    def _keep_watch(self) -> None:
        staffed = time.monotonic()
        while not self._closing.wait(_EVERY):
            try:
                for problem in self._look_around():
                    self._say(f"Left out: {problem}")
            except Exception:
                self._give_up(
                    f"The scheduler {self._address} is gone: what was graded is saved; "
                    "start it again, then run the same command again."
                )
                return
            if self._members:
                staffed = time.monotonic()
            elif time.monotonic() - staffed > _PATIENCE:
                self._give_up(
                    f"The scheduler {self._address} has had no worker for {_PATIENCE:.0f} "
                    "seconds: what was graded is saved; start workers, then run the same "
                    "command again."
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
