"""The exercise contract: cases and judge on one side, observe on the other.

An `Observer` runs beside the learner's code and reports plain facts. A `Judge` draws the cases and
decides by the facts; it never meets an object that the learner made. Facts cross from one to the
other as JSON, so both sides may live in different processes.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

CONTRACT = 1
"""The version of this contract. An exercise may say `contract = 1` in its cases.py."""

Facts = Mapping[str, Any]
"""What an observer saw: JSON values only (see `exercise_kit.facts.describe`)."""


class Rival(NamedTuple):
    """What a known wrong answer does in the first case that it gets wrong.

    finding: the misconception. fact: the name of the fact that differs. value: what it is instead.
    """

    finding: str
    fact: str
    value: Any


@dataclass(frozen=True)
class Case:
    """One input of an exercise.

    title: the situation in words, without a value that was drawn ("a tuple inside a dict").
    data: everything that the observer needs, as JSON values.
    right: the facts of the exercise's own answer; None where a handwritten judge knows them.
    rivals: what wrong answers do here, in the order in which they explain.
    """

    title: str
    data: Mapping[str, Any]
    right: Facts | None = None
    rivals: Sequence[Rival] = ()


@dataclass(frozen=True)
class Finding:
    """A misconception that a case brought to light.

    name: a heading of the exercise's words.md, or of the general ones ("result-not-kept").
    seen, expected: short excerpts of what came back, and of what should have.
    """

    name: str
    seen: str
    expected: str


@dataclass(frozen=True)
class Raise:
    """An exception that left the learner's function.

    known: whether its type is Python's or torch's own, so that its name is not the answer's word.
    where: the line of the learner's own code, as "line 3: `return a + b`", or "" if unknown.
    """

    type: str
    text: str
    where: str
    known: bool = True

    def __str__(self) -> str:
        return f"{self.type}: {self.text}" if self.text else self.type


class NotFit(Exception):
    """Raised beside an answer that is none to be judged; the finding says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.seen)
        self.finding = finding


class Observer(ABC):
    """Calls an answer with the input of a case and reports what happened."""

    parameters: tuple[str, ...] = ()
    """The names of the parameters that an answer takes, in order.

    Where the exercise's own answer says what is right, it says this as well.
    """

    needs_devices: ClassVar[bool] = True
    """False for an exercise that can be checked without any GPU, real or virtual."""

    in_processes: ClassVar[bool] = False
    """True where an answer is run in new processes, so that it keeps nothing from case to case."""

    seconds: float = 5.0
    """Limit for one case, in seconds of processor time."""

    says: str = ""
    """What takes long, in a line, for a learner who waits for it."""

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The inputs of a case, made afresh from its data, in a form that gives no recipe away.

        By default a copy of the data.
        """
        return deepcopy(dict(data))

    @abstractmethod
    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """Call `answer` once or more, on what `prepare` made, and report facts as JSON values.

        An exception raised by `answer` is left to pass through.
        """

    def references(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the facts of a case are to be told by, as JSON values: of runs without an answer.

        Grading has them made before any answer runs, and where none does.
        """
        return {}

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts to be judged, of those that `observe` reported. It never meets the answer."""
        return facts

    def apart(self, data: Mapping[str, Any], facts: Facts) -> Iterable[tuple[Any, Facts]]:
        """Where one process plays several: for each of them, what is put to it alone, as data of a
        case, and what it reports then if it knows nothing of the others. Grading has it put."""
        return ()


class Raises(NamedTuple):
    """Exceptions that mean a finding: those of `type` whose text contains `words`.

    when: of the data of a case, whether they mean it there; None for everywhere.
    """

    finding: str
    type: str
    words: str = ""
    when: Callable[[Mapping[str, Any]], bool] | None = None


class Judge(ABC):
    """Draws the cases of an exercise and judges facts. It never sees the answer itself."""

    raises: ClassVar[Sequence[Raises]] = ()
    """What exceptions mean, the first that fits; any other one is shown as it is."""

    @abstractmethod
    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases, drawn from `rng`; their number and titles do not depend on it.

        Learners see the cases of one fixed draw. Grading draws them once more, so that hidden
        cases differ in values, sizes and combinations only. What decides between right and wrong
        must therefore stand in the case itself and not be left to the draw.
        """

    @abstractmethod
    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """None if the facts are those of a right answer, else the misconception they show."""

    def run_of(self, facts: Facts) -> int | None:
        """The number of the run that a diagnosis is about, where the learner chooses one."""
        return None

    def guess_of(self, facts: Facts) -> str | None:
        """What such a diagnosis takes for the fault, where that is wrong."""
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The misconception behind an exception, if it has a name here."""
        for finding, kind, words, when in self.raises:
            here = when is None or when(case.data)
            if here and raised.type == kind and words in raised.text:
                said = str(raised).strip().partition("\n")[0]
                # Seen is shown as code, so it has no code of its own.
                where = f", in {raised.where.replace('`', '')}" if raised.where else ""
                return Finding(finding, f"{said}{where}", "no exception")
        return None
