"""`call_map`: which calls answer while CUDA is off, which start it, and which spoil a fork."""

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
from course_utils.figures.timelines import bar, legend

ROW, TOP, GAP = 0.3, 1.12, 0.2
CALL, MARK, LETTER = 2.0, 0.16, 0.058
"""Inches: the box of a call, the mark in it, and a letter of an answer."""
COLUMNS = (2.8, WIDTH - 2 * 0.2 - GAP - 2.8)
"""The calls that start nothing have the short answers."""
SIDES = (
    ("PyTorch has not started CUDA", "#eef1f4", "-"),
    ("PyTorch has started CUDA", "#f7dfb5", "--"),
)
SPOILS_FORK = ("#8c959f", "xxx")


def call_map(tried: Sequence[Answer], *, title: str) -> Picture:
    """Draw the calls in two columns: those after which CUDA is still off, and the others.

    A mark shows after which of them a forked child cannot use CUDA.
    """
    sides = [[one for one in tried if one.starts == starts] for starts in (False, True)]
    tall = max(map(len, sides)) * ROW + 0.16
    figure, axes = sheet(TOP + tall + 0.5, title)
    left = 0.2
    for (head, fill, line), column, width in zip(SIDES, sides, COLUMNS, strict=True):
        write(axes, left + 0.05, 0.78, head, weight="bold")
        box(axes, left, TOP - 0.12, width, tall, fill=fill, edge=INK, line=line)
        room = int((width - CALL - 0.2) / LETTER)
        for row, one in enumerate(column):
            level = TOP + (row + 0.5) * ROW - 0.04
            box(axes, left + 0.08, level - 0.12, CALL, 0.24, fill=PANEL, round_=0.05)
            if one.spoils_fork:
                bar(axes, left + 0.08, level - 0.12, MARK, 0.24, SPOILS_FORK)
            write(axes, left + MARK + 0.14, level, shortened(_name(one), 26), family=MONO, size=8.5)
            write(
                axes,
                left + CALL + 0.16,
                level,
                shortened(one.gave, room),
                size=SMALL,
                color=QUIET if one.gave == "None" else INK,
            )
        left += width + GAP
    legend(axes, 0.28, TOP + tall + 0.15, {"children forked later cannot use CUDA": SPOILS_FORK})
    return Picture(figure, _describe(sides, title))


def _name(one: Answer) -> str:
    return one.call.removeprefix("torch.cuda.")


def _describe(sides: Sequence[Sequence[Answer]], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Calls of torch and what they answer, {title!r}."]
    for (head, *_), column in zip(SIDES, sides, strict=True):
        calls = listed(f"{_name(one)} gives {one.gave}" for one in column) if column else "none"
        parts.append(f"{head}: {calls}.")
    spoiling = [_name(one) for column in sides for one in column if one.spoils_fork]
    after = listed(spoiling) if spoiling else "none"
    parts.append(f"Children forked later cannot use CUDA, after: {after}.")
    return " ".join(parts)
