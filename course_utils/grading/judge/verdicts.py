"""A submission's verdicts: its cells run in order, each check asked at its own place.

An exercise that does not pass there is asked once more on its own, in a fresh process that runs
only what the notebook imports and defines: no cell costs another one's points.
"""

import contextlib
import functools
import signal
import time
from collections.abc import Iterator
from typing import Any

from course_utils.checking.beside import Seen
from course_utils.checking.contract import Case, Finding
from course_utils.checking.engine import examine
from course_utils.checking.exercises import exercise
from course_utils.checking.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Raised,
    Report,
    TimedOut,
)
from course_utils.checking.view import report_message
from course_utils.grading.job import Check, Job, Step
from course_utils.grading.judge.limited import Limited
from course_utils.grading.judge.questions import Tripped, answer, is_known, put
from course_utils.grading.judge.slowness import SLOW, patience_for, slowness
from course_utils.grading.judge.worker import Ended, Worker
from course_utils.grading.pipe import Asking, Broken
from course_utils.grading.results import Graded, Kind, Spent, Verdict

_CELL_SECONDS = 20.0  # of processor time
_MOST_SECONDS = 1800.0  # on the wall, for all that is asked once more
_NOTE = "Checked on 4 virtual GPUs."
_ALONE = "“{}” passes by itself; another cell of the notebook stood in its way."
_TOO_LONG = "the whole submission took more than half an hour: look for what it waits for"
_TOO_SLOW = ("it waited too long, on a computer that is {:.0f} times slower just now than it could "
             "be: grade it again with --only-held when there is less to do")


def verdicts(job: Job, worker: Worker, seed: str) -> Graded:
    """Grade a submission. Raises WorkerFault where the grader itself cannot."""
    begun, spent = time.process_time(), 0.0
    until = time.monotonic() + _MOST_SECONDS
    ended = Ended()
    reports = dict(_in_order(job, worker, seed, ended))
    spent += ended.cpu
    mended: list[str] = []
    for number, step in enumerate(job.steps):
        check = step.check
        if check is None or check.exercise in job.held or not _worth_another(reports[check]):
            continue
        if time.monotonic() > until:
            reports[check] = Report(check.exercise, CouldNotGrade(_TOO_LONG))
            continue
        ended = Ended()
        # Measured while nothing of the submission runs: what it starts is no excuse for it.
        patience = patience_for(slowness()) if _waited(reports[check]) else 1.0
        alone = _alone(job, number, check, worker, seed, ended, patience)
        spent += ended.cpu
        if alone.passed and patience == 1.0:
            mended.append(_ALONE.format(check.answer))
        if _waited(alone) and (slow := slowness()) >= SLOW:
            reports[check] = Report(check.exercise, CouldNotGrade(_TOO_SLOW.format(slow)))
        elif alone.passed or isinstance(reports[check].outcome, CouldNotGrade):
            reports[check] = alone
    found = tuple(
        _verdict(step.check, reports.get(step.check), job.held.get(step.check.exercise, ""))
        for step in job.steps
        if step.check is not None
    )
    outputs: tuple[list[dict[str, Any]], ...] = ()
    if job.outputs:
        ended = Ended()
        outputs = _outputs(job, worker, ended)
        spent += ended.cpu
    return Graded(job.student, job.assignment, found, tuple(mended),
                  spent=Spent(spent, time.process_time() - begun), outputs=outputs)  # fmt: skip


def _outputs(job: Job, worker: Worker, ended: Ended) -> tuple[list[dict[str, Any]], ...]:
    """What each cell puts out in a process that meets no case."""
    shown: list[list[dict[str, Any]]] = []
    with worker.submission(job.files, ended) as pipe, contextlib.suppress(Broken):
        for step in job.steps:
            if step.check is None:
                request = {"do": "show", "source": step.source, "seconds": _CELL_SECONDS}
                shown.append(list(answer(pipe, request)["outputs"]))
            else:
                shown.append([])
    return tuple(shown)


def _in_order(
    job: Job, worker: Worker, seed: str, ended: Ended
) -> Iterator[tuple[Check, Report]]:
    with worker.submission(job.files, ended) as pipe:
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
                    errors[step.solution] = _run(pipe, step)
                elif check.exercise not in job.held:
                    yield check, _examined(pipe, check, seed, errors.get(check.answer, ""))
            except Broken as error:
                broken = error
                if check is not None:
                    yield check, _could_not(check, broken)


def _alone(
    job: Job, place: int, check: Check, worker: Worker, seed: str, ended: Ended, patience: float
) -> Report:
    """The same exercise, after nothing but definitions and its own cell."""
    with worker.submission(job.files, ended) as pipe:
        own_error = ""
        try:
            for step in job.steps[:place]:
                is_own = step.solution == check.answer
                error = _run(pipe, step, definitions=not is_own)
                own_error = error if is_own else own_error
            return _examined(pipe, check, seed, own_error, patience)
        except Broken as error:
            report = _could_not(check, error)
    if ended.code == -signal.SIGXCPU:  # the one limit that is the answer's own doing
        return Report(check.exercise, TimedOut(ended.cpu))
    return report


def _run(pipe: Asking, step: Step, *, definitions: bool = False) -> str:
    """Run a cell, or only its definitions. Returns the type of the error that ended it, or ""."""
    reply = answer(pipe, {"do": "run", "source": step.source, "definitions": definitions,
                          "seconds": _CELL_SECONDS})  # fmt: skip
    name = str(reply.get("error", ""))
    return name if not name or is_known(name) else "an error of its own"


def _examined(
    pipe: Asking, check: Check, seed: str, cell_error: str, patience: float = 1.0
) -> Report:
    """cell_error: what ended the cell of the answer, or ""."""
    broken: list[Broken] = []

    def ask(case: Case) -> Seen:
        try:
            return put(pipe, case, patience)
        except Broken as error:
            broken.append(error)
            raise

    try:
        taken = answer(pipe, {"do": "take", "name": check.exercise, "answer": check.answer})
        if taken != {"found": True}:
            return _missing(check, cell_error)
        report = examine(check.exercise, _judge(check.exercise), ask, seed)
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


def _waited(report: Report) -> bool:
    return isinstance(report.outcome, TimedOut) and report.outcome.waiting


def _worth_another(report: Report) -> bool:
    return not isinstance(report.outcome, Passed | NotAttempted)


def _verdict(check: Check, report: Report | None, held: str) -> Verdict:
    if held or report is None:
        report = Report(check.exercise, CouldNotGrade(held))
    message = report_message(report, exercise(check.exercise).words, (_NOTE,), secret=True)
    kind, finding = _kind(report)
    points = {"passed": check.points, "held": None}.get(kind, 0.0)
    why = report.outcome.reason if isinstance(report.outcome, CouldNotGrade) else ""
    return Verdict(check.exercise, kind, points, check.points, finding, message.text,
                   message._repr_html_(), why)  # fmt: skip


def _kind(report: Report) -> tuple[Kind, str]:
    match report.outcome:
        case Passed():
            return "passed", ""
        case Failed(finding):
            return "finding", finding.name
        case NotAttempted():
            return "not-attempted", ""
        case Raised():
            return "raised", ""
        case TimedOut():
            return "timed-out", ""
    return "held", ""
