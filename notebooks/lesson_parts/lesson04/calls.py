"""`answers`: what a call of torch answers, whether it starts CUDA, and what a fork after it can do.

`call_map`: the same as a picture.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child
from course_utils.figures.picture import INK, LINE, MONO, QUIET, SMALL, WIDTH, Picture
from course_utils.words import listed, shortened

ROW, TOP, GAP = 0.3, 1.12, 0.2
CALL, MARK, LETTER = 2.0, 0.16, 0.058
"""Inches: the box of a call, the mark in it, and a letter of an answer."""
SIDES = (
    (False, "PyTorch has not started CUDA", "#eef1f4", "-", 2.8),
    (True, "PyTorch has started CUDA", "#f7dfb5", "--", WIDTH - 2 * 0.2 - GAP - 2.8),
)
"""The calls that start nothing have the short answers, so their column is narrow."""
SPOILS_FORK = (LINE, "xxx")


@dataclass(frozen=True)
class TriedCall:
    """A call, and the `repr` of what it gave (or its error).

    starts: whether CUDA runs afterwards. spoils_fork: whether children that are forked afterwards
    cannot use CUDA.
    """

    call: str
    gave: str
    starts: bool
    spoils_fork: bool


def answers(calls: Sequence[str]) -> list[TriedCall]:
    """Try each of `calls` in a process in which CUDA has not been started.

    Raises CourseError if the processes cannot be made.
    """
    told = run_child(
        f"from course_utils.experiments.in_child import try_calls\ntry_calls({list(calls)})"
    )
    try:
        return [TriedCall(*json.loads(line)) for line in told.splitlines()]
    except (ValueError, TypeError):
        raise CourseError(f"The child process could not try the calls: {told}") from None


def call_map(tried: Sequence[TriedCall], *, title: str) -> Picture:
    """Draw the calls in two columns: those after which CUDA is still off, and the others.

    A mark shows after which of them a forked child cannot use CUDA.
    """
    starting = sum(one.starts for one in tried)
    tall = max(starting, len(tried) - starting) * ROW + 0.16
    page = Picture(TOP + tall + 0.5, title)
    page.tell(f"Calls of torch and what they answer, {title!r}.")
    spoiling, left = [], 0.2
    for starts, head, fill, line, width in SIDES:
        page.write(left + 0.05, 0.78, head, weight="bold")
        page.box(left, TOP - 0.12, width, tall, fill=fill, edge=INK, line=line)
        room = int((width - CALL - 0.2) / LETTER)
        told: list[str] = []
        for one in (one for one in tried if one.starts == starts):
            level, name = TOP + (len(told) + 0.5) * ROW - 0.04, one.call.removeprefix("torch.cuda.")
            page.box(left + 0.08, level - 0.12, CALL, 0.24, round_=0.05)
            if one.spoils_fork:
                page.bar(left + 0.08, level - 0.12, MARK, 0.24, SPOILS_FORK)
                spoiling.append(name)
            page.write(left + MARK + 0.14, level, shortened(name, 26), family=MONO, size=8.5)
            color = QUIET if one.gave == "None" else INK
            page.write(
                left + CALL + 0.16, level, shortened(one.gave, room), size=SMALL, color=color
            )
            told.append(f"{name} gives {one.gave}")
        page.tell(f"{head}: {listed(told or ['none'])}.")
        left += width + GAP
    page.legend(0.28, TOP + tall + 0.15, {"children forked later cannot use CUDA": SPOILS_FORK})
    page.tell(f"Children forked later cannot use CUDA, after: {listed(spoiling or ['none'])}.")
    return page
