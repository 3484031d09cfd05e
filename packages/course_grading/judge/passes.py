"""Three ways to run cases on a submission: in notebook order, alone, and alone in shared forks."""

import contextlib
import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from course_grading.hidden import Hidden
from course_grading.job import Check, CodeCell, Job, TimeLimits
from course_grading.judge.deaths import how_it_died
from course_grading.judge.requests import (
    CheckerReplaced,
    is_known_exception,
    put_case,
    run_cell,
    send_request,
)
from course_grading.judge.worker import WorkerHandle
from course_grading.protocol import JudgeEnd, ProtocolError
from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case, Finding, Raise
from exercise_kit.engine import examine
from exercise_kit.limited import LimitedJudge
from exercise_kit.outcomes import CouldNotGrade, Failed, NotAttempted, Raised, Report
from exercise_kit.runner import Seen

_TAKING = 5.0  # seconds of processor time to find a function
_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,79}")


Cases = tuple[Sequence[Case], Sequence[tuple[int, Case]]]
"""The public cases of an exercise, and hidden ones with their numbers."""


def cases_of(check: Check, hidden: Hidden | None = None) -> Cases:
    """The cases of an exercise."""
    return judge_of(check.exercise).exercise.public_cases, (hidden or {}).get(check.exercise, ())


def check_in_order(
    job: Job, worker: WorkerHandle, hidden: Hidden
) -> Iterator[tuple[Check, Report]]:
    """Run the cells in order in one process; yield each check's report at its place.

    Cases with a hidden twin are left out, because `check_alone` runs all if one does not pass.
    """
    with worker.submission(job.files) as pipe:
        errors: dict[str, str] = {}
        broken: ProtocolError | None = None
        for step in job.steps:
            check = step.check
            if (step.own and not step.solution) or (check and check.exercise in job.held):
                continue  # a test of the instructor's own runs later, in a process without cases
            try:
                if broken is not None:
                    raise broken
                if check is None:
                    errors[step.solution] = run_step(pipe, step, worker.times)
                    continue
                worker.look_for_processes()
                error = errors.get(check.answer, "")
                known = check, cases_of(check, hidden), error, worker.times.patience
                report = _examined(pipe, *known, once=True)
                if isinstance(report.outcome, NotAttempted):  # no other process checks it again
                    in_full = _examined(pipe, *known)
                    report = report if in_full.passed else in_full
            except ProtocolError as problem:
                broken = problem
                if check is None:
                    continue
                report = _could_not(check, broken)
            yield check, report


def check_alone(
    job: Job, check: Check, worker: WorkerHandle, cases: Cases, patience: float = 1.0
) -> Report:
    """The report of one exercise in a new process, which runs only definitions and its own cell.

    patience: factor on the wall-clock limit.
    """
    with worker.submission(job.files) as pipe:
        try:
            own_error = _run_alone(pipe, job, check, worker.times)
            worker.look_for_processes()
            return _examined(pipe, check, cases, own_error, patience * worker.times.patience)
        except ProtocolError as error:
            broken = error
    return Report(check.exercise, how_it_died(broken, worker.death, worker.limits))


def check_in_forks(
    job: Job, reports: Mapping[Check, Report], worker: WorkerHandle
) -> Iterator[tuple[Check, Report]]:
    """The findings of exercises that failed in `reports`, as `check_alone` gets them.

    One new process, which runs nothing of the submission, forks for each exercise but the last. All
    get public cases only, so no exercise can find a hidden case of another one. Left out: an
    exercise that passes them or breaks its process, and those after one that left a process or a
    file.
    """
    checks = [each for each, found in reports.items() if isinstance(found.outcome, Failed | Raised)]
    if len(checks) < 2 or job.files:
        return
    with contextlib.suppress(ProtocolError), worker.submission({}) as pipe:
        for check in checks:
            if forks := int(check != checks[-1]):
                send_request(pipe, {"do": "fork"}, _TAKING, worker.times.patience)
            own_error = _run_alone(pipe, job, check, worker.times)
            if worker.look_for_processes(forks):
                return
            cases = cases_of(check)
            report = _examined(pipe, check, cases, own_error, worker.times.patience)
            if isinstance(report.outcome, Failed | Raised):
                yield check, report
            send_request(pipe, {"do": "end"}, _TAKING, worker.times.patience)


def _run_alone(pipe: JudgeEnd, job: Job, check: Check, times: TimeLimits) -> str:
    """Run the answer's own cell, and the definitions of the others. Returns the cell's error."""
    own_error = ""
    for step in itertools.takewhile(lambda step: step.check != check, job.steps):
        is_own = step.solution == check.answer
        error = run_step(pipe, step, times, definitions=not is_own)
        own_error = error if is_own else own_error
    return own_error


def run_step(
    pipe: JudgeEnd, step: CodeCell, times: TimeLimits, *, definitions: bool = False
) -> str:
    """Run a cell, or only its definitions. Returns the error that ended it, or ""."""
    request = {"do": "run", "source": step.source, "definitions": definitions}
    reply = run_cell(pipe, request, times)
    name, module = str(reply.get("error", "")), str(reply.get("module", ""))
    if name == "ModuleNotFoundError" and _MODULE.fullmatch(module):
        return f"{name}: No module named {module!r}"
    return name if not name or is_known_exception(name) else "an exception of your own"


def _examined(
    pipe: JudgeEnd, check: Check, cases: Cases, in_cell: str, patience: float, once: bool = False
) -> Report:
    """The report of one answer. once: see `examine`.

    in_cell: the exception that ended the answer's cell, or "".
    """
    judge = judge_of(check.exercise)
    broken: list[ProtocolError] = []

    def ask(case: Case, *, anew: bool = False) -> Seen | None:
        try:
            return put_case(pipe, case, seconds or 0.0, patience, anew=anew)
        except ProtocolError as error:
            broken.append(error)
            raise

    try:
        seconds = take_answer(pipe, check, patience)
        if seconds is None:
            wanted = f"function named {check.answer}"
            if in_cell:  # not a finding: it says nothing about the student's understanding
                kind, _, text = in_cell.partition(": ")
                raised = Raise(kind, text, f"its cell, so no {wanted} is defined")
                return Report(check.exercise, Raised(raised))
            finding = Finding("not-a-function", f"no {wanted}", f"a {wanted}")
            return Report(check.exercise, Failed(finding))
        # A case that timed out is repeated by check_alone, in a new process.
        name, anew = check.exercise, functools.partial(ask, anew=True)
        report = examine(name, judge, ask, *cases, anew=anew, patient=False, once=once)
        if not broken:
            send_request(pipe, {"do": "look"}, _TAKING, patience)
    except CheckerReplaced as tripped:
        return _could_not(check, tripped)
    if broken:
        raise broken[0]
    return report


def take_answer(pipe: JudgeEnd, check: Check, patience: float) -> float | None:
    """The processor seconds for a case of an answer, which the worker loads; None without it."""
    request = {"do": "take", "name": check.exercise, "answer": check.answer}
    seconds = send_request(pipe, request, _TAKING, patience).get("seconds")
    return float(seconds) if isinstance(seconds, int | float) else None


@functools.cache
def judge_of(name: str) -> LimitedJudge:
    """The judge of an exercise, made once in this process."""
    return LimitedJudge(exercise(name))


def _could_not(check: Check, error: Exception) -> Report:
    return Report(check.exercise, CouldNotGrade(str(error)))
