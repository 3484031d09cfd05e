"""The judge: `python -m course_utils.grading.judge PIPE`, for one assignment and one seed.

The first message on PIPE, the number of an inherited socket, holds the settings; each later one is
a job. The reply to each is what came of it, or a fault of the grader's own.
"""

import contextlib
import json
import os
import sys
from multiprocessing.connection import Connection

from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from course_utils.grading.job import Job
from course_utils.grading.judge.limited import limit_memory
from course_utils.grading.judge.verdicts import verdicts
from course_utils.grading.judge.worker import Worker, WorkerFault
from course_utils.grading.times import Times
from course_utils.manifest import load_manifest


def main(pipe: Connection) -> None:
    settings = json.loads(pipe.recv_bytes())
    seed = settings.pop("seed")
    times = Times(**settings.pop("times"))
    worker = Worker(settings, times)
    _load_judges(settings["assignment"])
    limit_memory()  # after the worker, which has limits of its own, is there
    pipe.send_bytes(b'{"ready": true}')
    with contextlib.suppress(EOFError):
        while True:
            job = Job.from_bytes(pipe.recv_bytes())
            try:
                reply = {"graded": verdicts(job, worker, seed).to_json()}
            except (WorkerFault, CourseError, OSError) as fault:
                reply = {"fault": f"{type(fault).__name__}: {fault}"}
            pipe.send_bytes(json.dumps(reply).encode())
    worker.close()


def _load_judges(assignment: str) -> None:
    for each in load_manifest().assignment(assignment).exercises:
        known = exercise(each.name)
        _ = known.judge, known.words  # which loads them


if __name__ == "__main__":
    os.setsid()  # with its worker it can be ended as one
    main(Connection(int(sys.argv[1])))
