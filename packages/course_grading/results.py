"""What grading finds out about a submission: plain data that crosses processes as JSON."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from course_grading.protocol import parse_json

Kind = Literal["passed", "finding", "raised", "timed-out", "died", "not-attempted", "held"]
Gpus = Literal["real", "virtual", ""]


@dataclass(frozen=True)
class Verdict:
    """What came of one exercise.

    exercise: its name, as in "tensors.move_batch".
    points: None where it is held, so that no score is known.
    finding: the name of the misconception, where `kind` is "finding".
    text, html: what the student reads; nothing of a hidden case is in it.
    why: for the instructor, why it is held or how its process died; one sentence.
    run: the number that the student chose, where the exercise is about a run.
    gpus: the kind of GPUs that the answer was given; "" where the exercise gives it none.
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
    gpus: Gpus = ""


@dataclass(frozen=True)
class Flag:
    """A line that reaches into the checker. It never changes a grade.

    cell: the grade_id of the cell, its number as "cell 7" where it has none, or the name of a file.
    """

    cell: str
    line: int
    source: str
    why: str


_LONGEST_LINE = 160


def on_a_line(text: str) -> str:
    """`text`, clipped, and without signs that act on whatever shows it."""
    text = "".join(sign if sign.isprintable() else " " for sign in text.strip())
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"


@dataclass(frozen=True)
class ProcessorSeconds:
    """Seconds of processor time, by who spent them."""

    worker: float = 0.0
    judge: float = 0.0
    coordinator: float = 0.0


@dataclass(frozen=True)
class Graded:
    """What came of one submission.

    repaired: what was put right in the notebook before it was graded, in sentences.
    outputs: what its code cells put out in a run of their own, where that was asked for.
    """

    student: str
    assignment: str
    verdicts: tuple[Verdict, ...]
    repaired: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    spent: ProcessorSeconds = field(default_factory=ProcessorSeconds)
    outputs: tuple[list[dict[str, Any]], ...] = ()

    @property
    def held(self) -> tuple[Verdict, ...]:
        """Verdicts that wait for a person."""
        return tuple(each for each in self.verdicts if each.points is None)

    @property
    def points(self) -> float | None:
        """The sum, or None while an exercise is held."""
        return None if self.held else sum(each.points or 0.0 for each in self.verdicts)

    @property
    def max_points(self) -> float:
        """Points that the checks give at most."""
        return sum(each.max_points for each in self.verdicts)

    def with_points(self, points: Mapping[str, float | None]) -> "Graded":
        """The same, with the points of these exercises."""
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
        """Raises ValueError where the text is not that of `to_json`."""
        return _GRADED.validate_python(parse_json(text))


@dataclass(frozen=True)
class Saved:
    """What the gradebook holds of a submission, as grading and people gave it.

    points: by exercise; None where no score is known. penalty: for coming late.
    by_hand: the exercises whose points a person gave; anew: those of them whose submission was
        graded anew since.
    """

    points: Mapping[str, float | None]
    penalty: float = 0.0
    by_hand: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()


_GRADED = TypeAdapter(Graded)
