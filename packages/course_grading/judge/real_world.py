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
from course_grading.judge.requests import put_case, run_cell
from course_grading.judge.worker import WorkerFault, WorkerHandle
from course_grading.protocol import ProtocolError
from course_grading.results import Worlds, on_a_line
from course_utils.checking.real_gpu import trouble_of
from course_utils.words import counted
from exercise_kit.contract import Case
from exercise_kit.engine import BY_CHANCE, KEPT, judged
from exercise_kit.fitting import needed
from exercise_kit.outcomes import Failed, Raised, Report, TimedOut, facts_of, outcome_name
from exercise_kit.sent import sent

_VIRTUAL = "virtual GPUs"
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

    def compared(self, job: Job, check: Check, report: Report, hidden: Hidden) -> Worlds:
        """What an answer does here, as far as its cases fit. report: of virtual GPUs.

        A wrong answer meets only the case that it got wrong there. What as many virtual GPUs show
        as well is no difference between the worlds, but between machines of different size.
        """
        count, kinds = len(self._names), ", ".join(dict.fromkeys(self._names))
        gpus = f"{counted(count, 'real GPU')} ({kinds})" if kinds else "real GPUs"
        known = job, check, report, self._fitting(check, report, hidden), gpus
        found = Worlds()
        if known[3]:
            with self._alone():
                found = _met(self.worker, "", *known)
        if found.difference:
            told = [*self._virtual.told]
            if _met(self._virtual, _AS_MANY.format(count), *known).difference:
                found = replace(found, difference="")
            self._virtual.told[:] = told
        self.worker.told.clear()  # virtual GPUs have told the same
        return replace(found, gpus=gpus, trouble=found.trouble or self._trouble)

    def _fitting(self, check: Check, report: Report, hidden: Hidden) -> list[tuple[int, Case]]:
        """The cases that an answer meets here, on GPUs numbered from 0, with their numbers."""
        known, place = judge_of(check.exercise).exercise, report.place
        wrong = isinstance(report.outcome, Failed | Raised | TimedOut)
        if outcome_name(report.outcome) in (KEPT, BY_CHANCE):  # it depends on earlier cases
            wrong = False
        drawn = () if place and not place.drawn else hidden[check.exercise]
        return [
            (number, case)
            for number, case in known.fitting(len(self._names), drawn).items()
            if needed(known.observer, case)
            and (report.passed or (wrong and place and place.number == number))
        ]


def _met(
    worker: WorkerHandle,
    first: str,
    job: Job,
    check: Check,
    report: Report,
    cases: Sequence[tuple[int, Case]],
    gpus: str,
) -> Worlds:
    """The number of cases with the same outcome as in `report`, and the difference of the next one.

    They run in a new process of `worker`, which begins with the lines of `first`.
    """
    with worker.submission(job.files) as pipe:
        try:
            run_cell(pipe, {"do": "run", "source": first, "definitions": False}, worker.times)
            run_alone(pipe, job, check, worker.times)
            seconds = take_answer(pipe, check, worker.times.patience)
            if seconds is None:
                return Worlds(trouble="the answer cannot be defined without other cells")
            for same, (number, case) in enumerate(cases):
                seen = put_case(pipe, case, seconds, worker.times.patience)
                if seen is None or (why := trouble_of(sent(seen))):
                    return Worlds(real=same, trouble=why)
                outcome = judged(judge_of(check.exercise), case, seen)
                if (outcome is None) != report.passed:
                    passing, failing = (_VIRTUAL, gpus) if report.passed else (gpus, _VIRTUAL)
                    there, right = map(on_a_line, facts_of(outcome or report.outcome))
                    return Worlds(
                        real=same,
                        difference="its results on virtual and real GPUs differ: "
                        f"case {number} ({case.title}) passes on {passing}, with {right}; "
                        f"on {failing} it gets {there}",
                    )
        except Exception as fault:  # of this process or of the judge: it says nothing
            return Worlds(trouble=str(fault))
    return Worlds(real=len(cases))
