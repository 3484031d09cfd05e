"""What `course doctor` says of one thing, which any package may look at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MachineCheck:
    """One thing the machine has or lacks.

    essential: without it the lessons do not run.
    means, advice: for a lack, what follows from it and what to do.
    """

    name: str
    present: bool
    detail: str
    means: str = ""
    advice: str = ""
    essential: bool = False
