"""`timeline`: what host and device do, side by side, against one clock."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from course_utils.figures.picture import (
    INK,
    LINE,
    PAPER,
    QUIET,
    SMALL,
    TEXT,
    WIDTH,
    Picture,
    listed,
    sheet,
    stamp,
    write,
)

Span = tuple[str, float, float]
"""What is done, from when, until when."""

Look = tuple[str, str | None]
"""A fill and a hatch."""

LEFT, RIGHT = 1.2, WIDTH - 0.4
LANE = 0.5
LOOKS: Mapping[str, Sequence[Look]] = {
    "host": (("#9ec5e8", None), ("#ece6d6", "///"), ("#c9d3dc", "--")),
    "device": (("#f2c27b", "\\\\\\"), ("#b9d7a8", "xx"), ("#e3b5c8", "||")),
}
"""Fills and hatches of each lane, so that a picture printed in grey can still be read."""


def timeline(
    *,
    host: Sequence[Span],
    device: Sequence[Span],
    marks: Mapping[str, float] | None = None,
    title: str = "Host and device",
    unit: str = "µs",
    modelled: bool = True,
) -> Picture:
    """Draw lanes of work, the host's and the device's, from numbers that are given.

    host, device: spans such as `("launch", 0, 5)`.
    marks: readings of the clock such as `{"start": 0, "stop": 15}`. Where both of these are given,
        the time between them is written out.
    modelled: whether the numbers come from a model. If so, the picture says so.
    """
    for what, begin, end in (*host, *device):
        if end < begin:
            raise ValueError(f"{what!r} ends at {end}, before it begins at {begin}")
    lanes = {"host": list(host), "device": list(device)}
    readings = dict(marks or {})
    return Picture(
        _draw(lanes, readings, title, unit, modelled),
        _describe(lanes, readings, title, unit, modelled),
    )


def clock_axis(
    axes: Axes, left: float, right: float, top: float, bottom: float, last: float, unit: str
) -> None:
    """Ticks of a clock from 0 to `last` below a drawing, each with a thin line through it."""
    for tick in MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]).tick_values(0, last):
        if 0 <= tick <= last * (1 + 1e-9):
            x = left + (right - left) * tick / last
            axes.plot([x, x], [top, bottom], color=LINE, linewidth=0.4, zorder=0)
            write(axes, x, bottom + 0.13, f"{tick:g}", align="center", size=SMALL, color=QUIET)
    write(axes, right, bottom + 0.32, f"time in {unit}", align="right", size=SMALL, color=QUIET)


def bar(
    axes: Axes,
    left: float,
    top: float,
    width: float,
    height: float,
    look: Look,
    thickness: float = 0.9,
) -> None:
    """A rectangle with an edge, in inches; `thickness` of the edge in points."""
    fill, hatch = look
    axes.add_patch(
        Rectangle(
            (left, top),
            width,
            height,
            facecolor=fill,
            edgecolor=INK,
            hatch=hatch,
            linewidth=thickness,
        )
    )


def legend(axes: Axes, left: float, middle: float, looks: Mapping[str, Look]) -> None:
    """A row of boxes, and beside each what it stands for."""
    x = left
    for what, look in looks.items():
        bar(axes, x, middle - 0.09, 0.3, 0.18, look)
        write(axes, x + 0.38, middle, what, size=SMALL)
        x += 0.65 + 0.085 * len(what)


def _draw(
    lanes: dict[str, list[Span]], marks: dict[str, float], title: str, unit: str, modelled: bool
) -> Figure:
    looks = _looks(lanes)
    bottom = 0.8 + 0.65 * len(lanes)
    figure, axes = sheet(bottom + 1.1, title)
    last = max([end for spans in lanes.values() for *_, end in spans] + list(marks.values()) + [1])
    scale = (RIGHT - LEFT) / last
    if modelled:
        stamp(axes, "modelled")
    clock_axis(axes, LEFT, RIGHT, 0.86, bottom, last, unit)
    for number, (lane, spans) in enumerate(lanes.items()):
        top = 0.95 + 0.6 * number
        write(axes, 0.25, top + LANE / 2, lane, weight="bold")
        axes.plot([LEFT, RIGHT], [top + LANE] * 2, color=LINE, linewidth=0.8)
        for what, begin, end in spans:
            bar(axes, LEFT + begin * scale, top, (end - begin) * scale, LANE, looks[what])
    _draw_marks(axes, marks, scale, unit, bottom)
    legend(axes, LEFT, bottom + 0.85, looks)
    return figure


def _draw_marks(
    axes: Axes, marks: dict[str, float], scale: float, unit: str, bottom: float
) -> None:
    previous = 0.0
    for name, moment in sorted(marks.items(), key=lambda mark: mark[1]):
        x = LEFT + moment * scale
        axes.plot([x, x], [0.86, bottom], color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
        level = 0.75 if x - previous > 0.6 else 0.58
        write(axes, x, level, name, align="center", size=SMALL, weight="bold")
        previous = x
    if "start" in marks and "stop" in marks:
        begin, end = marks["start"], marks["stop"]
        x0, x1 = LEFT + begin * scale, LEFT + end * scale
        level = bottom + 0.5
        axes.plot([x0, x1], [level, level], color=INK, linewidth=3, solid_capstyle="butt")
        text = f"the clock reads {end - begin:g} {unit}"
        if x1 < RIGHT - 2.2:
            write(axes, x1 + 0.1, level, text, weight="bold", size=TEXT)
        else:
            half = 0.05 * len(text)
            axes.plot(
                [(x0 + x1) / 2 - half, (x0 + x1) / 2 + half],
                [level, level],
                color=PAPER,
                linewidth=12,
                solid_capstyle="butt",
            )
            write(axes, (x0 + x1) / 2, level, text, weight="bold", size=TEXT, align="center")


def _looks(lanes: dict[str, list[Span]]) -> dict[str, Look]:
    """One fill and one hatch for each kind of work, in the order in which they appear."""
    looks: dict[str, Look] = {}
    for lane, spans in lanes.items():
        kinds = dict.fromkeys(what for what, *_ in spans if what not in looks)
        choice = LOOKS[lane]
        looks |= {what: choice[number % len(choice)] for number, what in enumerate(kinds)}
    return looks


def _describe(
    lanes: dict[str, list[Span]], marks: dict[str, float], title: str, unit: str, modelled: bool
) -> str:
    parts = [f"{'Modelled timeline' if modelled else 'Timeline'} in {unit}, {title!r}."]
    for lane, spans in lanes.items():
        if spans:
            work = listed(f"{what} from {begin:g} to {end:g}" for what, begin, end in spans)
            busy = max(end for *_, end in spans)
            parts.append(f"The {lane} is busy until {busy:g}: {work}.")
        else:
            parts.append(f"The {lane} does nothing.")
    if marks:
        parts.append(f"Marks: {listed(f'{name} at {moment:g}' for name, moment in marks.items())}.")
    if "start" in marks and "stop" in marks:
        parts.append(f"The clock reads {marks['stop'] - marks['start']:g} {unit}.")
    return " ".join(parts)
