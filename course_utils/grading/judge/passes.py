"""Two ways to put an exercise's cases to a submission: at its own place, and by itself."""

import functools
import signal
from collections.abc import Iterator

from course_utils.checking.beside import Seen
from course_utils.checking.contract import Case, Finding
from course_utils.checking.engine import examine
from course_utils.checking.exercises import exercise
from course_utils.checking.outcomes import CouldNotGrade, Failed, Report, TimedOut
from course_utils.grading.job import Check, Job, Step
from course_utils.grading.judge.limited import Limited
from course_utils.grading.judge.questions import Tripped, answer, is_known, put, run_cell
from course_utils.grading.judge.worker import Worker
from course_utils.grading.pipe import Asking, Broken
from course_utils.grading.times import Times

_TAKING = 5.0  # seconds of processor time to find a function


def in_order(job: Job, worker: Worker, seed: str) -> Iterator[tuple[Check, Report]]:
    """The cells in their order, in one process, each check asked where it stands."""
    with worker.submission(job.files) as pipe:
        errors: dict[str, str] = {}
        broken: Broken | None = None
        for step in job.steps:
            check = step.check
            if broken is not None:
                if check is not None:
                    yield check, _could_not(check, broken)
                continue
            try:
                if check is None:
                    errors[step.solution] = _run(pipe, step, worker.times)
                elif check.exercise not in job.held:
                    error = errors.get(check.answer, "")
                    yield check, _examined(pipe, check, seed, error, worker.times.patience)
            except Broken as error:
                broken = error
                if check is not None:
                    yield check, _could_not(check, broken)


def alone(job: Job, check: Check, worker: Worker, seed: str, patience: float) -> Report:
    """One exercise in a process of its own, after nothing but definitions and its own cell.

    patience: how many times as long as usual an answer may wait.
    """
    cpu = worker.cpu
    with worker.submission(job.files) as pipe:
        own_error = ""
        try:
            for step in job.steps[: _place(job, check)]:
                is_own = step.solution == check.answer
                error = _run(pipe, step, worker.times, definitions=not is_own)
                own_error = error if is_own else own_error
            return _examined(pipe, check, seed, own_error, patience * worker.times.patience)
        except Broken as broken:
            report = _could_not(check, broken)
    if worker.code == -signal.SIGXCPU:  # the one limit that is the answer's own doing
        return Report(check.exercise, TimedOut(worker.cpu - cpu))
    return report


def _place(job: Job, check: Check) -> int:
    return next(number for number, step in enumerate(job.steps) if step.check == check)


def _run(pipe: Asking, step: Step, times: Times, *, definitions: bool = False) -> str:
    """Run a cell, or only its definitions. Returns the type of the error that ended it, or ""."""
    request = {"do": "run", "source": step.source, "definitions": definitions}
    reply = run_cell(pipe, request, times)
    name = str(reply.get("error", ""))
    return name if not name or is_known(name) else "an error of its own"


def _examined(pipe: Asking, check: Check, seed: str, cell_error: str, patience: float) -> Report:
    """cell_error: what ended the cell of the answer, or ""."""
    broken: list[Broken] = []

    def ask(case: Case) -> Seen:
        try:
            return put(pipe, case, float(taken["seconds"]), patience)
        except Broken as error:
            broken.append(error)
            raise

    try:
        request = {"do": "take", "name": check.exercise, "answer": check.answer}
        taken = answer(pipe, request, _TAKING, patience)
        if not isinstance(taken.get("seconds"), int | float):
            return _missing(check, cell_error)
        # What timed out is put once more by itself, in a process of its own.
        report = examine(check.exercise, _judge(check.exercise), ask, seed, patient=False)
    except Tripped as tripped:
        return _could_not(check, tripped)
    if broken:
        raise broken[0]
    return report


def _missing(check: Check, cell_error: str) -> Report:
    seen = f"no function named {check.answer}"
    if cell_error:
        seen += f"; its cell ended in {cell_error}"
    finding = Finding("not-a-function", seen, f"a function named {check.answer}")
    return Report(check.exercise, Failed(finding))


@functools.cache
def _judge(name: str) -> Limited:
    return Limited(exercise(name).judge)


def _could_not(check: Check, error: Exception) -> Report:
    return Report(check.exercise, CouldNotGrade(str(error)))
