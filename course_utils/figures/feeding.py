"""`loop_timelines`, `sweep_chart` and `utilisation_chart`: how well a GPU is fed."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_utils.experiments.loader_sweep import Measurement, usable_cpus
from course_utils.experiments.recording import LANES, Recording
from course_utils.figures.picture import (
    INK,
    LINE,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    listed,
    sheet,
    stamp,
    write,
)

LEFT, RIGHT = 1.35, WIDTH - 0.4
LOOKS = {
    "host": ("#9ec5e8", None),
    "copies": ("#ece6d6", "////"),
    "kernels": ("#f2c27b", "\\\\\\"),
}
"""A fill and a hatch for each lane, so that a picture printed in grey can still be read."""

LOAD = ("load", "prepare")  # host work that is not waiting begins with one of these words


def loop_timelines(loops: Mapping[str, Recording], title: str = "Feeding the GPU") -> Picture:
    """Draw recordings below each other, against one clock: host, copies and kernels of each."""
    last = max([recording.end for recording in loops.values()] + [1e-9])
    figure, axes = sheet(1.05 + 1.55 * len(loops), title)
    scale = (RIGHT - LEFT) / last
    modelled = all(recording.modelled for recording in loops.values())
    stamp(axes, "modelled" if modelled else "measured")
    for number, (name, recording) in enumerate(loops.items()):
        top = 0.65 + 1.55 * number
        write(axes, 0.25, top + 0.08, name, weight="bold")
        write(
            axes, RIGHT, top + 0.08, f"{recording.end / 1e3:.2f} ms", align="right", size=SMALL
        )
        for row, lane in enumerate(LANES):
            _draw_lane(axes, lane, recording, top + 0.25 + 0.38 * row, scale)
    bottom = 0.65 + 1.55 * len(loops)
    write(axes, RIGHT, bottom + 0.15, "time →", align="right", size=SMALL, color=QUIET)
    return Picture(figure, _describe_loops(loops, title, modelled))


def _draw_lane(
    axes: Axes, lane: str, recording: Recording, top: float, scale: float
) -> None:
    fill, hatch = LOOKS[lane]
    write(axes, LEFT - 0.12, top + 0.15, lane, align="right", size=SMALL)
    axes.plot([LEFT, RIGHT], [top + 0.3] * 2, color=LINE, linewidth=0.8)
    for name, begin, end in recording.lanes[lane]:
        waits = lane == "host" and not name.startswith(LOAD)
        axes.add_patch(
            Rectangle(
                (LEFT + begin * scale, top),
                max((end - begin) * scale, 0.004),
                0.3,
                facecolor="#ffffff" if waits else fill,
                edgecolor=INK if (end - begin) * scale > 0.03 else "none",
                hatch=hatch,
                linewidth=0.7,
            )
        )


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


def sweep_chart(found: Sequence[Measurement], title: str = "Samples per second") -> Picture:
    """Draw a bar for each measurement, sorted as measured, and mark the fastest."""
    best = max(found, key=lambda one: one.rate)
    figure, axes = sheet(1.25 + 0.3 * len(found), title)
    stamp(axes, "measured")
    left, right = 3.1, WIDTH - 1.5
    for row, one in enumerate(found):
        top = 0.6 + 0.3 * row
        fill, hatch = ("#ece6d6", "////") if one.pinned else ("#9ec5e8", None)
        write(axes, left - 0.12, top + 0.11, str(one), align="right", size=SMALL)
        axes.add_patch(
            Rectangle(
                (left, top), (right - left) * one.rate / best.rate, 0.22, facecolor=fill,
                hatch=hatch, edgecolor=INK, linewidth=1.8 if one is best else 0.7,
            )
        )  # fmt: skip
        label = f"{one.rate:.0f}" + (" ← fastest" if one is best else "")
        x = left + (right - left) * one.rate / best.rate + 0.08
        write(axes, x, top + 0.11, label, size=SMALL, weight="bold" if one is best else "normal")
    bottom = 0.6 + 0.3 * len(found)
    cores = usable_cpus()
    where = f"measured on this computer, {cores} CPUs, one epoch each"
    write(axes, 0.25, bottom + 0.3, where, size=SMALL, color=QUIET)
    rates = listed(f"{one}: {one.rate:.0f}" for one in found)
    alt = f"Bar chart, {title!r}, {where}. Fastest: {best}. {rates}."
    return Picture(figure, alt)


def utilisation_chart(
    series: Mapping[str, Sequence[int]], title: str = "Utilisation", *, modelled: bool
) -> Picture:
    """Draw readings of the GPU's utilisation in %, a row of bars for each series."""
    figure, axes = sheet(0.75 + 1.3 * len(series), title)
    stamp(axes, "modelled" if modelled else "measured")
    for number, (name, readings) in enumerate(series.items()):
        base = 0.65 + 1.3 * (number + 1) - 0.2
        write(axes, 0.25, base - 0.98, name, weight="bold", size=SMALL)
        axes.plot([0.4, RIGHT], [base] * 2, color=LINE, linewidth=0.8)
        width = (RIGHT - 0.4) / max(len(readings), 1)
        for place, reading in enumerate(readings):
            x, height = 0.4 + width * place, 0.62 * reading / 100
            axes.add_patch(
                Rectangle(
                    (x + 0.1 * width, base - height), 0.8 * width, height,
                    facecolor=LOOKS["kernels"][0], hatch=LOOKS["kernels"][1], edgecolor=INK,
                    linewidth=0.7,
                )
            )  # fmt: skip
            write(axes, x + width / 2, base - height - 0.1, str(reading), align="center", size=8.5)
    kind = "Modelled" if modelled else "Measured"
    rows = " ".join(f"{name}: {', '.join(map(str, r))}." for name, r in series.items())
    return Picture(figure, f"{kind} utilisation in %, one reading after another, {title!r}. {rows}")
