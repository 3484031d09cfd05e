"""The judge, for one assignment and its hidden cases.

The first message on its pipe holds the settings; each later one is a job. The reply to each is what
came of it, or a fault of the grader's own.
"""

import contextlib
import json
import socket
from multiprocessing.connection import Connection

from course_grading.hidden import parse_hidden
from course_grading.job import GradingSettings, Job
from course_grading.judge.limited import limit_memory
from course_grading.judge.passes import judge_of
from course_grading.judge.references import references
from course_grading.judge.verdicts import verdicts
from course_grading.judge.worker import WorkerFault, WorkerHandle
from course_utils.manifest import load_manifest
from exercise_kit.errors import ExerciseError


def main(pipe: Connection, control: socket.socket, worker_pid: int) -> None:
    """Until the pipe is closed. control: the line to the process that becomes the worker."""
    settings: GradingSettings = pipe.recv()
    hidden = parse_hidden(settings.hidden)
    worker = WorkerHandle(control, worker_pid, settings)
    if settings.real:  # whether they can be used at all, before anybody is graded
        with worker.submission({}):
            pass
    names = [each.name for each in load_manifest().assignment(settings.assignment).exercises]
    for name, found in references(names, hidden).items():
        judge = judge_of(name)
        judge.references = found
        known = judge.exercise  # whose parts load now, and not within the limits of a judge
        _ = known.judge, known.observer, known.words, known.public_cases
    limit_memory()  # after the worker, which has limits of its own, is there
    pipe.send_bytes(b'{"ready": true}')
    with contextlib.suppress(EOFError):
        while True:
            job: Job = pipe.recv()
            try:
                reply = {"graded": verdicts(job, worker, hidden).to_json()}
            except (WorkerFault, ExerciseError, OSError) as fault:
                reply = {"fault": f"{type(fault).__name__}: {fault}"}
            pipe.send_bytes(json.dumps(reply).encode())
    worker.close()
