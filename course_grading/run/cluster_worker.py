"""A worker of a Dask cluster, while it grades for a run: the same judges as on one computer.

A worker is the instructor's machine, as the coordinator's is: it is given the seed, which reaches
it through the scheduler and is written down nowhere. Submissions run in their sandboxes there.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import dataclass

from distributed import Worker, WorkerPlugin

from course_grading.executor import LocalExecutor
from course_grading.job import GradingSettings, Job
from course_grading.loader.handle import loader
from course_grading.run.digests import tool_versions
from course_grading.sandbox import Level

_PROBE = (
    "import json; from course_grading.sandbox import probe; found = probe(); "
    "print(json.dumps([found.level.name, found.lacks]))"
)


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker tells of itself. lacks: what its sandbox has not, in sentences."""

    tool_versions: dict[str, str]
    level: Level
    lacks: tuple[str, ...]


class UnknownRun(Exception):
    """A worker does not know the run, as after a restart."""


class ExecutorPlugin(WorkerPlugin):
    """A judge for each thread of a worker.

    They end with the run, or once the coordinator has not been heard of for `lease` seconds.
    """

    def __init__(self, name: str, settings: GradingSettings, lease: float) -> None:
        self.name, self._settings, self._lease = name, settings, lease

    def setup(self, worker: Worker) -> None:
        self.executor = LocalExecutor(self._settings, worker.state.nthreads)
        self.heard = time.monotonic()
        self._watch = asyncio.create_task(self._end_when_unheard(worker))

    async def _end_when_unheard(self, worker: Worker) -> None:
        while time.monotonic() - self.heard < self._lease:
            await asyncio.sleep(self._lease / 10)
        await worker.plugin_remove(self.name)

    async def teardown(self, worker: Worker) -> None:
        if self._watch is not asyncio.current_task():
            self._watch.cancel()
        await asyncio.to_thread(self.executor.close)
        await asyncio.to_thread(loader().close)


async def worker_info() -> WorkerInfo:
    """For `Client.run`, as all below: the level is found out in a process that may fork."""
    return await asyncio.to_thread(_worker_info)


def _worker_info() -> WorkerInfo:
    said = subprocess.run(
        [sys.executable, "-c", _PROBE],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    level, lacks = json.loads(said)
    return WorkerInfo(tool_versions(), Level[level], tuple(lacks))


async def enlist(judges: ExecutorPlugin, dask_worker: Worker) -> None:
    await dask_worker.plugin_add(judges, judges.name, catch_errors=False)


def renew(name: str, dask_worker: Worker) -> None:
    """Keep a worker enlisted for another lease."""
    judges = dask_worker.plugins.get(name)
    if isinstance(judges, ExecutorPlugin):
        judges.heard = time.monotonic()


async def dismiss(name: str, dask_worker: Worker) -> None:
    if name in dask_worker.plugins:
        await dask_worker.plugin_remove(name)


async def grade(name: str, job: Job, dask_worker: Worker) -> str:
    """What comes of a job, as `Graded.to_json` writes it.

    Raises UnknownRun or JudgeProcessFault.
    """
    judges = dask_worker.plugins.get(name)
    if not isinstance(judges, ExecutorPlugin):
        raise UnknownRun
    return (await asyncio.wrap_future(judges.executor.submit(job))).to_json()
