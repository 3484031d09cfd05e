"""`call_map`: which calls answer while CUDA is off, and which of them start it."""

from collections.abc import Sequence

from course_utils.experiments.starting import Answer
from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    shortened,
    write,
)

ROW, TOP, GAP = 0.3, 1.12, 0.2
COLUMN = (WIDTH - 2 * 0.2 - GAP) / 2
SIDES = (("CUDA stays off", "#eef1f4", "-"), ("CUDA starts", "#f7dfb5", "--"))


def call_map(tried: Sequence[Answer], *, title: str) -> Picture:
    """Draw the calls in two columns: those after which CUDA is still off, and the others."""
    sides = [[one for one in tried if one.starts == starts] for starts in (False, True)]
    tall = max(map(len, sides)) * ROW + 0.16
    figure, axes = sheet(TOP + tall + 0.2, title)
    for number, ((head, fill, line), column) in enumerate(zip(SIDES, sides, strict=True)):
        left = 0.2 + number * (COLUMN + GAP)
        write(axes, left + 0.05, 0.78, head, weight="bold")
        box(axes, left, TOP - 0.12, COLUMN, tall, fill=fill, edge=INK, line=line)
        for row, one in enumerate(column):
            level = TOP + (row + 0.5) * ROW - 0.04
            box(axes, left + 0.08, level - 0.12, 2.0, 0.24, fill=PANEL, round_=0.05)
            write(axes, left + 0.14, level, shortened(_name(one), 26), family=MONO, size=8.5)
            write(axes, left + 2.16, level, shortened(one.gave, 21), size=SMALL,
                  color=QUIET if one.gave == "None" else INK)  # fmt: skip
    return Picture(figure, _describe(sides, title))


def _name(one: Answer) -> str:
    return one.call.removeprefix("torch.cuda.")


def _describe(sides: Sequence[Sequence[Answer]], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Calls of torch and what they answer, {title!r}."]
    for (head, *_), column in zip(SIDES, sides, strict=True):
        calls = listed(f"{_name(one)} gives {one.gave}" for one in column) if column else "none"
        parts.append(f"{head}: {calls}.")
    return " ".join(parts)
