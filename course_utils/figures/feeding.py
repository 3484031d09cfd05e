"""`loop_timelines`, `sweep_chart` and `utilisation_chart`: how well a GPU is fed."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from course_utils.experiments.loader_sweep import Sweep, usable_cpus
from course_utils.experiments.recording import LANES, FedLoop, Recording
from course_utils.figures.picture import (
    INK,
    LINE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    counted,
    listed,
    sheet,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, bar, clock_axis, legend

LEFT, RIGHT = 1.35, WIDTH - 0.4
LOOKS: Mapping[str, Look] = {
    "host loads": ("#9ec5e8", None),
    "host waits": (PANEL, None),
    "copy to the GPU": ("#d8cfb8", "////"),
    "kernel": ("#f2c27b", "\\\\\\"),
}
"""A fill and a hatch for each kind of work, so that a picture printed in grey can be read."""

READING: Look = ("#9ec5e8", None)
THIN = 0.7  # points: the edge of a bar

LOAD = ("load", "prepare")  # host work that is not waiting begins with one of these words
STYLES = (("o", "-"), ("s", "--"), ("^", ":"))  # a marker and a line for each sweep


def loop_timelines(loops: Mapping[str, Recording], title: str = "Feeding the GPU") -> Picture:
    """Draw recordings below each other, against one clock: host, copies and kernels of each."""
    last = max([recording.end for recording in loops.values()] + [1.0]) / 1e3
    bottom = 0.75 + 1.3 * len(loops)
    figure, axes = sheet(bottom + 0.9, title)
    scale = (RIGHT - LEFT) / last
    modelled = all(recording.modelled for recording in loops.values())
    stamp(axes, "modelled" if modelled else "measured")
    clock_axis(axes, LEFT, RIGHT, 0.7, bottom, last, "ms")
    for number, (name, recording) in enumerate(loops.items()):
        top = 0.75 + 1.3 * number
        write(axes, 0.25, top + 0.1, name, weight="bold")
        ends = f"done after {recording.end / 1e3:.2f} ms"
        write(axes, RIGHT, top + 0.1, ends, align="right", size=SMALL)
        for row, lane in enumerate(LANES):
            _draw_lane(axes, lane, recording, top + 0.26 + 0.32 * row, scale)
    legend(axes, 0.25, bottom + 0.6, LOOKS)
    return Picture(figure, _describe_loops(loops, title, modelled))


def _draw_lane(axes: Axes, lane: str, recording: Recording, top: float, scale: float) -> None:
    write(axes, LEFT - 0.12, top + 0.14, lane, align="right", size=SMALL)
    axes.plot([LEFT, RIGHT], [top + 0.26] * 2, color=LINE, linewidth=0.8)
    for name, begin, end in recording.lanes[lane]:
        fill, hatch = LOOKS[_kind(lane, name)]
        width = (end - begin) / 1e3 * scale
        axes.add_patch(
            Rectangle(
                (LEFT + begin / 1e3 * scale, top),
                max(width, 0.004),
                0.26,
                facecolor=fill,
                edgecolor=INK if width > 0.03 else "none",
                hatch=hatch,
                linewidth=0.7,
            )
        )


def _kind(lane: str, name: str) -> str:
    if lane == "host":
        return "host loads" if name.startswith(LOAD) else "host waits"
    return "copy to the GPU" if lane == "copies" else "kernel"


def _describe_loops(loops: Mapping[str, Recording], title: str, modelled: bool) -> str:
    parts = [f"{'Modelled' if modelled else 'Measured'} timelines, {title!r}."]
    for name, recording in loops.items():
        parts.append(
            f"{name}: done after {recording.end / 1e3:.2f} ms; the GPU computes for "
            f"{recording.busy('kernels') / 1e3:.2f} ms and waits in between for "
            f"{recording.gaps() / 1e3:.2f} ms; copies take {recording.busy('copies') / 1e3:.2f} "
            f"ms, of which {recording.overlap() / 1e3:.2f} ms overlap with kernels."
        )
    return " ".join(parts)


def sweep_chart(*sweeps: Sweep, title: str = "How many workers?") -> Picture:
    """Draw a line for each sweep: how many times as fast as with the fewest workers.

    A point is the median of the runs, the bar through it reaches from the slowest to the fastest.
    The fewest workers within the noise are ringed.
    """
    figure, axes = sheet(4.3, title)
    stamp(axes, "measured")
    counts = sorted({workers for one in sweeps for workers in one.rates})
    highest = max(max(rates) / _base(one) for one in sweeps for rates in one.rates.values())
    left, right, top, bottom = 0.9, WIDTH - 3.2, 0.8, 3.45
    x = {
        workers: left + 0.35 + (right - left - 0.6) * place / max(len(counts) - 1, 1)
        for place, workers in enumerate(counts)
    }
    ticks = [t for t in MaxNLocator(5, integer=True).tick_values(0, highest) if t >= 0]
    for tick in ticks:
        y = bottom - (bottom - top) * tick / ticks[-1]
        axes.plot([left, right], [y, y], color=LINE, linewidth=0.4)
        write(axes, left - 0.1, y, f"{tick:g}×", align="right", size=SMALL)
    for workers in counts:
        write(axes, x[workers], bottom + 0.18, str(workers), align="center", size=SMALL)
    write(axes, (left + right) / 2, bottom + 0.45, "workers", align="center", size=SMALL)
    for number, one in enumerate(sweeps):
        heights = {
            workers: [bottom - (bottom - top) * rate / _base(one) / ticks[-1] for rate in rates]
            for workers, rates in one.rates.items()
        }
        _draw_sweep(axes, one, x, heights, STYLES[number % len(STYLES)], 1.0 + 1.15 * number)
    where = (
        f"samples per second, as a multiple of those with {counted(counts[0], 'worker')}; "
        f"{counted(usable_cpus(), 'CPU')}"
    )
    write(axes, 0.25, 4.1, where, size=SMALL, color=QUIET)
    return Picture(figure, _describe_sweeps(sweeps, title, where))


def _base(one: Sweep) -> float:
    """What the rates are compared with."""
    return one.median(min(one.rates))


def _draw_sweep(
    axes: Axes,
    one: Sweep,
    x: Mapping[int, float],
    heights: Mapping[int, Sequence[float]],
    style: tuple[str, str],
    label_top: float,
) -> None:
    """Draw one line with the spread of its points, and its label beside the chart."""
    marker, line = style
    middles = {workers: sorted(ys)[len(ys) // 2] for workers, ys in heights.items()}
    places = [x[workers] for workers in middles]
    axes.plot(places, list(middles.values()), line, marker=marker, color=INK, markersize=6)
    for workers, ys in heights.items():
        axes.plot([x[workers]] * 2, [min(ys), max(ys)], color=INK, linewidth=4, alpha=0.35)
    chosen = one.choice
    axes.plot(
        x[chosen],
        middles[chosen],
        "o",
        markersize=17,
        markerfacecolor="none",
        markeredgecolor=INK,
        markeredgewidth=1.6,
    )
    left = WIDTH - 2.95
    axes.plot([left, left + 0.4], [label_top] * 2, line, marker=marker, color=INK, markersize=6)
    write(axes, left + 0.55, label_top, one.name, weight="bold", size=SMALL)
    write(axes, left, label_top + 0.28, f"fastest: {_told(one, one.fastest)}", size=SMALL)
    write(axes, left, label_top + 0.53, f"ringed: {_told(one, chosen)}", size=SMALL)


def _told(one: Sweep, workers: int) -> str:
    return f"{counted(workers, 'worker')}, {one.median(workers):.0f} per s"


def _describe_sweeps(sweeps: Sequence[Sweep], title: str, where: str) -> str:
    parts = [f"Line chart, measured, {title!r}: {where}."]
    for one in sweeps:
        points = listed(
            f"{counted(workers, 'worker')} {one.median(workers) / _base(one):.2f} times "
            f"(from {min(rates) / _base(one):.2f} to {max(rates) / _base(one):.2f})"
            for workers, rates in one.rates.items()
        )
        parts.append(
            f"{one.name}: {points}. Fastest: {_told(one, one.fastest)}. "
            f"Fewest workers within the noise, ringed: {_told(one, one.choice)}."
        )
    return " ".join(parts)


def utilisation_chart(loops: Mapping[str, FedLoop], title: str = "Utilisation") -> Picture:
    """Draw loops below each other, against one clock: the readings, and what the GPU really did.

    A reading is a bar as wide as the second before it. Below the bars is the GPU's work.
    """
    bottom = 1.0 + 1.45 * len(loops)
    figure, axes = sheet(bottom + 0.5, title)
    modelled = all(loop.modelled for loop in loops.values())
    stamp(axes, "modelled" if modelled else "measured")
    left, last = 0.4, max([len(loop.readings) for loop in loops.values()] + [1])
    second = (RIGHT - left) / last
    legend(
        axes,
        left,
        0.75,
        {
            "GPU-Util read after each second, in %": READING,
            "the GPU computes on a batch": LOOKS["kernel"],
        },
    )
    clock_axis(axes, left, RIGHT, 1.0, bottom, last, "s")
    for number, (name, loop) in enumerate(loops.items()):
        base = 1.0 + 1.45 * (number + 1) - 0.36
        write(axes, left, base - 0.93, name, weight="bold", size=SMALL)
        write(axes, RIGHT, base - 0.93, f"done after {loop.end:.1f} s", align="right", size=SMALL)
        for place, reading in enumerate(loop.readings):
            x, height = left + second * place, 0.6 * reading / 100
            bar(axes, x, base - height, second, height, READING, THIN)
            write(axes, x + second / 2, base - height - 0.1, str(reading), align="center", size=8)
        axes.plot([left, RIGHT], [base] * 2, color=INK, linewidth=0.8)
        for begin, end in loop.work:
            bar(
                axes,
                left + second * begin,
                base + 0.06,
                second * (end - begin),
                0.16,
                LOOKS["kernel"],
                THIN,
            )
    kind = "Modelled" if modelled else "Measured"
    rows = " ".join(
        f"{name}: {', '.join(map(str, loop.readings))}; the GPU computes from "
        + listed(f"{begin:.2f} to {end:.2f}" for begin, end in loop.work)
        + f" s; done after {loop.end:.1f} s."
        for name, loop in loops.items()
    )
    return Picture(figure, f"{kind} utilisation in %, read every second, {title!r}. {rows}")
