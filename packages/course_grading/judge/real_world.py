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
from exercise_kit.fitting import needed
from exercise_kit.outcomes import Failed, Raised, Report, TimedOut, facts_of, outcome_name
from exercise_kit.sent import sent

_VIRTUAL = "virtual GPUs"


class RealWorld:
    """The GPUs of this computer. After a process could not use them, no other one starts.

    worker: forks a process for each answer, which starts CUDA.
    turn: the descriptor of a file that all judges of a run share. Who locks it has all GPUs.
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
        failed = isinstance(report.outcome, Failed | Raised | TimedOut)
        if outcome_name(report.outcome) in (KEPT, BY_CHANCE):  # it depends on earlier cases
            failed = False
        cases = known.fitting(
            len(self._names), () if place and not place.drawn else hidden[check.exercise]
        )
        return [
            (number, case)
            for number, case in cases.items()
            if needed(known.observer, case)
            and (report.passed or (failed and place and place.number == number))
        ]


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
            passing, failing = (_VIRTUAL, gpus) if report.passed else (gpus, _VIRTUAL)
            there, right = map(on_a_line, facts_of(outcome or report.outcome))
            return same, (
                f"its results on virtual and real GPUs differ: case {number} ({case.title}) "
                f"passes on {passing}, with {right}; on {failing} it gets {there}"
            )
    return len(cases), ""
