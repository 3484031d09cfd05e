"""`order_lanes`: the order of events, in lanes without a clock."""

from collections.abc import Mapping, Sequence

from course_utils.experiments.recording import Span
from course_utils.figures.picture import INK, SMALL, WIDTH, BoxStyle, Picture
from course_utils.words import listed

TOP = 0.75


def order_lanes(lanes: Mapping[str, Sequence[Span]], *, title: str) -> Picture:
    """A picture with a lane for each worker, and its work written into boxes.

    lanes: for each worker, spans such as `("sum()", 1, 2)`. The numbers only give the order: there
        is no axis, and the picture says "order only".
    """
    left, right, height, pitch = 1.2, WIDTH - 0.3, 0.42, 0.58
    page = Picture(TOP + len(lanes) * pitch + 0.1, title, "order only")
    last = max((end for spans in lanes.values() for *_, end in spans), default=1)
    scale = (right - left) / last
    moments: list[tuple[float, bool, str]] = []
    for row, (worker, spans) in enumerate(lanes.items()):
        top = TOP + row * pitch
        page.write(0.25, top + height / 2, worker, weight="bold")
        page.line((left, top + height), (right, top + height))
        style: BoxStyle = {"fill": "#f7dfb5" if row % 2 else "#dbe9f6", "edge": INK}
        for what, begin, end in spans:
            x, width = left + begin * scale, (end - begin) * scale
            page.box(x, top, width, height, what, round_=0, size=SMALL, **style)
            moments.append((begin, True, f"{worker} begins {what}"))
            moments.append((end, False, f"{worker} ends {what}"))
    described = listed(described for *_, described in sorted(moments))
    page.tell(f"Order of events, without times, {title!r}: {described}.")
    return page
