"""`stream_lanes`: the streams of a GPU as lanes, and what one of them does not wait for."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_utils.experiments.stream_order import Order
from course_utils.figures.picture import (
    LINE,
    PAPER,
    SMALL,
    WIDTH,
    Picture,
    listed,
    sheet,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, Span, bar, clock_axis, legend

LEFT, RIGHT, TOP = 1.75, WIDTH - 0.4, 0.75
LANE, GAP = 0.36, 0.14
LOOKS: tuple[Look, ...] = (
    ("#ece6d6", None),
    ("#9ec5e8", "\\\\\\"),
    ("#f2c27b", "///"),
    ("#b9d7a8", "xx"),
    ("#e3b5c8", "||"),
)
"""Fills and hatches of the kinds of work, so that a picture printed in grey can still be read."""
ALARM = "#b42318"
THINNEST = 0.05
"""Inches: a kernel that is over sooner would not be seen."""


def stream_lanes(orders: Mapping[str, Order], *, title: str) -> Picture:
    """Draw a panel for each recording, by name, all on one clock.

    Two pieces of work that use the same memory, with nothing between them that waits, have a thick
    border, and a line of text names them.
    """
    lanes = sum(len(order.lanes) for order in orders.values())
    bottom = TOP + 0.45 * len(orders) + lanes * (LANE + GAP)
    figure, axes = sheet(bottom + 1.0, title)
    stamp(axes, "modelled")
    spans = [span for order in orders.values() for lane in order.lanes.values() for span in lane]
    last = max((end for *_, end in spans), default=1.0)
    looks = _looks(orders)
    clock_axis(axes, LEFT, RIGHT, TOP, bottom, last, "µs")
    top = TOP
    for name, order in orders.items():
        write(axes, 0.25, top + 0.2, name, weight="bold")
        told = "; ".join(
            f"{pair.second[0]} does not wait for {pair.first[0]}" for pair in order.unordered
        )
        write(
            axes,
            RIGHT,
            top + 0.2,
            told,
            color=ALARM,
            weight="bold",
            size=SMALL,
            align="right",
            behind=PAPER,
        )
        top = _panel(axes, top + 0.42, order, (RIGHT - LEFT) / last, looks)
    legend(axes, LEFT, bottom + 0.6, looks)
    return Picture(figure, _describe(orders, title))


def _panel(axes: Axes, top: float, order: Order, scale: float, looks: Mapping[str, Look]) -> float:
    """Draw the lanes of one recording below `top`; returns where they end."""
    if not order.recorded:
        write(axes, LEFT, top, "A real GPU does not tell.", size=SMALL, style="italic")
    edges: dict[Span, tuple[float, float, float]] = {}
    for lane, spans in order.lanes.items():
        write(axes, 0.25, top + LANE / 2, lane, size=SMALL)
        axes.plot([LEFT, RIGHT], [top + LANE] * 2, color=LINE, linewidth=0.8)
        for span in spans:
            what, begin, end = span
            x, width = LEFT + begin * scale, max((end - begin) * scale, THINNEST)
            bar(axes, x, top, width, LANE, looks[what])
            edges[span] = x, x + width, top + LANE
        top += LANE + GAP
    for pair in order.unordered:
        for span in (pair.first, pair.second):
            left, right, bottom = edges[span]
            axes.add_patch(
                Rectangle(
                    (left, bottom - LANE),
                    right - left,
                    LANE,
                    fill=False,
                    edgecolor=ALARM,
                    linewidth=2.6,
                    zorder=3,
                )
            )
    return top


def _looks(orders: Mapping[str, Order]) -> dict[str, Look]:
    kinds = dict.fromkeys(
        what for order in orders.values() for lane in order.lanes.values() for what, *_ in lane
    )
    return {what: LOOKS[number % len(LOOKS)] for number, what in enumerate(kinds)}


def _describe(orders: Mapping[str, Order], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Streams as lanes, modelled, in µs, {title!r}."]
    for name, order in orders.items():
        if not order.recorded:
            parts.append(f"{name}: a real GPU does not tell.")
            continue
        each = [
            f"{lane}: {listed(f'{what} from {a:.0f} to {b:.0f}' for what, a, b in spans)}"
            for lane, spans in order.lanes.items()
        ]
        each += [f"no wait: {pair}" for pair in order.unordered]
        parts.append(f"{name}. {'; '.join(each)}.")
    return " ".join(parts)
