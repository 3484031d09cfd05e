"""The exercise contract: cases and judge on one side, observe on the other.

An `Observer` runs beside the learner's code and reports plain facts. A `Judge` draws the cases and
compares the facts with an oracle; it never meets an object that the learner made. Facts cross from
one to the other as JSON, so both sides may live in different processes.
"""

import copy
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

Facts = Mapping[str, Any]
"""What an observer saw: JSON values only (see `course_utils.checking.facts.describe`)."""


@dataclass(frozen=True)
class Case:
    """One input of an exercise.

    title: the situation in words, without a value that was drawn ("a tuple inside a dict").
    data: everything that the observer needs, as JSON values.
    """

    title: str
    data: Mapping[str, Any]


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


class Observer(ABC):
    """Calls an answer with the input of a case and reports what happened."""

    parameters: tuple[str, ...]
    """The names of the parameters that an answer takes, in order."""

    needs_devices: ClassVar[bool] = True
    """False for an exercise that can be checked without any GPU, real or virtual."""

    seconds: float = 5.0
    """Limit for one case, in seconds of processor time."""

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The inputs of a case, made afresh from its data, in a form that gives no recipe away.

        By default a copy of the data.
        """
        return copy.deepcopy(dict(data))

    @abstractmethod
    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """Call `answer` once or more, on what `prepare` made, and report facts as JSON values.

        An exception raised by `answer` is left to pass through.
        """


class Raises(NamedTuple):
    """Exceptions that mean a finding: those of `type` whose text contains `words`."""

    finding: str
    type: str
    words: str = ""


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

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The misconception behind an exception, if it has a name here."""
        for finding, kind, words in self.raises:
            if raised.type == kind and words in raised.text:
                return Finding(finding, str(raised), "no exception")
        return None
