"""The world of real GPUs: there, answers also meet the cases that fit, after virtual GPUs decided.

Real GPUs never decide. What passes in one world and not in the other is held. A fault of this world
is only named in the report: no GPU, no memory left, a GPU that is lost, a process that ends.
"""

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from dataclasses import replace

from course_grading.hidden import Hidden
from course_grading.job import Check, Job
from course_grading.judge.passes import judge_of, run_alone, take_answer
from course_grading.judge.requests import put_case
from course_grading.judge.worker import WorkerFault, WorkerHandle
from course_grading.protocol import JudgeEnd, ProtocolError
from course_grading.results import Worlds, on_a_line
from course_utils.checking.real_gpu import trouble_of
from course_utils.words import counted
from exercise_kit.contract import Case
from exercise_kit.engine import BY_CHANCE, KEPT, judged
from exercise_kit.fitting import fitted, needed
from exercise_kit.outcomes import Failed, Outcome, Raised, Report, TimedOut, outcome_name
from exercise_kit.sent import sent


class RealWorld:
    """The GPUs of this computer. After a process could not use them, no other one starts.

    worker: forks a process for each answer, which starts CUDA.
    turn: the descriptor of a file that all judges of a run share. The one that locks it has all GPUs.
    """

    def __init__(self, worker: WorkerHandle, turn: int) -> None:
        self.worker, self._turn = worker, turn
        self._names: Sequence[str] = ()
        self._trouble = ""
        with self._alone(), worker.submission({}):
            self._names = worker.gpus

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Have the GPUs alone during the body. A fault of this world does not leave it."""
        fcntl.lockf(self._turn, fcntl.LOCK_EX)
        try:
            yield
        except (WorkerFault, ProtocolError, OSError) as fault:
            self._names, self._trouble = (), str(fault)
        finally:
            fcntl.lockf(self._turn, fcntl.LOCK_UN)

    def compared(
        self, job: Job, check: Check, report: Report, hidden: Hidden, world: Worlds
    ) -> Worlds:
        """`world` with what an answer does here, in a new process, as far as its cases fit.

        report: of virtual GPUs. A wrong answer meets only the case that it got wrong there.
        """
        kinds = ", ".join(dict.fromkeys(self._names))
        gpus = f"{counted(len(self._names), 'real GPU')} ({kinds})" if kinds else "real GPUs"
        world = replace(world, gpus=gpus)
        cases = self._fitting(check, report, hidden)
        self.worker.told.clear()  # virtual GPUs have told the same
        if cases:
            with self._alone(), self.worker.submission(job.files) as pipe:
                try:
                    run_alone(pipe, job, check, self.worker.times)
                    same, difference = _met(pipe, check, report, cases, gpus)
                except ProtocolError as broken:
                    return replace(world, trouble=str(broken))
                return replace(world, real=same, difference=difference)
        return replace(world, trouble=self._trouble)

    def _fitting(self, check: Check, report: Report, hidden: Hidden) -> list[tuple[int, Case]]:
        """The cases that an answer meets here, on GPUs numbered from 0, with their numbers."""
        known, place = judge_of(check.exercise).exercise, report.place
        public = dict(enumerate(known.public_cases, start=1))
        cases = public | dict(hidden[check.exercise])
        if not report.passed:
            if place is None or not _failed(report.outcome):
                return []
            cases = {place.number: (cases if place.drawn else public)[place.number]}
        fits = (
            (number, fitted(known.observer, case, len(self._names)))
            for number, case in cases.items()
            if needed(known.observer, case)
        )
        return [(number, case) for number, case in fits if case is not None]


def _failed(outcome: Outcome) -> bool:
    """Whether an answer failed by the case alone, whatever it met before."""
    kept = outcome_name(outcome) in (KEPT, BY_CHANCE)
    return isinstance(outcome, Failed | Raised | TimedOut) and not kept


def _met(
    pipe: JudgeEnd, check: Check, report: Report, cases: Sequence[tuple[int, Case]], gpus: str
) -> tuple[int, str]:
    """The number of cases with the same outcome on real GPUs, and the difference of the next one.

    Raises ProtocolError if a case says nothing about the answer, such as without memory.
    """
    seconds = take_answer(pipe, check, 1.0)
    if seconds is None:
        raise ProtocolError("the answer cannot be defined without other cells")
    for same, (number, case) in enumerate(cases):
        try:
            seen = put_case(pipe, case, seconds, 1.0)
            if seen is None or (why := trouble_of(sent(seen))):
                raise ProtocolError(why)
            outcome = judged(judge_of(check.exercise), case, seen)
        except Exception as fault:
            raise ProtocolError(str(fault)) from fault
        if (outcome is None) != report.passed:
            worlds = ("virtual GPUs", gpus) if report.passed else (gpus, "virtual GPUs")
            return same, _told(f"case {number} ({case.title})", outcome or report.outcome, *worlds)
    return len(cases), ""


def _told(case: str, outcome: Outcome, passing: str, failing: str) -> str:
    """The facts of both worlds. outcome: of the world where the case fails."""
    seen, expected = outcome_name(outcome), "no error"
    match outcome:
        case Failed(finding):
            seen, expected = finding.seen, finding.expected
        case Raised(raised):
            seen = str(raised)
    facts = f"{passing}: {on_a_line(expected)} · {failing}: {on_a_line(seen)}"
    return f"its results on virtual and real GPUs differ: {case} passes on {facts}"
