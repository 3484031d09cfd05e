"""A second run of ranks that shared a process: each rank alone in its own process.

In one process, a rank can leave numbers for the others without communication. A difference costs no
point, because an answer that needs the result of another cell differs as well.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_grading.job import Check, Job
from course_grading.judge.passes import judge_of, run_step, take_answer
from course_grading.judge.requests import CheckerReplaced, put_case
from course_grading.judge.worker import WorkerHandle
from course_grading.protocol import JudgeEnd, ProtocolError
from course_grading.results import Flag
from exercise_kit.comparison import same
from exercise_kit.contract import Case, Facts

_WHY = "behaves differently when each rank runs in its own process"

_AS_GOOD = 1e-5  # rounding of the same sums can differ

_Alone = list[tuple[Any, Facts]]
"""The cases of a rank alone: its data, and the facts that it reported together with the others."""


def look_apart(job: Job, passed: Sequence[Check], worker: WorkerHandle) -> None:
    """Flag the answers to these checks whose ranks behave differently alone."""
    by_rank: dict[int, dict[Check, _Alone]] = {}
    for check in passed:
        judge = judge_of(check.exercise)
        for case, facts in judge.met:
            for rank, alone in enumerate(judge.exercise.observer.apart(case.data, facts)):
                by_rank.setdefault(rank, {}).setdefault(check, []).append(alone)
    differing = [check for alone in by_rank.values() for check in _differing(job, alone, worker)]
    worker.told.extend(Flag(check.answer, 0, "", _WHY) for check in dict.fromkeys(differing))


def _differing(job: Job, alone: Mapping[Check, _Alone], worker: WorkerHandle) -> list[Check]:
    """The checks in which one rank, alone in its process, reports other facts."""
    left = [*alone]
    answers = {check.answer for check in alone}
    try:
        with worker.submission(job.files) as pipe:
            for step in job.steps:
                if step.check is None:
                    run_step(pipe, step, worker.times, definitions=step.solution not in answers)
                elif step.check in alone and _does_the_same(
                    pipe, step.check, alone[step.check], worker.times.patience
                ):
                    left.remove(step.check)
    except (ProtocolError, CheckerReplaced):
        pass  # the other checks stay unknown
    return left


def _does_the_same(pipe: JudgeEnd, check: Check, alone: _Alone, patience: float) -> bool:
    seconds = take_answer(pipe, check, patience)
    return seconds is not None and all(
        same(put_case(pipe, Case("", data), seconds, patience), facts, tolerance=_AS_GOOD)
        for data, facts in alone
    )
