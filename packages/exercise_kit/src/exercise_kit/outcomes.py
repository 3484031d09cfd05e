"""The outcomes of a check, one class for each."""

from dataclasses import dataclass

from exercise_kit.contract import Finding, Raise


@dataclass(frozen=True)
class Passed:
    """Every case passed.

    drawn: the number of hidden cases that passed as well; None if none were requested.
    """

    cases: int
    drawn: int | None = None


@dataclass(frozen=True)
class Failed:
    """A case revealed a mistake."""

    finding: Finding


NEVER_CALLED = frozenset({"not-a-function", "wrong-parameters"})
"""Findings about the function itself, which was not called."""


@dataclass(frozen=True)
class NotAttempted:
    """The answer is still the stub."""


@dataclass(frozen=True)
class Raised:
    """The learner's own code raised an exception that has no finding of its own."""

    raised: Raise


@dataclass(frozen=True)
class TimedOut:
    """A case exceeded `seconds` of processor time or, if `waiting`, of wall-clock time."""

    seconds: float
    waiting: bool = False


@dataclass(frozen=True)
class CouldNotGrade:
    """The check itself failed. This is never the learner's fault, and never a zero."""

    reason: str


Outcome = Passed | Failed | NotAttempted | Raised | TimedOut | CouldNotGrade


def outcome_name(outcome: Outcome) -> str:
    """The name of an outcome, as in the corpus, or the name of the finding."""
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


def facts_of(outcome: Outcome) -> tuple[str, str]:
    """An excerpt of what an answer did in the case that it failed, and of what is right there."""
    match outcome:
        case Failed(finding):
            return finding.seen, finding.expected
        case Raised(raised):
            return str(raised), "no exception"
    return outcome_name(outcome), "a result"


@dataclass(frozen=True)
class Place:
    """The case in which a check stopped.

    number: of the case, from 1. of: the number of cases.
    title: the situation in words.
    drawn: whether it is a hidden case, with values drawn from a seed.
    """

    number: int
    of: int
    title: str
    drawn: bool = False


@dataclass(frozen=True)
class Report:
    """The result of checking one answer.

    place: the case where the check stopped; None if it passed.
    run: the number that the learner chose, in an exercise about a run.
    guess: the fault that the answer names in this run, if it is wrong.
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
