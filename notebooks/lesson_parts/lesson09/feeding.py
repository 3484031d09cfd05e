"""`loop_timelines`, `sweep_chart` and `utilisation_chart`: charts of loading and computing."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from types import MappingProxyType
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from course_utils.cpus import usable_cpus
from course_utils.experiments.recording import LANES, FedLoop, Recording
from course_utils.figures.picture import (
    BAR_STYLES,
    INK,
    NOTE,
    PANEL,
    PAPER,
    SMALL,
    WIDTH,
    BarStyle,
    Picture,
)
from course_utils.words import counted, listed
from lesson_parts.lesson09.loader_sweep import TOLERANCE, Sweep

LEFT, RIGHT = 1.35, WIDTH - 0.4
READING, KERNEL = BAR_STYLES[:2]
KINDS: Mapping[str, BarStyle] = {
    "host loads": READING,
    "host waits": (PANEL, None),
    "copy to the GPU": ("#d8cfb8", "////"),
    "kernel": KERNEL,
}

RECORDED: Mapping[str, float] = MappingProxyType(
    {
        "0 workers": 32,
        "4 workers": 12,
        "pinned memory": 11.5,
        "persistent workers": 9,
        "the second stream": 9,
        "`__getitems__`": 3,
    }
)
"""Seconds of the last table of PyTorch's tutorial Data Loading Optimization, each with all changes
before it, but the last one without the second stream. They are rounded there."""

LOAD = ("load", "prepare")  # names of host work, other than waits, begin with one of these words
STYLES = (("o", "-"), ("s", "--"), ("^", ":"))  # a marker and a line for each sweep


def smallest_gain(seconds: Mapping[str, float]) -> str:
    """The change after which the time went down least. seconds: after one change and the next."""
    gains = {name: before - after for (_, before), (name, after) in pairwise(seconds.items())}
    return min(gains, key=lambda name: gains[name])


def loop_timelines(
    source: Literal["modelled", "recorded", "mine"],
    loops: Mapping[str, Recording] | Mapping[str, float],
) -> Picture:
    """A picture of training loops below each other, over one clock.

    source: where the times come from. "modelled": `loops` are recordings on the virtual clock, and
        each has the lanes of host, copies and kernels. "recorded" and "mine": seconds, on a real
        GPU and on this computer; each loop is a bar.
    Raises ValueError if the loops are not of this kind.
    """
    bottom = 0.75 + (1.3 if source == "modelled" else 0.42) * len(loops)
    if source == "modelled":
        recordings = {name: one for name, one in loops.items() if isinstance(one, Recording)}
        title = "When the GPU copies, and when it computes"
        page = Picture(bottom + 0.9, title, "modelled")
        _draw_timelines(page, recordings, bottom)
        return page
    seconds = {name: one for name, one in loops.items() if not isinstance(one, Recording)}
    if len(seconds) < len(loops):
        raise ValueError(f"{source!r} draws seconds. Recordings are drawn by 'modelled'.")
    recorded = source == "recorded"
    where = "on a real GPU, PyTorch's tutorial" if recorded else "on this computer"
    title = (
        "PyTorch's tutorial: each row adds a change" if recorded else "Your loop, on this computer"
    )
    page = Picture(bottom + 0.2, title, source)
    page.tell(f"Bars of seconds, {where}, {source}.")
    _draw_bars(page, seconds, added="+ " if recorded else "")
    return page


def _draw_bars(page: Picture, seconds: Mapping[str, float], added: str) -> None:
    """Draw a bar for each time. added: comes before each name but the first."""
    left, last = 2.3, max([*seconds.values(), 0.001])
    for row, (name, taken) in enumerate(seconds.items()):
        top, width = 0.75 + 0.42 * row, (RIGHT - 0.9 - left) * taken / last
        label = (added if row else "") + name.replace("`", "")
        page.write(left - 0.12, top + 0.14, label, align="right", size=SMALL)
        page.bar(left, top, max(width, 0.02), 0.28, READING)
        page.write(left + width + 0.1, top + 0.14, f"{taken:.3g} s", size=SMALL, weight="bold")
        page.tell(f"{name}: {taken:.3g} s.")


def _draw_timelines(page: Picture, loops: Mapping[str, Recording], bottom: float) -> None:
    last = max([recording.end for recording in loops.values()] + [1.0]) / 1e3
    scale = (RIGHT - LEFT) / last
    page.tell("Modelled timelines.")
    page.clock(LEFT, RIGHT, 0.7, bottom, last, "ms")
    for number, (name, recording) in enumerate(loops.items()):
        top = 0.75 + 1.3 * number
        page.write(0.25, top + 0.1, name, weight="bold", behind=PAPER)
        ends = f"done after {recording.end / 1e3:.2f} ms"
        page.write(RIGHT, top + 0.1, ends, align="right", size=SMALL, behind=PAPER)
        for row, lane in enumerate(LANES):
            _draw_lane(page, lane, recording, top + 0.26 + 0.32 * row, scale / 1e3)
        page.tell(
            f"{name}: {ends}; the GPU computes for "
            f"{recording.busy('kernels') / 1e3:.2f} ms and waits in between for "
            f"{recording.gaps() / 1e3:.2f} ms; copies take {recording.busy('copies') / 1e3:.2f} "
            f"ms, of which {recording.overlap() / 1e3:.2f} ms overlap with kernels."
        )
    page.legend(0.25, bottom + 0.6, KINDS)


def _draw_lane(page: Picture, lane: str, recording: Recording, top: float, scale: float) -> None:
    page.write(LEFT - 0.12, top + 0.14, lane, align="right", size=SMALL)
    page.line((LEFT, top + 0.26), (RIGHT, top + 0.26))
    for name, begin, end in recording.lanes[lane]:
        style, width = KINDS[_kind(lane, name)], (end - begin) * scale
        edge = INK if width > 0.03 else "none"
        page.bar(LEFT + begin * scale, top, max(width, 0.004), 0.26, style, edgecolor=edge)


def _kind(lane: str, name: str) -> str:
    if lane == "host":
        return "host loads" if name.startswith(LOAD) else "host waits"
    return "copy to the GPU" if lane == "copies" else "kernel"


def sweep_chart(*sweeps: Sweep, title: str = "How many workers are enough?") -> Picture:
    """A chart with a line for each sweep: the speed relative to the smallest number of workers.

    A point is the median of the runs; the bar through it spans the slowest to the fastest run. A
    ring marks the smallest number of workers that is good enough, by `Sweep.choice`.
    """
    page = Picture(4.3, title, "measured")
    counts = sorted({workers for one in sweeps for workers in one.rates})
    where = (
        f"samples per second, as a multiple of those with {counted(counts[0], 'worker')}; "
        f"{counted(usable_cpus(), 'CPU')}"
    )
    page.write(0.25, 4.1, where, **NOTE)
    page.tell(f"Line chart, measured, {title!r}: {where}.")
    axes = page.chart(0.9, 0.8, WIDTH - 4.1, 2.65)
    axes.set_xticks(range(len(counts)), map(str, counts))
    axes.set_xlabel("workers", fontsize=SMALL, color=INK)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter("{x:g}×")
    axes.grid(visible=False, axis="x")
    for number, one in enumerate(sweeps):
        base = one.median(min(one.rates))
        multiples = {
            workers: [rate / base for rate in sorted(rates)] for workers, rates in one.rates.items()
        }
        _draw_sweep(
            page, axes, one, {counts.index(w): each for w, each in multiples.items()}, number
        )
        described = listed(
            f"{counted(workers, 'worker')} {median(each):.2f} times "
            f"(from {each[0]:.2f} to {each[-1]:.2f})"
            for workers, each in multiples.items()
        )
        page.tell(
            f"{one.name}: {described}. Fastest: {_described(one, one.fastest)}. "
            f"Fewest workers within {TOLERANCE:.0%} of its time, ringed: "
            f"{_described(one, one.choice)}."
        )
    axes.set_xlim(-0.35, len(counts) - 0.65)
    axes.set_ylim(bottom=0)
    return page


def _draw_sweep(
    page: Picture, axes: Axes, one: Sweep, points: Mapping[int, Sequence[float]], number: int
) -> None:
    """Draw one line with the spread of its points, and its label next to the chart."""
    marker, line = STYLES[number % len(STYLES)]
    style: dict[str, Any] = {"marker": marker, "linestyle": line, "color": INK, "markersize": 6}
    medians = {place: median(each) for place, each in points.items()}
    axes.plot(list(medians), list(medians.values()), **style)
    lowest, highest = zip(*((each[0], each[-1]) for each in points.values()), strict=True)
    axes.vlines(list(points), lowest, highest, color=INK, linewidth=4, alpha=0.35)
    ringed = dict(zip(one.rates, medians.items(), strict=True))[one.choice]
    axes.plot(*ringed, "o", color=INK, markersize=17, fillstyle="none", markeredgewidth=1.6)
    end, at_edge = list(medians.items())[-1], max(medians) == len(axes.get_xticks()) - 1
    offset, side = ((-13, 9), "right") if at_edge else ((11, -3), "left")
    axes.annotate(one.name, end, offset, textcoords="offset points", ha=side, fontsize=SMALL)
    left, top = WIDTH - 2.95, 1.0 + 1.15 * number
    page.line((left, top), (left + 0.4, top), linewidth=1.5, **style)
    page.write(left + 0.55, top, one.name, weight="bold", size=SMALL)
    page.write(left, top + 0.28, f"fastest: {_described(one, one.fastest)}", size=SMALL)
    page.write(left, top + 0.53, f"enough (ring): {_described(one, one.choice)}", size=SMALL)


def _described(one: Sweep, workers: int) -> str:
    return f"{counted(workers, 'worker')}, {one.median(workers):.0f} per s"


def utilisation_chart(loops: Mapping[str, FedLoop], title: str = "Utilisation") -> Picture:
    """A picture of loops below each other, over one clock: the readings, and the GPU's real work.

    A reading is a bar as wide as the second before it. Below the bars is the GPU's work.
    """
    bottom = 1.0 + 1.45 * len(loops)
    modelled = all(loop.modelled for loop in loops.values())
    page = Picture(bottom + 0.5, title, "modelled" if modelled else "measured")
    kind = "Modelled" if modelled else "Measured"
    page.tell(f"{kind} utilisation in %, read every second, {title!r}.")
    left, last = 0.4, max([len(loop.readings) for loop in loops.values()] + [1])
    second = (RIGHT - left) / last
    read, computes = "GPU-Util read after each second, in %", "the GPU computes on a batch"
    page.legend(left, 0.75, {read: READING, computes: KERNEL})
    page.clock(left, RIGHT, 1.0, bottom, last, "s")
    for number, (name, loop) in enumerate(loops.items()):
        base, done = 1.0 + 1.45 * (number + 1) - 0.36, f"done after {loop.end:.1f} s"
        page.write(left, base - 0.93, name, weight="bold", size=SMALL)
        page.write(RIGHT, base - 0.93, done, align="right", size=SMALL)
        for place, reading in enumerate(loop.readings):
            x, height = left + second * place, 0.6 * reading / 100
            page.bar(x, base - height, second, height, READING)
            page.write(x + second / 2, base - height - 0.1, str(reading), align="center", size=8)
        page.line((left, base), (RIGHT, base), color=INK)
        for begin, end in loop.work:
            page.bar(left + second * begin, base + 0.06, second * (end - begin), 0.16, KERNEL)
        work = listed(f"{begin:.2f} to {end:.2f}" for begin, end in loop.work)
        readings = ", ".join(map(str, loop.readings))
        page.tell(f"{name}: {readings}; the GPU computes from {work} s; {done}.")
    return page
