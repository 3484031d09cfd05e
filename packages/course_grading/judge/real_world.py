"""The world of real GPUs: there, answers also meet the cases that fit, after virtual GPUs decided.

Real GPUs never decide. What passes in one world and not in the other is held. A fault of this world
is only named in the report: no GPU, no memory left, a GPU that is lost, a process that ends.
"""

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from dataclasses import replace

from course_grading.job import Check, CodeCell, Job
from course_grading.judge.passes import check_alone, judge_of
from course_grading.judge.worker import WorkerFault, WorkerHandle
from course_grading.protocol import ProtocolError
from course_grading.results import Worlds, on_a_line
from course_utils.checking.real_gpu import trouble_of
from course_utils.words import counted
from exercise_kit.contract import Case
from exercise_kit.fitting import needed
from exercise_kit.outcomes import CouldNotGrade, Failed, Raised, Report, TimedOut, facts_of

Drawn = Sequence[tuple[int, Case]]
_DIFFERS = "virtual and real GPUs differ: {0} passes on {1}, with {4}; on {2} it gets {3}"
_AS_MANY = "from course_utils.devices import lab\nlab({})\n"


class RealWorld:
    """The GPUs of this computer. After a process could not use them, no other one starts.

    worker: forks a process for each answer, which starts CUDA. virtual: the one with virtual GPUs.
    turn: the descriptor of a file that all judges of a run share. Who locks it has all GPUs.
    """

    def __init__(self, worker: WorkerHandle, virtual: WorkerHandle, turn: int) -> None:
        self.worker, self._virtual, self._turn = worker, virtual, turn
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

    def compared(self, job: Job, check: Check, report: Report, drawn: Drawn) -> Worlds:
        """What an answer does here, as far as its cases fit. report: of virtual GPUs.

        A wrong answer meets only the case that it got wrong there. What as many virtual GPUs show
        as well is no difference between the worlds, but between machines of different size.
        """
        count, kinds = len(self._names), ", ".join(dict.fromkeys(self._names))
        gpus = f"{counted(count, 'real GPU')} ({kinds})" if kinds else "real GPUs"
        cases = self._fitting(check, report, drawn)
        if not cases:
            return Worlds(gpus=gpus, trouble=self._trouble)
        there = Report(check.exercise, CouldNotGrade(""))
        with self._alone():
            there = check_alone(job, check, self.worker, ((), cases))
        self.worker.told.clear()  # virtual GPUs have told the same
        if trouble := self._trouble or _trouble(there):
            return Worlds(gpus=gpus, trouble=trouble)
        difference, told = "", [*self._virtual.told]
        if there.passed != report.passed:
            first = CodeCell(_AS_MANY.format(count), solution=check.answer)
            as_many = replace(job, steps=(first, *job.steps))
            again = check_alone(as_many, check, self._virtual, ((), cases))
            self._virtual.told[:] = told
            if again.passed == report.passed:
                difference = _difference(report, there, gpus)
        return Worlds(real=len(cases), gpus=gpus, difference=difference)

    def _fitting(self, check: Check, report: Report, drawn: Drawn) -> list[tuple[int, Case]]:
        """The cases that an answer meets here, on GPUs numbered from 0, with their numbers."""
        known, place = judge_of(check.exercise).exercise, report.place
        wrong = isinstance(report.outcome, Failed | Raised | TimedOut) and place and place.number
        drawn = () if place and not place.drawn else drawn
        return [
            (number, case)
            for number, case in known.fitting(len(self._names), drawn).items()
            if needed(known.observer, case) and (report.passed or number == wrong)
        ]


def _trouble(there: Report) -> str:
    """Why a result on real GPUs says nothing about the answer, or ""."""
    if isinstance(there.outcome, CouldNotGrade):
        return there.outcome.reason
    if isinstance(there.outcome, TimedOut):
        return "a case was too slow"
    seen, right = facts_of(there.outcome)
    return trouble_of({"raise": [seen.partition(":")[0], seen]} if right == "no exception" else {})


def _difference(report: Report, there: Report, gpus: str) -> str:
    """The facts of both worlds, in the case that passes in one of them."""
    worlds = ("virtual GPUs", gpus) if report.passed else (gpus, "virtual GPUs")
    failed = there if report.passed else report
    place = failed.place
    case = f"case {place.number} ({place.title})" if place else "the function"
    return _DIFFERS.format(case, *worlds, *map(on_a_line, facts_of(failed.outcome)))
