"""Charts of lesson 09: loops over time, their speeds, and readings of `GPU-Util`."""

from collections.abc import Mapping
from itertools import pairwise
from statistics import median
from types import MappingProxyType
from typing import Any, Literal

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

LEFT, RIGHT, ROW = 1.35, WIDTH - 0.4, 0.42
READING, KERNEL = BAR_STYLES[:2]
KINDS: Mapping[str, BarStyle] = {
    "host loads": READING,
    "host waits": (PANEL, None),
    "copy to the GPU": ("#d8cfb8", "////"),
    "kernel": KERNEL,
}

RECORDED: Mapping[str, float] = MappingProxyType(
    {
        "0 workers": 1.0,
        "4 workers": 2.7,
        "pinned memory": 2.8,
        "persistent workers": 3.7,
        "the second stream": 3.6,
        "`__getitems__`": 10.0,
    }
)
"""The last table of PyTorch's tutorial Data Loading Optimization: speeds as multiples of the first,
each with all changes before it, but the last one without the second stream."""

LOAD = ("load", "prepare")  # names of host work, other than waits, begin with one of these words


def least_gain(speeds: Mapping[str, float]) -> str:
    """The change after which the speed grew least. speeds: after one change and the next."""
    gains = {name: after / before for (_, before), (name, after) in pairwise(speeds.items())}
    return min(gains, key=lambda name: gains[name])


def timelines(loops: Mapping[str, Recording]) -> Picture:
    """A picture of training loops below each other, over one clock: host, copies and kernels."""
    bottom = 0.75 + 1.3 * len(loops)
    page = Picture(bottom + 0.9, "When the GPU copies, and when it computes", "modelled")
    _draw_timelines(page, loops, bottom)
    return page


def speed_bars(speeds: Mapping[str, float], source: Literal["recorded", "measured"]) -> Picture:
    """A picture with a bar for each speed.

    source: "recorded": multiples of the first, in PyTorch's tutorial; or "measured": images per
    second of a loop on this computer.
    """
    recorded = source == "recorded"
    title = "Your loop, before and after"
    if recorded:
        title = "PyTorch's tutorial: how many times as fast as with 0 workers"
    page = Picture(0.95 + ROW * len(speeds), title, source)
    where = "on a real GPU, PyTorch's tutorial" if recorded else "in images/s, on this computer"
    page.tell(f"Bars of speeds {where}, {source}.")
    left, most = 2.3, max([*speeds.values(), 0.001])
    for row, (name, speed) in enumerate(speeds.items()):
        top, width = 0.75 + ROW * row, (RIGHT - 1.1 - left) * speed / most
        label = ("+ " if row and recorded else "") + name.replace("`", "")
        page.write(left - 0.12, top + 0.14, label, align="right", size=SMALL)
        page.bar(left, top, max(width, 0.02), 0.28, READING)
        number = f"{speed:.1f}×" if recorded else f"{speed:.0f} images/s"
        page.write(left + width + 0.1, top + 0.14, number, size=SMALL, weight="bold")
        page.tell(f"{name}: {number}.")
    return page


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


def sweep_chart(found: Sweep, title: str = "How many workers are enough?") -> Picture:
    """A chart of the rates of a loop by its number of workers, below its ceiling.

    A point is the median of the rounds; the bar through it spans the slowest to the fastest. A ring
    marks the smallest number of workers that is good enough, by `Sweep.choice`.
    """
    page, counts = Picture(4.6, title, "measured"), sorted(found.rates)
    ceiling = median(found.ceiling)
    axes = page.chart(0.95, 1.0, WIDTH - 1.35, 2.65)
    where = f"images per second, on {counted(usable_cpus(), 'CPU')}"
    shown = "point: median of the rounds; bar: the slowest to the fastest"
    page.write(0.25, 0.75, f"{where}; {shown}", **NOTE)
    axes.set_xticks(range(len(counts)), map(str, counts))
    axes.set_xlabel("workers", fontsize=SMALL, color=INK)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(visible=False, axis="x")
    medians = [found.median(workers) for workers in counts]
    axes.plot(range(len(counts)), medians, marker="o", color=INK, markersize=6)
    lowest, highest = ([of(found.rates[n]) for n in counts] for of in (min, max))
    axes.vlines(range(len(counts)), lowest, highest, color=INK, linewidth=5, alpha=0.35)
    axes.axhline(ceiling, color=INK, linestyle="--", linewidth=1.2)
    ring = counts.index(found.choice)
    axes.plot(ring, medians[ring], "o", color=INK, markersize=17, fillstyle="none", mew=1.6)

    style: dict[str, Any] = {"textcoords": "offset points", "fontsize": SMALL}
    text = f"ceiling: {ceiling:,.0f}, with one batch again and again"
    axes.annotate(text, (-0.3, ceiling), (0, 6), **style)
    for place, each in enumerate(medians):
        high = each > ceiling / 2  # its label is below the line
        offset, side = ((9, -15), "left") if high else ((-7, 6), "right")
        axes.annotate(f"{each:,.0f}", (place, each), offset, ha=side, **style)
    page.write(0.25, 4.36, f"The ring: {_enough(found)}", **NOTE)
    axes.set_xlim(-0.35, len(counts) - 0.5)
    axes.set_ylim(0, 1.2 * max(ceiling, *highest))
    described = listed(
        f"{counted(workers, 'worker')} {each:.0f} (from {low:.0f} to {high:.0f})"
        for workers, each, low, high in zip(counts, medians, lowest, highest, strict=True)
    )
    page.tell(
        f"Line chart, measured, {title!r}: {where}: "
        f"{described}. With one batch again and again: {ceiling:.0f}. The ring: {_enough(found)}"
    )
    return page


def _enough(found: Sweep) -> str:
    return (
        f"{counted(found.choice, 'worker')}, the fewest that need at most {TOLERANCE:.0%} more "
        f"time than the best ({counted(found.fastest, 'worker')})."
    )


def util_bars(
    loops: Mapping[str, FedLoop], title: str = "GPU-Util, and the batches that cause it"
) -> Picture:
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
