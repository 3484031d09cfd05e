"""What can come of checking an answer. One type for each."""

from dataclasses import dataclass

from course_utils.checking.contract import Finding, Raise


@dataclass(frozen=True)
class Passed:
    """Every case passed. `waiting` hidden cases run only at grading (0 when they were run)."""

    cases: int
    waiting: int


@dataclass(frozen=True)
class Failed:
    """A case brought a finding to light."""

    finding: Finding


@dataclass(frozen=True)
class NotAttempted:
    """The answer is still the stub."""


@dataclass(frozen=True)
class Raised:
    """The learner's own code raised an exception that has no finding of its own."""

    raised: Raise


@dataclass(frozen=True)
class TimedOut:
    """A case did not end within `seconds`."""

    seconds: float


@dataclass(frozen=True)
class CouldNotGrade:
    """The check itself failed. This is never the learner's fault, and never a zero."""

    reason: str


Outcome = Passed | Failed | NotAttempted | Raised | TimedOut | CouldNotGrade


@dataclass(frozen=True)
class Place:
    """The case in which a check stopped.

    number, of: counted from 1, among the public cases or among the hidden ones.
    description: the title of a public case; what a hidden case separates.
    """

    number: int
    of: int
    description: str
    hidden: bool


@dataclass(frozen=True)
class Report:
    """The outcome of checking one answer.

    place: where the check stopped; None if it passed or stopped before the first case.
    printed: the beginning of what the answer printed, for the learner's own eyes.
    """

    exercise: str
    outcome: Outcome
    place: Place | None = None
    printed: str = ""

    @property
    def passed(self) -> bool:
        return isinstance(self.outcome, Passed)
