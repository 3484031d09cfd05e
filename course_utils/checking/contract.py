"""The exercise contract: cases and judge on one side, observe on the other.

An `Observer` runs beside the learner's code and reports plain facts. A `Judge` draws the cases and
compares the facts with an oracle; it never meets an object that the learner made. Facts cross from
one to the other as JSON, so both sides may live in different processes.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

Facts = Mapping[str, Any]
"""What an observer saw: JSON values only (see `course_utils.checking.facts.describe`)."""


@dataclass(frozen=True)
class Case:
    """One input of an exercise, as plain JSON data.

    title: what a learner reads, for a public case ("a tuple of two tensors").
    separates: the misconception it separates, in words that give no value away; it is what is
        said of a hidden case ("containers inside containers").
    data: everything `observe` needs, as JSON values.
    hidden: True for a case that only runs at grading.
    """

    title: str
    separates: str
    data: Mapping[str, Any]
    hidden: bool = False


@dataclass(frozen=True)
class FindingKind:
    """A named misconception. Its texts are fixed: only a `Finding` carries values.

    name: kebab-case, named in the first line of a wrong answer ("result-not-kept").
    title: half a sentence after "Not yet:" ("the batch stayed where it was").
    explanation: one or two sentences on why.
    next_step: one thing to try now.
    """

    name: str
    title: str
    explanation: str
    next_step: str

    def found(self, seen: str, expected: str) -> "Finding":
        """This misconception, seen in a case. `seen` and `expected` are short excerpts."""
        return Finding(self, seen, expected)


@dataclass(frozen=True)
class Finding:
    """A misconception that a case brought to light, with what was seen and what was expected."""

    kind: FindingKind
    seen: str
    expected: str


@dataclass(frozen=True)
class Raise:
    """An exception that left the learner's function.

    where: the line of the learner's own code, as "line 3: `return a + b`", or "" if unknown.
    """

    type: str
    text: str
    where: str


class Observer(ABC):
    """Calls an answer with the input of a case and reports what happened."""

    name: ClassVar[str]
    """The exercise's full name, e.g. "tensors.move_batch"."""

    parameters: ClassVar[tuple[str, ...]]
    """The names of the parameters that an answer takes, in order."""

    needs_devices: ClassVar[bool] = True
    """False for an exercise that can be checked without any GPU, real or virtual."""

    seconds: ClassVar[float] = 5.0
    """Wall-clock limit for one case."""

    @abstractmethod
    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        """Call `answer` once or more, on inputs made afresh from `data`, and report facts.

        An exception raised by `answer` is left to pass through. Facts are JSON values.
        """


class Judge(ABC):
    """Draws the cases of an exercise and judges facts. It never sees the answer itself."""

    name: ClassVar[str]
    findings: ClassVar[tuple[FindingKind, ...]]
    """Every finding that this judge can return."""

    hints: ClassVar[tuple[str, ...]]
    """Markdown, from a nudge to a worked example of something similar. Never the answer."""

    @abstractmethod
    def cases(self, rng: random.Random) -> Sequence[Case]:
        """Public and hidden cases, drawn from `rng`. Public ones come first.

        The number of cases, which of them are public and their titles must not depend on `rng`.
        """

    @abstractmethod
    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """None if the facts are those of a right answer, else the misconception they show."""

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The misconception behind an exception, if it has a name here.

        By default none has, and the learner is shown their own exception.
        """
        return None
