"""Charts of lesson 09: loops over time, their speeds, and readings of `GPU-Util`."""

from collections.abc import Mapping
from itertools import pairwise
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
        "`__getitems__`, one stream": 10.0,
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
    """A staircase of speeds: a bar for each, of which the hatched part is new.

    source: "recorded": multiples of the first, in PyTorch's tutorial; or "measured": images per
    second of a loop on this computer, and its "ceiling", a line.
    """
    recorded, rows = source == "recorded", {**speeds}
    ceiling = rows.pop("ceiling", 0.0)
    title = f"What each change added {'in a tutorial of PyTorch' if recorded else 'to your loop'}"
    page = Picture((1.45 if ceiling else 1.15) + ROW * len(rows), title, source)
    where = "on a real GPU, PyTorch's tutorial" if recorded else "in images/s, on this computer"
    page.tell(f"Bars of speeds {where}, {source}.")
    shown = "times as fast as with 0 workers" if recorded else "images per second, best of 3 rounds"
    page.write(0.25, 0.68, f"{shown}; hatched: more than in the row above", **NOTE)
    left, most, before = 2.3, max([*speeds.values(), 0.001]), 0.0
    scale, bottom = (RIGHT - 1.3 - left) / most, 0.95 + ROW * len(rows)
    for row, (name, speed) in enumerate(rows.items()):
        top = 0.95 + ROW * row
        label = ("+ " if row else "") + name.replace("`", "")
        page.write(left - 0.12, top + 0.14, label, align="right", size=SMALL)
        old = min(before, speed) if row else speed
        parts = [(max(old * scale, 0.02), READING), ((speed - old) * scale, KERNEL)]
        end = page.bars(left, top, 0.28, parts)
        number = f"{speed:.1f}×" if recorded else f"{speed:,.0f}"
        if ceiling:
            number += f", {speed / ceiling:.0%}"
        page.write(end + 0.1, top + 0.14, number, size=SMALL, weight="bold", behind=PAPER)
        page.tell(f"{name}: {number}.")
        before = speed
    if ceiling:
        x, text = left + ceiling * scale, f"ceiling: {ceiling:,.0f}, 100%"
        page.line((x, 0.88), (x, bottom), color=INK, linestyle="--", linewidth=1.2, zorder=0)
        page.write(x, bottom + 0.16, text, align="center", size=SMALL)
        page.tell(f"{text}.")
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


def sweep_chart(
    found: Mapping[str, Sweep], title: str = "More workers help while they wait"
) -> Picture:
    """A chart of the rates of a loop by its number of workers, a line for each kind of loader.

    A point is the median of the rounds; the bar through it spans the slowest to the fastest. A ring
    marks the smallest number of workers that is good enough, by `Sweep.choice`.
    """
    page = Picture(4.6, title, "measured")
    cpus, ceiling = usable_cpus(), max(rate for each in found.values() for rate in each.ceiling)
    axes = page.chart(0.95, 1.0, WIDTH - 2.65, 2.65)
    where = f"images per second, on {counted(cpus, 'CPU')}"
    shown = "point: median of the rounds; bar: the slowest to the fastest"
    page.write(0.25, 0.75, f"{where}; {shown}", **NOTE)
    page.tell(f"Line chart, measured, {title!r}: {where}.")
    counts = sorted({number for each in found.values() for number in each.rates})
    axes.set_xticks(range(len(counts)), map(str, counts))
    axes.set_xlabel("workers", fontsize=SMALL, color=INK)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(visible=False, axis="x")
    style: dict[str, Any] = {"textcoords": "offset points", "fontsize": SMALL, "color": INK}
    for (kind, each), dashes, mark in zip(found.items(), ("-", ":"), "os", strict=False):
        medians = [each.median(number) for number in counts]
        axes.plot(medians, linestyle=dashes, marker=mark, color=INK, markersize=6)
        lowest, highest = ([of(each.rates[n]) for n in counts] for of in (min, max))
        axes.vlines(range(len(counts)), lowest, highest, color=INK, linewidth=5, alpha=0.35)
        chosen = counts.index(each.choice)
        axes.plot(chosen, medians[chosen], "o", color=INK, markersize=17, fillstyle="none", mew=1.6)
        for place, number in enumerate(counts):
            last, rate = number == counts[-1], medians[place]
            text = f"{kind}: {rate:,.0f}" if last else f"{rate:,.0f}"
            upper = rate >= max(other.median(number) for other in found.values())
            offset = ((14 if last else 0), (3 if last else 12) if upper else (-10 if last else -20))
            axes.annotate(text, (place, rate), offset, ha="left" if last else "center", **style)
        described = listed(
            f"{counted(number, 'worker')} {rate:.0f} (from {low:.0f} to {high:.0f})"
            for number, rate, low, high in zip(counts, medians, lowest, highest, strict=True)
        )
        page.tell(f"{kind}: {described}; {counted(each.choice, 'worker')} are enough.")
    axes.axhline(ceiling, color=INK, linestyle="--", linewidth=1.2)
    text = f"ceiling: {ceiling:,.0f}"
    axes.annotate(text, (-0.3, ceiling), (0, 6), **style)
    ring = f"Ring: the fewest workers that need at most {TOLERANCE:.0%} more time than the best."
    page.write(0.25, 4.36, ring, **NOTE)
    page.tell(f"With one batch again and again, {text}.")
    axes.set_xlim(-0.35, len(counts) - 0.7)
    axes.set_ylim(0, 1.2 * ceiling)
    return page


def util_bars(
    loops: Mapping[str, FedLoop], title: str = "Calm readings do not mean a busy GPU"
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
