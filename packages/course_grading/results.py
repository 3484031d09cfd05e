"""The results of grading a submission, as plain data that is sent between processes as JSON."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from course_grading.protocol import parse_json

Kind = Literal[
    "passed",
    "finding",
    "raised",
    "timed-out",
    "died",
    "not-attempted",
    "held",
    "failed",  # a test of the instructor's own
    "partial",
    "manual",  # it waits for a person, as the instructor decided
]


@dataclass(frozen=True)
class Worlds:
    """Where the cases of an answer ran.

    virtual: their number on virtual GPUs; 0 in an exercise without GPUs.
    real: the number of those that gave the same on real GPUs. gpus: these GPUs in words, or "".
    trouble: why the others that fit did not run there, or "".
    difference: what passes in one world and not in the other, or "".
    """

    virtual: int = 0
    real: int = 0
    gpus: str = ""
    trouble: str = ""
    difference: str = ""


@dataclass(frozen=True)
class Verdict:
    """The result of one exercise.

    exercise: its name, as in "tensors.move_batch"; of an own question its grade_id.
    points: None if it is held, so that no score is known.
    finding: the name of the finding, if `kind` is "finding".
    text, html: the message for the student, without values of a hidden case.
    why: for the instructor, the reason why it is held or how its process died; one sentence.
    run: the number that the student chose, in an exercise about a run.
    worlds: where its cases ran.
    """

    exercise: str
    kind: Kind
    points: float | None
    max_points: float
    finding: str = ""
    text: str = ""
    html: str = ""
    why: str = ""
    run: int | None = None
    worlds: Worlds = Worlds()

    @property
    def own(self) -> bool:
        """Whether it is a question of the instructor's own."""
        return "/" in self.exercise or "." not in self.exercise


@dataclass(frozen=True)
class CellRun:
    """The run of a cell in the submission's process.

    outputs: as a notebook saves them. error: the name of the exception that ended it, or "".
    system: whether this was an error of the system, as for a missing file or network.
    ended: why it did not run: the reason why the process had ended before; or "".
    above: the last cell before it that ended with an error, as in "the answer f ended with …".
    """

    outputs: list[dict[str, Any]]
    error: str = ""
    system: bool = False
    ended: str = ""
    above: str = ""


@dataclass(frozen=True)
class Flag:
    """A line that may attack the checker. A flag never changes a grade.

    cell: the grade_id of the cell, its number as "cell 7" if it has none, or the name of a file.
    """

    cell: str
    line: int
    source: str
    why: str


_LONGEST_LINE = 160


def on_a_line(text: str) -> str:
    """`text` on one line, clipped, with spaces for characters that cannot be printed."""
    text = "".join(sign if sign.isprintable() else " " for sign in text.strip())
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"


@dataclass(frozen=True)
class ProcessorSeconds:
    """Seconds of processor time of worker, judge and coordinator."""

    worker: float = 0.0
    judge: float = 0.0
    coordinator: float = 0.0


@dataclass(frozen=True)
class Graded:
    """The result of one submission.

    repaired: sentences about repairs of the notebook before it was graded.
    runs: own question → the run of its cell. Its verdict is made from this (own_questions.py).
    """

    student: str
    assignment: str
    verdicts: tuple[Verdict, ...]
    repaired: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    spent: ProcessorSeconds = field(default_factory=ProcessorSeconds)
    runs: Mapping[str, CellRun] = field(default_factory=dict)

    @property
    def held(self) -> tuple[Verdict, ...]:
        """The verdicts that wait for a person, except questions that always do."""
        return tuple(v for v in self.verdicts if v.points is None and v.kind != "manual")

    @property
    def points(self) -> float | None:
        """The sum of the points; None while a point is not given."""
        points = [each.points for each in self.verdicts]
        return None if None in points else sum(each or 0.0 for each in points)

    @property
    def max_points(self) -> float:
        """The sum of the points of all checks."""
        return sum(each.max_points for each in self.verdicts)

    def with_points(self, points: Mapping[str, float | None]) -> "Graded":
        """A copy with these points, by exercise."""
        found = (
            dataclasses.replace(each, points=points.get(each.exercise, each.points))
            for each in self.verdicts
        )
        return dataclasses.replace(self, verdicts=tuple(found))

    def to_json(self) -> str:
        """The result as JSON."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Graded":
        """The result from the text of `to_json`. Raises ValueError for any other text."""
        return _GRADED.validate_python(parse_json(text))


@dataclass(frozen=True)
class Saved:
    """The gradebook's entry of a submission, with points from grading and from people.

    points: by exercise; None if no score is known. penalty: points off for late submission.
    by_hand: the exercises whose points a person gave. anew: the exercises of these that were graded
        again since then.
    """

    points: Mapping[str, float | None]
    penalty: float = 0.0
    by_hand: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()


_GRADED = TypeAdapter(Graded)
