"""The judge of one assignment with its hidden cases.

The first message on its pipe holds the settings. Each later message is a job. The reply is the
result of the job, or a fault of the grader.
"""

import contextlib
import json
import resource
import socket
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from course_grading.hidden import parse_hidden
from course_grading.job import GradingSettings, Job
from course_grading.judge.passes import judge_of
from course_grading.judge.real_world import RealWorld
from course_grading.judge.references import references
from course_grading.judge.verdicts import verdicts
from course_grading.judge.worker import WorkerFault, WorkerHandle
from exercise_kit.errors import ExerciseError

_MEMORY = 2 << 30  # bytes that judging may use in addition


def main(pipe: Connection, workers: Sequence[tuple[socket.socket, int]], turn: int) -> None:
    """Judge until the pipe is closed.

    workers: the socket to each future worker, and its pid; the second is for real GPUs.
    turn: the descriptor of `RealWorld`.
    """
    settings: GradingSettings = pipe.recv()
    hidden = parse_hidden(settings.hidden)
    kinds = replace(settings, real=None), settings
    worker, *there = (WorkerHandle(*at, of) for at, of in zip(workers, kinds, strict=False))
    real = RealWorld(there[0], worker, turn) if there else None
    for name, found in references(list(hidden), hidden).items():
        judge = judge_of(name)
        judge.references = found
        known = judge.exercise  # its parts load now, outside the limits of a judge
        _ = known.judge, known.observer, known.words, known.public_cases
    limit_memory()  # after the worker has started: it has its own limits
    pipe.send_bytes(b'{"ready": true}')
    with contextlib.suppress(EOFError):
        while True:
            job: Job = pipe.recv()
            try:
                reply = {"graded": verdicts(job, worker, hidden, real).to_json()}
            except (WorkerFault, ExerciseError, OSError) as fault:
                reply = {"fault": f"{type(fault).__name__}: {fault}"}
            pipe.send_bytes(json.dumps(reply).encode())
    for each in (worker, *there):
        each.close()


def limit_memory() -> None:
    """Limit the memory of this process to 2 GiB more than now. Beyond that: MemoryError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
