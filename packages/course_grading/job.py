"""The input of a judge: a notebook as a list of code cells, and its other files.

This module does not import nbformat, so a judge starts without it (`run/course.py` makes the jobs).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from course_grading.sandbox import Level, Limits


@dataclass(frozen=True)
class Check:
    """The check of a test cell. answer: the name of the function that it checks."""

    exercise: str
    answer: str
    points: float


@dataclass(frozen=True)
class CodeCell:
    """A code cell.

    solution: its grade_id if it is a solution cell, else "".
    own: the name of the instructor's own question that it tests or answers, else "".
    """

    source: str
    solution: str = ""
    check: Check | None = None
    own: str = ""


@dataclass(frozen=True)
class Job:
    """A submission, ready to be graded.

    held: exercise, or grade_id of an own question → the reason why it is not judged.
    files: path → content of the submitted files in addition to the notebook.
    more: the steps of each further notebook of the assignment, which runs in a new process.
    """

    student: str
    assignment: str
    steps: tuple[CodeCell, ...]
    held: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    more: tuple[tuple[CodeCell, ...], ...] = ()

    @property
    def notebooks(self) -> tuple[tuple[CodeCell, ...], ...]:
        """The steps of each notebook."""
        return (self.steps, *self.more)

    def asks(self, step: CodeCell) -> bool:
        """Whether a step is an own question that is not held."""
        return step.own not in ("", *self.held)


@dataclass(frozen=True)
class TimeLimits:
    """The time limits of a submission.

    cell: seconds of processor time for a cell.
    patience: factor on the wall-clock limit of `exercise_kit.limits.wall_limit`.
    letting_go: seconds between the end of a submission and the kill of its process.
    """

    cell: float = 10.0
    patience: float = 1.0
    letting_go: float = 20.0


@dataclass(frozen=True)
class GradingSettings:
    """The settings for all submissions of a run.

    hidden: the hidden cases (`hidden.py`).
    real: the first lines of Python of a process with real GPUs; None: virtual GPUs only.
    """

    hidden: str
    level: Level
    limits: Limits = field(default_factory=Limits)
    times: TimeLimits = field(default_factory=TimeLimits)
    real: str | None = None

    def in_both_worlds(self) -> "GradingSettings":
        """The same settings, with the computer's own GPUs as well, as far as a user chose them."""
        from course_utils.checking import real_gpu  # both import torch: not needed without GPUs
        from course_utils.experiments.children import VISIBLE

        chosen = "" if VISIBLE is None else f"os.environ['CUDA_VISIBLE_DEVICES'] = {VISIBLE!r}\n"
        return replace(self, real=f"import os\n{chosen}{real_gpu.COMPUTER.setup}")
