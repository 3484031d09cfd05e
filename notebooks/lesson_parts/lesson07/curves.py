"""`speedup_curve`: a chart of the speed-up of several GPUs against the batch size."""

from collections.abc import Mapping
from typing import Any, Literal

from course_utils.figures.picture import INK, LINE, PAPER, QUIET, SMALL, WIDTH, Picture

STYLES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"))
"""Lines and markers, so that a picture printed in grey can still be read."""

FEW = 6
"""The largest number of points that have space for their numbers."""


def speedup_curve(
    curves: Mapping[int, Mapping[int, float]],
    *,
    title: str,
    source: Literal["modelled", "measured", "computed"],
    mark: tuple[int, int] | None = None,
) -> Picture:
    """A chart of the speed-up at each batch size, with a curve for each number of GPUs.

    The speed-up is written at the marked point, or along a single short curve.

    curves: for a number of GPUs, the speed-up at each batch size.
    source: where the numbers come from; the picture shows the word.
    mark: a number of GPUs and a batch size to point out.
    """
    page = Picture(3.9, title, source)
    page.tell(f"Speed-up against batch size, {source}, {title!r}. One GPU is 1.")
    axes = page.chart(0.75, 0.7, WIDTH - 1.0, 2.6)
    for (gpus, points), (line, marker) in zip(curves.items(), STYLES * len(curves), strict=False):
        style: dict[str, Any] = {"linestyle": line, "marker": marker, "markersize": 5, "color": INK}
        axes.plot(list(points), list(points.values()), label=f"{gpus} GPUs", **style)
        each = ", ".join(f"{speedup:.2f} at {size}" for size, speedup in points.items())
        page.tell(f"{gpus} GPUs: {each}.")
    axes.axhline(1, color=QUIET, linewidth=1)
    sizes = sorted({size for points in curves.values() for size in points})
    axes.text(sizes[-1], 1.03, "one GPU", fontsize=SMALL, color=QUIET, ha="right", va="bottom")
    numbered = [(gpus, size) for gpus, points in curves.items() for size in points]
    if mark is not None:
        gpus, size = mark
        speedup = curves[gpus][size]
        ring: dict[str, Any] = {"markersize": 13, "fillstyle": "none", "markeredgewidth": 2}
        axes.plot(size, speedup, "o", color=INK, **ring)
        page.tell(f"Marked: {gpus} GPUs, {size} samples, {speedup:.2f}.")
        numbered = [mark]
    elif len(curves) > 1 or len(numbered) > FEW:
        numbered = []
    for gpus, size in numbered:
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
    highest = max(speedup for points in curves.values() for speedup in points.values())
    axes.set_ylim(0, max(highest * 1.2, 1.3))
    axes.set_xlabel("batch size", fontsize=SMALL, color=INK)
    axes.set_ylabel("speed-up", fontsize=SMALL, color=INK)
    axes.grid(visible=False, axis="x")
    if len(curves) > 1:
        axes.legend(loc="upper left", fontsize=SMALL, facecolor=PAPER, edgecolor=LINE)
    return page
