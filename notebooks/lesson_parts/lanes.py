"""`schedule`: the work of each worker or GPU, as lanes over one clock.

`order_lanes`: the order of events, in lanes without a clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from course_utils.experiments.recording import Span
from course_utils.figures.picture import INK, NOTE, SMALL, WIDTH, BoxStyle, Picture, bar_styles_of
from course_utils.words import listed, shortened

LEFT, LEFT_OF_TOLD, RIGHT = 1.55, 3.05, WIDTH - 0.4
LANE, GAP, TOP = 0.34, 0.14, 0.75
SLIVER = 0.06
"""Inches: narrower bars and pauses cannot be distinguished."""


def schedule(
    work: Mapping[str, Sequence[Span]],
    *,
    title: str,
    unit: str = "µs",
    modelled: bool = False,
) -> Picture:
    """A picture with a lane for each worker.

    If each worker has one span, its lane names the span and its times; else there is a legend.

    work: for each worker, spans such as `("apply", 0, 5)`; the same name has the same style in
        every lane. The end of all work is written out.
    modelled: whether the numbers come from a model. If so, the picture shows the word.
    Raises ValueError for a span that ends before it begins.
    """
    for worker, spans in work.items():
        for what, begin, end in spans:
            if end < begin:
                raise ValueError(f"{what!r} of {worker} ends at {end}, before it begins at {begin}")
    everything = sorted((span for spans in work.values() for span in spans), key=_begin)
    styles = bar_styles_of(what for what, *_ in everything)
    last = max((end for *_, end in everything), default=0)
    one_each = all(len(spans) == 1 for spans in work.values())
    left, bottom = LEFT_OF_TOLD if one_each else LEFT, TOP + len(work) * (LANE + GAP)
    scale = (RIGHT - left) / (last or 1)
    page = Picture(bottom + (0.1 if one_each else 0.85), title, "modelled" if modelled else "")
    page.tell(f"{'Modelled schedule' if modelled else 'Schedule'} in {unit}, {title!r}.")
    for row, (worker, spans) in enumerate(work.items()):
        top, described = TOP + row * (LANE + GAP), list(_described(spans))
        page.tell(f"{worker}: {listed(described)}." if described else f"{worker} does nothing.")
        middle = top + (0.06 if one_each else LANE / 2)
        page.write(0.25, middle, shortened(worker, 16), weight="bold", size=SMALL)
        if one_each:
            page.write(0.25, top + 0.27, shortened(f"{described[0]} {unit}", 34), size=SMALL)
        page.line((left, top + LANE), (RIGHT, top + LANE))
        for what, begin, end in _merged(spans, SLIVER / scale):
            page.bar(left + begin * scale, top, (end - begin) * scale, LANE, styles[what])
    if not one_each:
        x = left + last * scale
        page.line((x, TOP - 0.1), (x, bottom), color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
        page.write(x, bottom + 0.12, f"{_number(last)} {unit}", weight="bold", align="right")
        page.write(left, bottom + 0.12, f"0 {unit}", **NOTE)
        page.legend(left, bottom + 0.51, styles)
    page.tell(f"All is done at {_number(last)} {unit}.")
    return page


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


def _begin(span: Span) -> float:
    return span[1]


def _merged(spans: Sequence[Span], least: float) -> list[Span]:
    """The spans in order of time; narrow ones of one kind that follow closely are merged."""
    merged: list[Span] = []
    sliver = False
    for what, begin, end in sorted(spans, key=_begin):
        thin = end - begin < least
        if merged and thin and sliver and merged[-1][0] == what and begin - merged[-1][2] < least:
            merged[-1] = (what, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((what, begin, end))
        sliver = thin
    return merged


def _described(spans: Sequence[Span]) -> Iterator[str]:
    """The spans in words; successive spans of one kind become one, with the number of pieces."""
    for what, group in groupby(sorted(spans, key=_begin), key=lambda span: span[0]):
        times = [(begin, end) for _, begin, end in group]
        pauses = sum(begin > end for (_, end), (begin, _) in pairwise(times))
        pieces = f" in {pauses + 1} pieces" if pauses else ""
        begin, end = times[0][0], max(end for _, end in times)
        yield f"{what} from {_number(begin)} to {_number(end)}{pieces}"


def _number(moment: float) -> str:
    """A time as text; from 100 on without decimals, since no clock here is that exact."""
    return f"{moment:.0f}" if moment >= 100 else f"{moment:.3g}"
