"""What can come of checking an answer. One type for each."""

from dataclasses import dataclass

from exercise_kit.contract import Finding, Raise


@dataclass(frozen=True)
class Passed:
    """Every case passed, and so did `drawn` of them once more, with other values.

    drawn: None if nobody asked for other values.
    """

    cases: int
    drawn: int | None = None


@dataclass(frozen=True)
class Failed:
    """A case brought a finding to light."""

    finding: Finding


NEVER_CALLED = frozenset({"not-a-function", "wrong-parameters"})
"""Findings about the function itself: no case was put to it."""


@dataclass(frozen=True)
class NotAttempted:
    """The answer is still the stub."""


@dataclass(frozen=True)
class Raised:
    """The learner's own code raised an exception that has no finding of its own."""

    raised: Raise


@dataclass(frozen=True)
class TimedOut:
    """A case did not end within `seconds`: of processor time or, if `waiting`, on the clock."""

    seconds: float
    waiting: bool = False


@dataclass(frozen=True)
class CouldNotGrade:
    """The check itself failed. This is never the learner's fault, and never a zero."""

    reason: str


Outcome = Passed | Failed | NotAttempted | Raised | TimedOut | CouldNotGrade


def outcome_name(outcome: Outcome) -> str:
    """What came of an answer, in a word: that of the corpus, or the name of the finding."""
    match outcome:
        case Passed():
            return "passed"
        case Failed(finding):
            return finding.name
        case NotAttempted():
            return "not-attempted"
        case Raised():
            return "raised"
        case TimedOut():
            return "timed-out"
        case CouldNotGrade():
            return "could-not-grade"


@dataclass(frozen=True)
class Place:
    """The case in which a check stopped.

    number, of: counted from 1.
    title: the situation in words.
    drawn: whether its values were drawn from a seed, so that it is none of the public cases.
    """

    number: int
    of: int
    title: str
    drawn: bool = False


@dataclass(frozen=True)
class Report:
    """The outcome of checking one answer.

    place: where the check stopped; None if it passed.
    run: the number that the learner chose, where an exercise is about a run.
    guess: what was taken for the fault of that run, where it is not its fault.
    """

    exercise: str
    outcome: Outcome
    place: Place | None = None
    run: int | None = None
    guess: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the answer passed every case."""
        return isinstance(self.outcome, Passed)
