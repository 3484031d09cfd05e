"""`schedule`: who does what and when, one lane for each worker or GPU, against one clock.

`event_lanes`: the same of the program and its streams, read from events.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import torch
from matplotlib.figure import Figure

from course_utils.figures.picture import (
    INK,
    LINE,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    listed,
    sheet,
    shortened,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, Span, bar, legend

LEFT, LEFT_OF_TOLD, RIGHT = 1.55, 3.05, WIDTH - 0.4
LANE, GAP, TOP = 0.34, 0.14, 0.75
SLIVER = 0.06
"""Inches: bars and pauses that are narrower cannot be told apart."""
LOOKS = (
    ("#9ec5e8", None),
    ("#ece6d6", "////"),
    ("#f2c27b", "\\\\\\"),
    ("#b9d7a8", "xxx"),
    ("#e3b5c8", "|||"),
    ("#c9d3dc", "---"),
)
"""Fills and hatches of the kinds of work, so that a picture printed in grey can still be read."""


def schedule(
    work: Mapping[str, Sequence[Span]],
    *,
    title: str,
    unit: str = "µs",
    modelled: bool = False,
    until: float = 0,
) -> Picture:
    """Draw a lane for each worker, from numbers that are given.

    work: for each worker, spans such as `("apply", 0, 5)`; the same name has the same look in
        every lane. Begin and end are written out where all work is over.
    modelled: whether the numbers come from a model. If so, the picture says so.
    until: how far the time axis goes at least, so that two pictures can have the same scale.
    Raises ValueError for a span that ends before it begins.
    """
    for worker, spans in work.items():
        for what, begin, end in spans:
            if end < begin:
                raise ValueError(f"{what!r} of {worker} ends at {end}, before it begins at {begin}")
    figure = _draw(work, title, unit, modelled, until)
    return Picture(figure, _describe(work, title, unit, modelled))


def event_lanes(
    zero: torch.cuda.Event,
    queued: torch.cuda.Event,
    streams: Mapping[str, tuple[str, tuple[torch.cuda.Event, torch.cuda.Event]]],
    *,
    title: str,
    modelled: bool,
) -> Picture:
    """Draw what events say, in whole µs after `zero`; waits for all of them.

    zero, queued: recorded in an idle stream before and after the program queued the work, so that
        the GPU passed them at once.
    streams: for each stream, what it did, and the events before and after it.
    The time axis has room for all the work one after the other, so that two pictures of the same
    work have the same scale.
    """
    events = [event for _, pair in streams.values() for event in pair]
    for event in (queued, *events):
        event.synchronize()

    def after(event: torch.cuda.Event) -> int:
        return round(zero.elapsed_time(event) * 1e3)

    lanes = {"program": [("queues the work", 0.0, after(queued))]}
    lanes |= {
        name: [(what, after(begin), after(end))] for name, (what, (begin, end)) in streams.items()
    }
    in_a_row = sum(begin.elapsed_time(end) * 1e3 for _, (begin, end) in streams.values())
    return schedule(lanes, title=title, modelled=modelled, until=1.05 * in_a_row)


def _last(work: Mapping[str, Sequence[Span]]) -> float:
    return max((end for spans in work.values() for *_, end in spans), default=0)


def _kinds(work: Mapping[str, Sequence[Span]]) -> dict[str, Look]:
    """One fill and one hatch for each kind of work, in the order in which they begin."""
    spans = sorted((begin, what) for spans in work.values() for what, begin, _ in spans)
    kinds = dict.fromkeys(what for _, what in spans)
    return {what: LOOKS[number % len(LOOKS)] for number, what in enumerate(kinds)}


def _draw(
    work: Mapping[str, Sequence[Span]], title: str, unit: str, modelled: bool, until: float
) -> Figure:
    """Where each worker does one thing, its lane says what and when; else there is a legend."""
    kinds, last = _kinds(work), _last(work)
    one_each = all(len(spans) == 1 for spans in work.values())
    left = LEFT_OF_TOLD if one_each else LEFT
    bottom = TOP + len(work) * (LANE + GAP)
    figure, axes = sheet(bottom + (0.1 if one_each else 0.85), title)
    if modelled:
        stamp(axes, "modelled")
    scale = (RIGHT - left) / (max(last, until) or 1)
    for row, (worker, spans) in enumerate(work.items()):
        top = TOP + row * (LANE + GAP)
        middle = top + (0.06 if one_each else LANE / 2)
        write(axes, 0.25, middle, shortened(worker, 16), weight="bold", size=SMALL)
        if one_each:
            write(axes, 0.25, top + 0.27, shortened(f"{next(_told(spans))} {unit}", 34), size=SMALL)
        axes.plot([left, RIGHT], [top + LANE] * 2, color=LINE, linewidth=0.8)
        for what, begin, end in _merged(spans, SLIVER / scale):
            bar(axes, left + begin * scale, top, (end - begin) * scale, LANE, kinds[what])
    if not one_each:
        x_last = left + last * scale
        axes.plot(
            [x_last] * 2, [TOP - 0.1, bottom], color=INK, linewidth=1.6, linestyle=(0, (4, 2))
        )
        write(axes, x_last, bottom + 0.12, f"{_number(last)} {unit}", weight="bold", align="right")
        write(axes, left, bottom + 0.12, f"0 {unit}", size=SMALL, color=QUIET)
        legend(axes, left, bottom + 0.51, kinds)
    return figure


def _merged(spans: Sequence[Span], least: float) -> list[Span]:
    """The spans in order of time, where slivers of one kind that follow closely become one."""
    merged: list[Span] = []
    sliver = False
    for what, begin, end in sorted(spans, key=lambda span: span[1]):
        thin = end - begin < least
        if merged and thin and sliver and merged[-1][0] == what and begin - merged[-1][2] < least:
            merged[-1] = (what, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((what, begin, end))
        sliver = thin
    return merged


def _describe(work: Mapping[str, Sequence[Span]], title: str, unit: str, modelled: bool) -> str:
    """The picture in words, out of the same data."""
    parts = [f"{'Modelled schedule' if modelled else 'Schedule'} in {unit}, {title!r}."]
    for worker, spans in work.items():
        each = list(_told(spans))
        parts.append(f"{worker}: {listed(each)}." if each else f"{worker} does nothing.")
    parts.append(f"All is done at {_number(_last(work))} {unit}.")
    return " ".join(parts)


def _told(spans: Sequence[Span]) -> Iterator[str]:
    """Spans of one kind that follow each other are told as one, with their number if they pause."""
    ordered = sorted(spans, key=lambda span: span[1])
    for what, group in groupby(ordered, key=lambda span: span[0]):
        times = [(begin, end) for _, begin, end in group]
        pauses = sum(begin > end for (_, end), (begin, _) in pairwise(times))
        pieces = f" in {pauses + 1} pieces" if pauses else ""
        begin, end = times[0][0], max(end for _, end in times)
        yield f"{what} from {_number(begin)} to {_number(end)}{pieces}"


def _number(moment: float) -> str:
    """Without decimals from 100 on: no clock of ours is so exact."""
    return f"{moment:.0f}" if moment >= 100 else f"{moment:.3g}"
