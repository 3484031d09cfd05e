"""`data_flow`: what a training step sends where, with DataParallel and with DDP, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    SMALL,
    WIDTH,
    Picture,
    arrow,
    box,
    sheet,
    write,
)

LABELS, LEFT, MIDDLE, RIGHT = 0.25, 1.35, 4.9, WIDTH - 0.2
HEAD, ROW, BOX = 1.35, 0.7, 0.34
MAIN, OTHER, SHARED = "#9ec5e8", PANEL, "#f2c27b"
FEWEST, MOST = 2, 4

OUT, IN, ALL = "out", "in", "all"
"""From the first GPU to the others; from the others to the first; between all of them."""


@dataclass(frozen=True)
class _Row:
    """What each GPU holds or does, and what is sent around after it.

    first, others: what stands at the first GPU, and at each other. One of them alone may be empty.
    wide: what all have in common, instead of these.
    sent: what is sent below this row, in which direction (OUT, IN, ALL).
    """

    name: str
    first: str = ""
    others: str = ""
    wide: str = ""
    sent: str = ""
    direction: str = ""


def _same(name: str, each: str) -> _Row:
    return _Row(name, each, each)


PARALLEL = (
    _Row("batch", wide="the whole batch", sent="1 scatter", direction=ALL),
    _same("its parts", "part"),
    _Row("model", "model", "replica", sent="2 replicate", direction=OUT),
    _Row("forward", "run", "run", sent="3 apply, 4 gather", direction=IN),
    _Row("loss", "loss", "", sent="5 backward", direction=OUT),
    _Row("gradients", "sum", "part", sent="6 add up", direction=IN),
    _Row("optimizer", "step", ""),
)
DDP = (
    _Row("batch"),
    _same("its parts", "own part"),
    _same("model", "model"),
    _same("forward", "run"),
    _Row("loss", "loss", "loss", sent="backward", direction=ALL),
    _Row("gradients", wide="all-reduce: the mean of all", sent="the same", direction=ALL),
    _same("optimizer", "step"),
)


def data_flow(devices: Sequence[int]) -> Picture:
    """Draw one training step on GPUs with these indices, with DataParallel and with DDP.

    devices: two to four, the main GPU first, such as `wrapped.device_ids`.
    Raises ValueError for fewer or more.
    """
    if not FEWEST <= len(devices) <= MOST:
        raise ValueError(f"{len(devices)} GPUs cannot be drawn; {FEWEST} to {MOST} can.")
    figure, axes = sheet(HEAD + len(PARALLEL) * ROW + 0.1, "What one training step sends where")
    gpus = [f"cuda:{device}" for device in devices]
    ranks = [f"rank {rank}" for rank in range(len(devices))]
    for number, row in enumerate(PARALLEL):
        write(axes, LABELS, HEAD + number * ROW + BOX / 2, row.name, weight="bold", size=SMALL)
    _draw(axes, LEFT, MIDDLE - 0.2, "DataParallel: one process", gpus, PARALLEL, MAIN)
    _draw(axes, MIDDLE, RIGHT, "DDP: one process for each GPU", ranks, DDP, OTHER)
    return Picture(
        figure, f"{_describe('DataParallel', gpus, PARALLEL)} {_describe('DDP', ranks, DDP)}"
    )


def _draw(
    axes: Axes,
    left: float,
    right: float,
    title: str,
    names: Sequence[str],
    rows: Sequence[_Row],
    first: str,
) -> None:
    """One half of the picture. first: the fill of what the first GPU holds."""
    pitch = (right - left) / len(names)
    width = pitch - 0.1
    lefts = [left + number * pitch for number in range(len(names))]
    write(axes, left, 0.75, title, weight="bold")
    for x, name in zip(lefts, names, strict=True):
        write(axes, x + width / 2, 1.08, name, align="center", family=MONO, size=SMALL)
    for number, row in enumerate(rows):
        top = HEAD + number * ROW
        if row.wide:
            _labelled(axes, left, top, lefts[-1] + width - left, row.wide, SHARED)
        for place, x in enumerate(lefts):
            if held := row.others if place else row.first:
                _labelled(axes, x, top, width, held, OTHER if place else first)
        if row.sent:
            _send(axes, [x + width / 2 for x in lefts], top + BOX, row)


def _labelled(axes: Axes, left: float, top: float, width: float, text: str, fill: str) -> None:
    box(axes, left, top, width, BOX, fill=fill, edge=INK)
    write(axes, left + width / 2, top + BOX / 2, text, align="center", size=SMALL)


def _send(axes: Axes, middles: Sequence[float], top: float, row: _Row) -> None:
    """What is sent below a row, with an arrow head where it arrives."""
    gap = ROW - BOX
    if row.direction == ALL:  # straight down, to each GPU
        for x in middles:
            _arrow(axes, x, top, x, top + gap)
        _named(axes, middles[:2], top + gap / 2, row.sent)
        return
    level = top + gap * 0.45
    axes.plot([middles[0], middles[-1]], [level, level], color=INK, linewidth=1.4)
    down = row.direction == OUT and not row.others  # the others get it in the row below
    _named(axes, middles, level - 0.11 if down else level + 0.11, row.sent)
    for x in middles:
        sends = (x == middles[0]) == (row.direction == OUT)
        if sends:
            axes.plot([x, x], [top, level], color=INK, linewidth=1.4)
        if down:
            _arrow(axes, x, level, x, top + gap)
        elif not sends:
            _arrow(axes, x, level, x, top)


def _named(axes: Axes, middles: Sequence[float], level: float, what: str) -> None:
    middle = (middles[0] + middles[-1]) / 2
    write(axes, middle, level, what, align="center", size=SMALL, style="italic")


def _arrow(axes: Axes, x: float, y: float, to_x: float, to_y: float) -> None:
    arrow(axes, (x, y), (to_x, to_y), shrinkA=0, shrinkB=0, mutation_scale=11)


def _describe(what: str, names: Sequence[str], rows: Sequence[_Row]) -> str:
    """One half of the picture in words, out of the same data."""
    told = []
    for row in rows:
        if row.wide:
            told.append(f"{row.name}: {row.wide}")
        elif row.first and row.first == row.others:
            told.append(f"{row.name}: {row.first} on each")
        elif row.first:
            others = f", {row.others} on the others" if row.others else " only"
            told.append(f"{row.name}: {row.first} on {names[0]}{others}")
        if row.sent:
            to = {ALL: "for each", OUT: f"from {names[0]} to the others", IN: f"to {names[0]}"}
            told.append(f"{row.sent}, {to[row.direction]}")
    return (
        f"A step of {what} on {names[0]} to {names[-1]}, from top to bottom. "
        + "; ".join(told)
        + "."
    )
