"""The verdicts of a submission: its cells run in order, with each check at its place.

An exercise that does not pass is checked again alone, in a new process that runs only the imports
and definitions of the notebook. So no cell costs points of another exercise. And the message for
the student comes from a process without hidden cases of other exercises. Findings in public cases
come from forks in one sandbox without hidden cases; for the rest, each exercise has its own.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from course_grading.hidden import Hidden
from course_grading.job import Check, CodeCell, Job, TimeLimits
from course_grading.judge.deaths import Died, how_it_died
from course_grading.judge.passes import cases_of, check_alone, check_in_forks, check_in_order
from course_grading.judge.real_world import RealWorld
from course_grading.judge.requests import run_cell
from course_grading.judge.slowness import SLOW, patience_for, slowness
from course_grading.judge.worker import WorkerHandle
from course_grading.protocol import JudgeEnd, ProtocolError
from course_grading.results import CellRun, Flag, Graded, Kind, ProcessorSeconds, Verdict, Worlds
from course_utils.checking.exercises import exercise
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
_NOTE = "Checked on 4 virtual GPUs."
_DIFFERENT = "Virtual and real GPUs gave different results for this answer. This is not your fault."
_ALONE = "“{}” passes alone. In the notebook, another cell made it fail."
_WILLED = "could not be judged, and a submission can cause this: read the reason why it is held"
_TOO_LONG = "the whole submission took more than half an hour: find out what it waits for"
_TOO_SLOW = (
    "the answer waited too long, on a computer that was {:.0f} times slower than usual: "
    "grade it again with --only-held when the computer is less busy"
)

_KINDS: dict[type, Kind] = {Failed: "finding", CouldNotGrade: "held", Died: "held"}
_NEXT = "Run `check` on the public cases, and watch the time and memory that the answer uses."


def verdicts(
    job: Job, worker: WorkerHandle, hidden: Hidden, real: RealWorld | None = None
) -> Graded:
    """The result of a submission. Raises WorkerFault for a fault of the grader."""
    begun, until = time.process_time(), time.monotonic() + _MOST_SECONDS
    workers = [worker, *([real.worker] if real else [])]
    used = sum(each.cpu for each in workers)
    worker.told.clear()
    has_checks = any(s.check and s.check.exercise not in job.held for s in job.steps)
    reports = dict(check_in_order(job, worker, hidden)) if has_checks else {}
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
        alone = job, check, worker, cases_of(check, hidden), patience
        again = in_forks.get(check) or check_alone(*alone)
        if _died_by_itself(again):  # perhaps not every time
            again = check_alone(*alone)
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
    worlds: dict[Check, Worlds] = {}
    for check, report in reports.items():
        if check.exercise in worker.on_gpus:
            public, drawn = cases_of(check, hidden)
            there = real.compared(job, check, report, drawn) if real else Worlds()
            worlds[check] = replace(there, virtual=len(public))
    found = []
    for check in (step.check for step in job.steps if step.check is not None):
        why, world = job.held.get(check.exercise, ""), worlds.get(check, Worlds())
        found.append(_verdict(check, reports.get(check), why, check not in shown, world))
    tests: dict[str, CellRun] = {}
    for steps in job.notebooks:
        if any(map(job.asks, steps)):
            tests |= _run_tests(job, steps, worker)
    used = sum(each.cpu for each in workers) - used
    spent = ProcessorSeconds(used, time.process_time() - begun)
    flags = tuple(dict.fromkeys(worker.told))
    return Graded(job.student, job.assignment, tuple(found), tuple(repaired), flags, spent, tests)


def _run_tests(job: Job, steps: Sequence[CodeCell], worker: WorkerHandle) -> Mapping[str, CellRun]:
    """Own question → the run of its cell, in a process of the notebook that gets no case."""
    found: dict[str, CellRun] = {}
    above = ""
    broken: ProtocolError | None = None
    with worker.submission(job.files) as pipe:
        try:
            for step in steps:
                if step.check is None and step.own not in job.held:
                    run = replace(_run(pipe, step.source, worker.times), above=above)
                    if step.own:
                        found[step.own] = run
                    if run.error and (step.solution or not step.own):
                        whose = f"the answer {step.solution}" if step.solution else "a cell above"
                        above = f"{whose} ended with {run.error}"
        except ProtocolError as error:
            broken = error
    if broken is not None:
        ended = CellRun([], ended=how_it_died(broken, worker.death, worker.limits).reason)
        left = (step.own for step in steps if job.asks(step) and step.own not in found)
        found |= dict.fromkeys(left, ended)
    return found


def _run(pipe: JudgeEnd, source: str, times: TimeLimits) -> CellRun:
    reply = run_cell(pipe, {"do": "show", "source": source}, times)
    try:
        return CellRun(list(reply["outputs"]), str(reply["error"]), reply["system"] is True)
    except (KeyError, TypeError) as error:
        raise ProtocolError("the reply has an unknown form") from error


def _waited(report: Report) -> bool:
    return isinstance(report.outcome, TimedOut) and report.outcome.waiting


def _is_decided(report: Report) -> bool:
    return bool(_died_by_itself(report)) or not isinstance(report.outcome, CouldNotGrade)


def _died_by_itself(report: Report) -> Died | None:
    return report.outcome if isinstance(report.outcome, Died) and report.outcome.own else None


def _verdict(
    check: Check, report: Report | None, held: str, withheld: bool, world: Worlds
) -> Verdict:
    if held or report is None:
        report = Report(check.exercise, CouldNotGrade(held))
    notes = (_NOTE,) if world.virtual else ()
    why = report.outcome.reason if isinstance(report.outcome, CouldNotGrade) else world.difference
    if died := _died_by_itself(report):
        kind: Kind = "died"
        lead = Line("Your code ended its process:", f"{died.own}.")
        last = (Line("", note) for note in notes)
        message = Message("■", AMBER, (lead, Line("Next:", _NEXT), *last))
    elif world.difference:
        kind, message = "held", Message("?", AMBER, (Line("Not graded yet.", _DIFFERENT),))
    else:
        kind = _KINDS.get(type(report.outcome)) or cast(Kind, outcome_name(report.outcome))
        words, withheld = exercise(check.exercise).words, withheld or bool(why)
        message = report_message(report, words, notes, secret=True, withheld=withheld)
    most, name = check.points, outcome_name(report.outcome) if kind == "finding" else ""
    points = {"passed": most, "held": None}.get(kind, 0.0)
    text, html, run = message.text, message._repr_html_(), report.run
    return Verdict(check.exercise, kind, points, most, name, text, html, why, run, world)
