"""Grading on a worker of a Dask cluster, with the same judges as on one computer.

A worker must be as trusted as the coordinator's computer: it gets the hidden cases, through the
scheduler and never in a file. Submissions run in their sandboxes.
"""

import asyncio
import dataclasses
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from distributed import get_worker

from course_grading.executor import JudgeProcessFault, LocalExecutor
from course_grading.job import GradingSettings, Job
from course_grading.loader.handle import loader
from course_grading.run.digests import tool_versions
from course_grading.sandbox import Level

_PROBE = (
    "import json; from course_grading.sandbox import probe; found = probe(); "
    "print(json.dumps([found.level.name, found.lacks]))"
)

_executors: dict[str, LocalExecutor] = {}  # by run
_jobs: dict[str, int] = {}  # run → number of jobs so far


@dataclass(frozen=True)
class WorkerInfo:
    """A worker's software and sandbox. lacks: sentences on what better levels lack there."""

    tool_versions: dict[str, str]
    level: Level
    lacks: tuple[str, ...]


class CannotGrade(Exception):
    """The grader cannot start on a worker. args: the worker's address, and the reason."""


async def worker_info() -> WorkerInfo:
    """For `Client.run`: this worker's software and sandbox, which a new process probes."""
    versions = await asyncio.to_thread(tool_versions)
    return WorkerInfo(versions, *await asyncio.to_thread(_sandbox))


@cache
def _sandbox() -> tuple[Level, tuple[str, ...]]:
    command, none = [sys.executable, "-c", _PROBE], subprocess.DEVNULL
    level, lacks = json.loads(subprocess.check_output(command, stdin=none, stderr=none))
    return Level[level], tuple(lacks)


async def grade(run: str, settings: GradingSettings, job: Job, idle: float) -> str:
    """For `Client.submit`: the result of a job, from `Graded.to_json`.

    The judges live until `end`, or until `idle` seconds without a job, because the coordinator may
    have been killed. Raises CannotGrade.
    """
    worker = get_worker()
    level, _ = await asyncio.to_thread(_sandbox)
    settings = dataclasses.replace(settings, level=level)
    if run not in _executors:
        _executors[run] = LocalExecutor(settings, worker.state.nthreads)
    number = _jobs[run] = _jobs.get(run, 0) + 1
    try:
        graded = await asyncio.wrap_future(_executors[run].submit(job))
    except JudgeProcessFault as fault:
        raise CannotGrade(worker.address, str(fault)) from None
    finally:
        worker.loop.call_later(idle, _end_if_last, run, number)
    return graded.to_json()


async def _end_if_last(run: str, number: int) -> None:
    if _jobs.get(run) == number:
        await end(run)


async def end(run: str) -> None:
    """For `Client.run`: end the judges of a run after their current jobs."""
    _jobs.pop(run, None)
    executor = _executors.pop(run, None)
    if executor is not None:
        await asyncio.to_thread(executor.close)
    if not _executors:
        await asyncio.to_thread(loader().close)
