"""The exercise contract: cases and judge on one side, observer on the other.

An `Observer` runs in the process of the learner's code and reports facts. A `Judge` draws the cases
and decides by the facts. It never gets an object of the learner. Facts are JSON, so both sides can
run in different processes.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

CONTRACT = 1
"""The version of this contract. An exercise may say `contract = 1` in its cases.py."""

Facts = Mapping[str, Any]
"""The facts that an observer recorded: JSON values only (see `exercise_kit.facts.describe`)."""


class Rival(NamedTuple):
    """The wrong fact of a known wrong answer, in the first case that it gets wrong.

    finding: the name of the mistake. fact: the name of the fact that differs. value: its value.
    """

    finding: str
    fact: str
    value: Any


@dataclass(frozen=True)
class Case:
    """One input of an exercise.

    title: the situation in words, without drawn values ("a tuple inside a dict").
    data: everything that the observer needs, as JSON values.
    right: the facts of the exercise's own answer; None if a manually written judge decides.
    rivals: the wrong facts of wrong answers, in the order in which they explain a difference.
    """

    title: str
    data: Mapping[str, Any]
    right: Facts | None = None
    rivals: Sequence[Rival] = ()


@dataclass(frozen=True)
class Finding:
    """A named mistake that a case revealed.

    name: a heading of the exercise's words.md, or of the general one ("result-not-kept").
    seen, expected: short excerpts of the actual and of the right value.
    """

    name: str
    seen: str
    expected: str


@dataclass(frozen=True)
class Raise:
    """An exception that left the learner's function.

    known: whether its type is defined by Python or torch, so the answer did not choose its name.
    where: the line of the learner's code, as "line 3: `return a + b`", or "" if unknown.
    """

    type: str
    text: str
    where: str
    known: bool = True

    def __str__(self) -> str:
        return f"{self.type}: {self.text}" if self.text else self.type


class NotFit(Exception):
    """Raised by an observer for an answer that cannot be judged; the finding says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.seen)
        self.finding = finding


class Observer(ABC):
    """Calls an answer with the input of a case and reports facts."""

    parameters: tuple[str, ...] = ()
    """The names of an answer's parameters, in order.

    In an exercise that is data, they come from the exercise's own answer.
    """

    gpus: int | None = None
    """The number of GPUs that each case needs; 0 for an exercise that can be checked without any.

    None: the number follows from `indices`.
    """

    in_processes: ClassVar[bool] = False
    """True if an answer runs in new processes, so that it keeps nothing from case to case."""

    seconds: float = 5.0
    """The limit for one case, in seconds of processor time."""

    says: str = ""
    """One line on what takes long, for a learner who waits."""

    def indices(self, data: Mapping[str, Any]) -> Collection[int] | None:
        """The indices of the GPUs that a case uses; None: those in its data (`fitting.indices_in`).

        On a machine with fewer GPUs, the strings "cuda:N" of a case are numbered anew. So if an
        index is elsewhere in the data, or has a meaning of its own, return a `range` from 0.
        """
        return None

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The inputs of a case, made from its data, in a form that does not reveal the result.

        Default: a copy of the data.
        """
        return deepcopy(dict(data))

    @abstractmethod
    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts, as JSON values, of one or more calls of `answer` with prepared inputs.

        Must not catch an exception of `answer`.
        """

    def references(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Reference results for a case, as JSON values, from runs without an answer.

        Grading makes them before any answer runs, in a process where no answer runs.
        """
        return {}

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts to be judged, from those of `observe`. This method never gets the answer."""
        return facts


class Raises(NamedTuple):
    """A finding for exceptions of `type` whose text contains `words`.

    when: a function of a case's data that says whether the finding applies; None: always.
    """

    finding: str
    type: str
    words: str = ""
    when: Callable[[Mapping[str, Any]], bool] | None = None


class Judge(ABC):
    """Draws the cases of an exercise and judges facts. It never sees the answer itself."""

    raises: ClassVar[Sequence[Raises]] = ()
    """Findings for exceptions; the first match counts. Other exceptions are shown as they are."""

    @abstractmethod
    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases, drawn from `rng`. Their number and titles must not depend on it.

        Learners see the cases of one fixed draw. Grading draws the same cases again, so hidden
        cases differ only in values, sizes and combinations. A right answer runs only these, and
        the cases that have no drawn values. Therefore the point of a case must not depend on the
        draw.
        """

    @abstractmethod
    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding for these facts; None for the facts of a right answer."""

    def run_of(self, facts: Facts) -> int | None:
        """The number of the diagnosed run, in an exercise where the learner chooses a run."""
        return None

    def guess_of(self, facts: Facts) -> str | None:
        """The fault that a diagnosis names, if it is wrong."""
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding for an exception, if `raises` has one."""
        for finding, kind, words, when in self.raises:
            here = when is None or when(case.data)
            if here and raised.type == kind and words in raised.text:
                said = str(raised).strip().partition("\n")[0]
                # `seen` is shown as code, so it must not contain backticks.
                where = f", in {raised.where.replace('`', '')}" if raised.where else ""
                return Finding(finding, f"{said}{where}", "no exception")
        return None
