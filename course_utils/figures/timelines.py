"""`timeline`: the work of host and device as two lanes over one clock."""

from collections.abc import Mapping, Sequence

from course_utils.experiments.recording import Span
from course_utils.figures.picture import INK, PAPER, SMALL, WIDTH, Picture, bar_styles_of
from course_utils.words import listed

LEFT, RIGHT = 1.2, WIDTH - 0.4
TOP, LANE, BOTTOM = 0.86, 0.5, 2.1


def timeline(
    *,
    host: Sequence[Span],
    device: Sequence[Span],
    marks: Mapping[str, float] | None = None,
    title: str = "Host and device",
    unit: str = "µs",
    modelled: bool = True,
) -> Picture:
    """A picture of the work of host and device.

    host, device: spans such as `("launch", 0, 5)`.
    marks: readings of the clock such as `{"start": 0, "stop": 15}`. With both "start" and "stop",
        the time between them is written out.
    modelled: whether the numbers come from a model. If so, the picture shows the word.
    """
    work = [*host, *device]
    for what, begin, end in work:
        if end < begin:
            raise ValueError(f"{what!r} ends at {end}, before it begins at {begin}")
    marks = marks or {}
    page = Picture(BOTTOM + 1.1, title, "modelled" if modelled else "")
    page.tell(f"{'Modelled timeline' if modelled else 'Timeline'} in {unit}, {title!r}.")
    styles = bar_styles_of(what for what, *_ in work)
    last = max([end for *_, end in work] + list(marks.values()) + [1])
    scale = (RIGHT - LEFT) / last
    page.clock(LEFT, RIGHT, TOP, BOTTOM, last, unit)
    for top, lane, spans in ((0.95, "host", host), (1.55, "device", device)):
        page.write(0.25, top + LANE / 2, lane, weight="bold")
        page.line((LEFT, top + LANE), (RIGHT, top + LANE))
        for what, begin, end in spans:
            page.bar(LEFT + begin * scale, top, (end - begin) * scale, LANE, styles[what])
        if spans:
            described = listed(f"{what} from {begin:g} to {end:g}" for what, begin, end in spans)
            page.tell(f"The {lane} is busy until {max(end for *_, end in spans):g}: {described}.")
        else:
            page.tell(f"The {lane} does nothing.")
    _draw_marks(page, marks, scale, unit)
    page.legend(LEFT, BOTTOM + 0.85, styles)
    return page


def _draw_marks(page: Picture, marks: Mapping[str, float], scale: float, unit: str) -> None:
    previous = 0.0
    for name, moment in sorted(marks.items(), key=lambda mark: mark[1]):
        x = LEFT + moment * scale
        page.line((x, TOP), (x, BOTTOM), color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
        level = 0.75 if x - previous > 0.6 else 0.58
        page.write(x, level, name, align="center", size=SMALL, weight="bold")
        previous = x
    if marks:
        page.tell(f"Marks: {listed(f'{name} at {moment:g}' for name, moment in marks.items())}.")
    if "start" in marks and "stop" in marks:
        begin, end = LEFT + marks["start"] * scale, LEFT + marks["stop"] * scale
        level, text = BOTTOM + 0.5, f"the clock reads {marks['stop'] - marks['start']:g} {unit}"
        page.line((begin, level), (end, level), color=INK, linewidth=3, solid_capstyle="butt")
        if end < RIGHT - 2.2:
            page.write(end + 0.1, level, text, weight="bold")
        else:
            middle = (begin + end) / 2
            page.write(middle, level, text, weight="bold", align="center", behind=PAPER)
        page.tell(f"{text[0].upper()}{text[1:]}.")
