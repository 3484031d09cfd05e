"""The order of a GPU's work: streams as lanes, and memory used without a wait.

On virtual GPUs the model records the order. A real GPU does not: there, only wrong values show an
error.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

import virtual_cuda
from course_utils.experiments.recording import Span, is_virtual
from course_utils.figures.picture import PAPER, SMALL, WIDTH, Picture, TextStyle, bar_styles_of
from course_utils.words import listed

LEFT, RIGHT, TOP = 1.75, WIDTH - 0.4, 0.75
LANE, GAP = 0.36, 0.14
ALARM = "#b42318"
THINNEST = 0.05
"""Inches: the smallest width of a kernel, so that it can be seen."""


@dataclass(frozen=True)
class Unordered:
    """Two pieces of work that use the same memory, in which `second` does not wait for `first`.

    how: the possible error, such as "read before it is written".
    """

    how: str
    first: Span
    second: Span

    def __str__(self) -> str:
        return f"{self.how}: {self.second[0]} does not wait for {self.first[0]}"


@dataclass
class Order:
    """Work by stream, in µs since the recording began, and pairs of work without an order.

    recorded: False on a real GPU, which records no order.
    """

    recorded: bool
    lanes: dict[str, list[Span]] = field(default_factory=dict)
    unordered: list[Unordered] = field(default_factory=list)


@contextmanager
def record_order(device: torch.device) -> Iterator[Order]:
    """Record the order of the body's work on `device`. The recording is complete after the body.

    Raises CourseError if `lab()` has not been called.
    """
    if not is_virtual():
        yield Order(recorded=False)
        torch.cuda.synchronize(device)
        return
    order = Order(recorded=True)
    with virtual_cuda.trace() as trace:
        yield order
        torch.cuda.synchronize(device)
    works = [work for work in trace.intervals if work.device == device.index]
    for stream in sorted({work.stream for work in works if work.stream is not None}):
        order.lanes[_named(stream, order.lanes)] = [
            (work.name, work.start, work.end) for work in works if work.stream == stream
        ]
    for hazard in trace.hazards:
        pair = [(work.name, work.start, work.end) for work in (hazard.first, hazard.second)]
        order.unordered.append(Unordered(hazard.kind, *pair))


def _named(stream: int, before: dict[str, list[Span]]) -> str:
    if not stream:
        return "default stream"
    sides = sum(name.startswith("side") for name in before)
    return f"side stream {sides + 1}" if sides else "side stream"


def stream_lanes(orders: Mapping[str, Order], *, title: str) -> Picture:
    """A picture with a panel for each recording, by name, all over one clock.

    Two pieces of work that use the same memory without a wait have a thick border, and a line of
    text names them.
    """
    lanes = [lane for order in orders.values() for lane in order.lanes.values()]
    bottom = TOP + 0.45 * len(orders) + len(lanes) * (LANE + GAP)
    page = Picture(bottom + 1.0, title, "modelled")
    page.tell(f"Streams as lanes, modelled, in µs, {title!r}.")
    last = max((end for lane in lanes for *_, end in lane), default=1.0)
    scale = (RIGHT - LEFT) / last
    styles = bar_styles_of(what for lane in lanes for what, *_ in lane)
    page.clock(LEFT, RIGHT, TOP, bottom, last, "µs")
    top = TOP
    alarm: TextStyle = {"color": ALARM, "weight": "bold", "size": SMALL, "behind": PAPER}
    for name, order in orders.items():
        page.write(0.25, top + 0.2, name, weight="bold")
        pairs = [f"{two.second[0]} does not wait for {two.first[0]}" for two in order.unordered]
        page.write(RIGHT, top + 0.2, "; ".join(pairs), align="right", **alarm)
        top += 0.42
        if not order.recorded:
            page.write(LEFT, top, "A real GPU records no order.", size=SMALL, style="italic")
            page.tell(f"{name}: a real GPU records no order.")
            continue
        edges: dict[Span, tuple[float, float, float, float]] = {}
        each = []
        for lane, spans in order.lanes.items():
            page.write(0.25, top + LANE / 2, lane, size=SMALL)
            page.line((LEFT, top + LANE), (RIGHT, top + LANE))
            for span in spans:
                what, begin, end = span
                width = max((end - begin) * scale, THINNEST)
                edges[span] = (LEFT + begin * scale, top, width, LANE)
                page.bar(*edges[span], styles[what])
            described = listed(
                f"{what} from {begin:.0f} to {end:.0f}" for what, begin, end in spans
            )
            each.append(f"{lane}: {described}")
            top += LANE + GAP
        for pair in order.unordered:
            for span in (pair.first, pair.second):
                page.bar(*edges[span], fill=False, edgecolor=ALARM, linewidth=2.6, zorder=3)
            each.append(f"no wait: {pair}")
        page.tell(f"{name}. {'; '.join(each)}.")
    page.legend(LEFT, bottom + 0.6, styles)
    return page
