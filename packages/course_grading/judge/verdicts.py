"""The verdicts of a submission: its cells run in order, with each check at its place.

An exercise that does not pass is checked again alone, in a new process that runs only the imports
and definitions of the notebook. So no cell costs points of another exercise. And the message for
the student comes from a process without hidden cases of other exercises. Findings in public cases
come from forks in one sandbox without hidden cases; for the rest, each exercise has its own.
"""

import contextlib
import time
from typing import Any, cast

from course_grading.hidden import Hidden
from course_grading.job import Check, Job
from course_grading.judge.apart import look_apart
from course_grading.judge.deaths import Died
from course_grading.judge.passes import check_alone, check_in_forks, check_in_order, judge_of
from course_grading.judge.requests import run_cell
from course_grading.judge.slowness import SLOW, patience_for, slowness
from course_grading.judge.worker import WorkerHandle
from course_grading.protocol import ProtocolError
from course_grading.results import Flag, Gpus, Graded, Kind, ProcessorSeconds, Verdict
from course_utils.checking.view import AMBER, Line, Message, report_message
from exercise_kit.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Report,
    TimedOut,
    outcome_name,
)

_MOST_SECONDS = 1800.0  # wall-clock limit for all second checks of a submission
_NOTE = "Checked on 4 {} GPUs."
_ALONE = "“{}” passes alone. In the notebook, another cell made it fail."
_WILLED = "could not be judged, and a submission can cause this: read the reason why it is held"
_TOO_LONG = "the whole submission took more than half an hour: find out what it waits for"
_TOO_SLOW = (
    "the answer waited too long, on a computer that was {:.0f} times slower than usual: "
    "grade it again with --only-held when the computer is less busy"
)

_KINDS: dict[type, Kind] = {Failed: "finding", CouldNotGrade: "held", Died: "held"}
_NEXT = "Run `check` on the public cases, and watch the time and memory that the answer uses."


def verdicts(job: Job, worker: WorkerHandle, hidden: Hidden) -> Graded:
    """The result of a submission. Raises WorkerFault for a fault of the grader."""
    begun, until = time.process_time(), time.monotonic() + _MOST_SECONDS
    used = worker.cpu
    worker.told.clear()
    reports = dict(check_in_order(job, worker, hidden))
    repaired: list[str] = []
    shown: set[Check] = set()  # checks whose report the student may read in full
    too_slow: set[Check] = set()  # checks for which this computer is too slow
    in_forks = dict(check_in_forks(job, reports, worker))
    for check, report in reports.items():
        if isinstance(report.outcome, Passed | NotAttempted):
            continue
        if time.monotonic() > until:
            reports[check] = Report(check.exercise, CouldNotGrade(_TOO_LONG))
            continue
        # Measured while the submission does not run, so it cannot slow down the measurement.
        patience = patience_for(slowness()) if _waited(report) else 1.0
        again = in_forks.get(check) or check_alone(job, check, worker, hidden, patience)
        if _died_by_itself(again):  # perhaps not every time
            again = check_alone(job, check, worker, hidden, patience)
        if _waited(again) and (slow := slowness()) >= SLOW:
            reports[check] = Report(check.exercise, CouldNotGrade(_TOO_SLOW.format(slow)))
            too_slow.add(check)
        elif _is_decided(again) or not _is_decided(report):
            reports[check] = again
            shown.add(check)
        if again.passed and patience == 1.0:
            repaired.append(_ALONE.format(check.answer))
    for check, report in reports.items():
        if not _is_decided(report) and check not in too_slow:
            worker.told.append(Flag(check.answer, 0, "", _WILLED))
    look_apart(job, [check for check, report in reports.items() if report.passed], worker)
    found = tuple(
        _verdict(
            step.check,
            reports.get(step.check),
            job.held.get(step.check.exercise, ""),
            withheld=step.check not in shown,
            gpus=worker.gpus.get(step.check.exercise, ""),
        )
        for step in job.steps
        if step.check is not None
    )
    outputs = _outputs(job, worker) if job.outputs else ()
    spent = ProcessorSeconds(worker.cpu - used, time.process_time() - begun)
    flags = tuple(dict.fromkeys(worker.told))
    return Graded(job.student, job.assignment, found, tuple(repaired), flags, spent, outputs)


def _outputs(job: Job, worker: WorkerHandle) -> tuple[list[dict[str, Any]], ...]:
    """The outputs of each cell, in a process that gets no case."""
    shown: list[list[dict[str, Any]]] = []
    with worker.submission(job.files) as pipe, contextlib.suppress(ProtocolError):
        for step in job.steps:
            request = {"do": "show", "source": step.source}
            is_ours = step.check is not None
            shown.append([] if is_ours else list(run_cell(pipe, request, worker.times)["outputs"]))
    return tuple(shown)


def _waited(report: Report) -> bool:
    return isinstance(report.outcome, TimedOut) and report.outcome.waiting


def _is_decided(report: Report) -> bool:
    return bool(_died_by_itself(report)) or not isinstance(report.outcome, CouldNotGrade)


def _died_by_itself(report: Report) -> Died | None:
    return report.outcome if isinstance(report.outcome, Died) and report.outcome.own else None


def _verdict(
    check: Check, report: Report | None, held: str, *, withheld: bool, gpus: Gpus
) -> Verdict:
    if held or report is None:
        report = Report(check.exercise, CouldNotGrade(held))
    notes = (_NOTE.format(gpus),) if gpus else ()
    why = report.outcome.reason if isinstance(report.outcome, CouldNotGrade) else ""
    if died := _died_by_itself(report):
        kind: Kind = "died"
        lead = Line("Your code ended its process:", f"{died.own}.")
        last = (Line("", note) for note in notes)
        message = Message("■", AMBER, (lead, Line("Next:", _NEXT), *last))
    else:
        kind = _KINDS.get(type(report.outcome)) or cast(Kind, outcome_name(report.outcome))
        message = report_message(
            report,
            judge_of(check.exercise).exercise.words,
            notes,
            secret=True,
            withheld=withheld or bool(why),
        )
    return Verdict(
        check.exercise,
        kind,
        {"passed": check.points, "held": None}.get(kind, 0.0),
        check.points,
        outcome_name(report.outcome) if kind == "finding" else "",
        message.text,
        message._repr_html_(),
        why,
        report.run,
        gpus,
    )
