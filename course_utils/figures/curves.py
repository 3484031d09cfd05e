"""`speedup_curve`: how many times as fast several GPUs are, against the batch size."""

from collections.abc import Mapping
from typing import Literal

from course_utils.figures.picture import INK, LINE, PAPER, QUIET, SMALL, Picture, sheet, stamp

STYLES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"))
"""Lines and markers, so that a picture printed in grey can still be read."""

FEW = 6
"""Points that have room for their numbers."""


def speedup_curve(
    curves: Mapping[int, Mapping[int, float]],
    *,
    title: str,
    source: Literal["modelled", "measured", "computed"],
    mark: tuple[int, int] | None = None,
) -> Picture:
    """Draw, for each number of GPUs, the speed-up at each batch size, and the line of one GPU.

    curves: for a number of GPUs, the speed-up at each batch size.
    source: where the numbers come from; the picture says so.
    mark: a number of GPUs and a batch size to point out.
    """
    figure, page = sheet(3.9, title)
    stamp(page, source)
    axes = figure.add_axes((0.09, 0.15, 0.88, 0.67), facecolor=PAPER)
    for number, (gpus, points) in enumerate(curves.items()):
        line, marker = STYLES[number % len(STYLES)]
        axes.plot(
            list(points),
            list(points.values()),
            color=INK,
            linestyle=line,
            marker=marker,
            markersize=5,
            label=f"{gpus} GPUs",
        )
    axes.axhline(1, color=QUIET, linewidth=1)
    sizes = sorted({size for points in curves.values() for size in points})
    axes.text(sizes[-1], 1.03, "one GPU", fontsize=SMALL, color=QUIET, ha="right", va="bottom")
    if mark is not None:
        axes.plot(
            [mark[1]],
            [curves[mark[0]][mark[1]]],
            marker="o",
            markersize=13,
            color=INK,
            fillstyle="none",
            markeredgewidth=2,
        )
    for gpus, size in _with_numbers(curves, mark):
        speedup = curves[gpus][size]
        axes.annotate(
            f"{speedup:.2f}",
            (size, speedup),
            (0, 13),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            fontweight="bold",
            color=INK,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
        )
    axes.set_xscale("log", base=2)
    ticks = [size for size in sizes if size & (size - 1) == 0]  # powers of two
    axes.set_xticks(ticks, [str(size) for size in ticks], fontsize=SMALL)
    axes.minorticks_off()
    axes.tick_params(labelsize=SMALL, colors=INK)
    highest = max(speedup for points in curves.values() for speedup in points.values())
    axes.set_ylim(0, max(highest * 1.2, 1.3))
    axes.set_xlabel("batch size", fontsize=SMALL, color=INK)
    axes.set_ylabel("speed-up", fontsize=SMALL, color=INK)
    axes.grid(axis="y", color=LINE, alpha=0.4)
    axes.spines[["top", "right"]].set_visible(False)
    if len(curves) > 1:
        axes.legend(loc="upper left", fontsize=SMALL, facecolor=PAPER, edgecolor=LINE)
    return Picture(figure, _describe(curves, title, source, mark))


def _with_numbers(
    curves: Mapping[int, Mapping[int, float]], mark: tuple[int, int] | None
) -> list[tuple[int, int]]:
    """Where the speed-up is written: at the marked point, or along a single short curve."""
    if mark is not None:
        return [mark]
    points = [(gpus, size) for gpus, points in curves.items() for size in points]
    return points if len(curves) == 1 and len(points) <= FEW else []


def _describe(
    curves: Mapping[int, Mapping[int, float]],
    title: str,
    source: str,
    mark: tuple[int, int] | None,
) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Speed-up against batch size, {source}, {title!r}. One GPU is 1."]
    for gpus, points in curves.items():
        each = ", ".join(f"{speedup:.2f} at {size}" for size, speedup in points.items())
        parts.append(f"{gpus} GPUs: {each}.")
    if mark is not None:
        gpus, size = mark
        parts.append(f"Marked: {gpus} GPUs, {size} samples, {curves[gpus][size]:.2f}.")
    return " ".join(parts)
