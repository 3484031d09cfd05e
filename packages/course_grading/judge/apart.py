"""Ranks that were played in one process, each once more in one of its own: do they do the same?

There, one can leave its numbers for the others without an exchange. What differs costs no point:
an answer that needs what another cell has computed differs as well.
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

_WHY = "does something else where each rank is a process of its own"

_AS_GOOD = 1e-5  # the same sums may be rounded otherwise

_Alone = list[tuple[Any, Facts]]
"""What is put to a rank, and what it reported beside the others."""


def look_apart(job: Job, passed: Sequence[Check], worker: WorkerHandle) -> None:
    """Tell of the answers to these checks whose ranks do not do the same."""
    by_rank: dict[int, dict[Check, _Alone]] = {}
    for check in passed:
        judge = judge_of(check.exercise)
        for case, facts in judge.met:
            for rank, alone in enumerate(judge.exercise.observer.apart(case.data, facts)):
                by_rank.setdefault(rank, {}).setdefault(check, []).append(alone)
    differing = [check for alone in by_rank.values() for check in _differing(job, alone, worker)]
    worker.told.extend(Flag(check.answer, 0, "", _WHY) for check in dict.fromkeys(differing))


def _differing(job: Job, alone: Mapping[Check, _Alone], worker: WorkerHandle) -> list[Check]:
    """Of one rank, in one process: the checks in which it does something else by itself."""
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
        pass  # of the rest it is not known
    return left


def _does_the_same(pipe: JudgeEnd, check: Check, alone: _Alone, patience: float) -> bool:
    seconds = take_answer(pipe, check, patience)
    return seconds is not None and all(
        same(put_case(pipe, Case("", data), seconds, patience), facts, tolerance=_AS_GOOD)
        for data, facts in alone
    )
