"""A result of `course doctor`; any package may add checks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MachineCheck:
    """The result of a check: whether the computer has one thing that the course uses.

    essential: without it the lessons do not run.
    means, advice: if it is missing, the consequence and what to do.
    """

    name: str
    present: bool
    detail: str
    means: str = ""
    advice: str = ""
    essential: bool = False
