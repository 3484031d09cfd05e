"""What is handed to a judge: a notebook as the steps that a worker takes, and its other files.

It knows nothing of notebooks, so that a judge needs not load what reads them (`run/course.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from course_grading.sandbox import Level, Limits, gpus


@dataclass(frozen=True)
class Check:
    """A test cell: `answer` is the name of the function that it checks."""

    exercise: str
    answer: str
    points: float


@dataclass(frozen=True)
class CodeCell:
    """A code cell. solution: its grade_id if it is an answer's, else ""."""

    source: str
    solution: str = ""
    check: Check | None = None


@dataclass(frozen=True)
class Job:
    """A submission, ready to be graded.

    held: why, for each exercise that is not to be judged.
    files: what was handed in beside the notebook, by its path.
    outputs: whether its cells are to be run once more, by themselves, for what they put out.
    """

    student: str
    assignment: str
    steps: tuple[CodeCell, ...]
    held: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    outputs: bool = False


@dataclass(frozen=True)
class TimeLimits:
    """How long is waited for a submission.

    cell: seconds of processor time for a cell.
    patience: how many times as long as `exercise_kit.limits.wall_limit` says is waited for code
        that waits itself.
    letting_go: seconds until a process that was let go is killed.
    """

    cell: float = 10.0
    patience: float = 1.0
    letting_go: float = 20.0


@dataclass(frozen=True)
class GradingSettings:
    """What every submission of a run is graded with.

    hidden: its hidden cases (`hidden.py`). real: whether on the computer's own GPUs.
    """

    assignment: str
    hidden: str
    level: Level
    limits: Limits = field(default_factory=Limits)
    times: TimeLimits = field(default_factory=TimeLimits)
    real: bool = False

    def on_real_gpus(self) -> "GradingSettings":
        """The same on the computer's own GPUs.

        One worker at a time has all of them, so that no submission takes another's memory.
        """
        return replace(self, real=True, limits=replace(self.limits, memory=gpus.MEMORY))
