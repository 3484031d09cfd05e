"""`order_lanes`: what comes before what, in lanes without a clock."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import (
    INK,
    LINE,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    stamp,
    write,
)
from course_utils.figures.timelines import Span

LEFT, RIGHT, TOP = 1.2, WIDTH - 0.3, 0.75
LANE, GAP = 0.42, 0.16
FILLS = ("#dbe9f6", "#f7dfb5")


def order_lanes(lanes: Mapping[str, Sequence[Span]], *, title: str) -> Picture:
    """Draw a lane for each worker, with what it does written into boxes.

    lanes: for each worker, spans such as `("sum()", 1, 2)`. The numbers only say what comes before
        what: there is no axis, and the picture says so.
    """
    figure, axes = sheet(TOP + len(lanes) * (LANE + GAP) + 0.1, title)
    stamp(axes, "order only")
    last = max((end for spans in lanes.values() for *_, end in spans), default=1)
    scale = (RIGHT - LEFT) / last
    for row, (worker, spans) in enumerate(lanes.items()):
        top = TOP + row * (LANE + GAP)
        write(axes, 0.25, top + LANE / 2, worker, weight="bold")
        axes.plot([LEFT, RIGHT], [top + LANE] * 2, color=LINE, linewidth=0.8)
        for what, begin, end in spans:
            left, width = LEFT + begin * scale, (end - begin) * scale
            box(axes, left, top, width, LANE, fill=FILLS[row % 2], edge=INK, round_=0)
            write(axes, left + width / 2, top + LANE / 2, what, align="center", size=SMALL)
    return Picture(figure, _describe(lanes, title))


def _describe(lanes: Mapping[str, Sequence[Span]], title: str) -> str:
    """The picture in words, out of the same data."""
    moments = sorted(
        (moment, order, told)
        for worker, spans in lanes.items()
        for what, begin, end in spans
        for moment, order, told in (
            (begin, 1, f"{worker} begins {what}"),
            (end, 0, f"{worker} ends {what}"),
        )
    )
    return f"Order of events, without times, {title!r}: {listed(told for *_, told in moments)}."
