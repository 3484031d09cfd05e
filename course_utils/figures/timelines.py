"""`timeline`: what host and device do, side by side, against one clock."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

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

LEFT, RIGHT = 1.2, WIDTH - 0.4
LANE = 0.5
LOOKS = {
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
    """Draw two lanes of work, the host's and the device's, from numbers that are given.

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


def _draw(
    lanes: dict[str, list[Span]], marks: dict[str, float], title: str, unit: str, modelled: bool
) -> Figure:
    looks = _looks(lanes)
    figure, axes = sheet(3.05, title)
    last = max([end for spans in lanes.values() for *_, end in spans] + list(marks.values()) + [1])
    scale = (RIGHT - LEFT) / last
    if modelled:
        stamp(axes, "modelled")
    tops = {"host": 0.95, "device": 1.6}
    for lane, spans in lanes.items():
        top = tops[lane]
        write(axes, 0.25, top + LANE / 2, lane, weight="bold")
        axes.plot([LEFT, RIGHT], [top + LANE] * 2, color=LINE, linewidth=0.8)
        for what, begin, end in spans:
            fill, hatch = looks[what]
            bar = Rectangle(
                (LEFT + begin * scale, top),
                (end - begin) * scale,
                LANE,
                hatch=hatch,
                facecolor=fill,
                edgecolor=INK,
                linewidth=0.9,
            )
            axes.add_patch(bar)
    _draw_marks(axes, marks, scale, unit)
    x = LEFT
    for what, (fill, hatch) in looks.items():
        axes.add_patch(
            Rectangle(
                (x, 2.7), 0.3, 0.18, facecolor=fill, edgecolor=INK, hatch=hatch, linewidth=0.9
            )
        )
        write(axes, x + 0.38, 2.79, what, size=SMALL)
        x += 0.65 + 0.085 * len(what)
    return figure


def _draw_marks(axes: Axes, marks: dict[str, float], scale: float, unit: str) -> None:
    previous = 0.0
    for name, moment in sorted(marks.items(), key=lambda mark: mark[1]):
        x = LEFT + moment * scale
        axes.plot([x, x], [0.86, 2.3], color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
        level = 0.75 if x - previous > 0.6 else 0.58
        write(axes, x, level, name, align="center", size=SMALL, weight="bold")
        previous = x
    if "start" in marks and "stop" in marks:
        begin, end = marks["start"], marks["stop"]
        x0, x1 = LEFT + begin * scale, LEFT + end * scale
        axes.plot([x0, x1], [2.4, 2.4], color=INK, linewidth=3, solid_capstyle="butt")
        text = f"the clock reads {end - begin:g} {unit}"
        if x1 < RIGHT - 2.2:
            write(axes, x1 + 0.1, 2.4, text, weight="bold", size=TEXT)
        else:
            half = 0.05 * len(text)
            axes.plot(
                [(x0 + x1) / 2 - half, (x0 + x1) / 2 + half],
                [2.4, 2.4],
                color=PAPER,
                linewidth=12,
                solid_capstyle="butt",
            )
            write(axes, (x0 + x1) / 2, 2.4, text, weight="bold", size=TEXT, align="center")
    write(axes, RIGHT, 2.79, f"time in {unit}", align="right", size=SMALL, color=QUIET)


def _looks(lanes: dict[str, list[Span]]) -> dict[str, tuple[str, str | None]]:
    """One fill and one hatch for each kind of work, in the order in which they appear."""
    looks: dict[str, tuple[str, str | None]] = {}
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
