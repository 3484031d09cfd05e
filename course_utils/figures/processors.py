"""`processors_map`: a CPU beside a GPU. `work_chart`: how long each takes for some work, at least.

All numbers are nominal ones of `course_utils.experiments.processors`.
"""

from collections.abc import Mapping
from math import log10

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_utils.experiments.processors import CPU, GPU, SOURCE, Processor, Work
from course_utils.figures.picture import (
    INK,
    LINE,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    sheet,
    stamp,
    write,
)

CORE, CACHE, LANES = "#9ec5e8", "#ece6d6", "#f2c27b"
HALF = 4.0
"""Width of one processor in the picture, in inches."""

LEFT, RIGHT, ROW = 2.3, WIDTH - 1.7, 0.4
SHORTEST, LONGEST = -7, -1
"""Powers of ten, in seconds: the ends of the chart."""


def processors_map() -> Picture:
    """Draw both processors: cores, the largest cache, memory, and their numbers."""
    figure, axes = sheet(4.75, "Two processors")
    stamp(axes, "nominal")
    tiles = "each square: a core", "each box: a group of 64 cores"
    for left, processor, tile in zip((0.25, 0.25 + HALF), (CPU, GPU), tiles, strict=True):
        write(axes, left, 0.72, processor.name, weight="bold")
        write(axes, left + 0.6, 0.72, tile, size=SMALL)
        box(axes, left, 0.9, HALF - 0.35, 2.1, edge=INK)
        _memory(axes, left, processor)
        for row, fact in enumerate(_facts(processor)):
            write(axes, left, 3.68 + 0.22 * row, fact, size=SMALL)
    _tiles(axes, 0.4, 1.0, columns=8, rows=8, fill=CORE)
    box(axes, 2.55, 1.0, 1.2, 1.9, fill=CACHE, edge=INK, round_=0)
    write(axes, 3.15, 1.95, "cache", align="center")
    _tiles(axes, 4.4, 1.0, columns=12, rows=9, fill=LANES, width=3.35, height=1.6, hatch="....")
    box(axes, 4.4, 2.68, 3.35, 0.22, fill=CACHE, edge=INK, round_=0)
    write(axes, 6.07, 2.79, "cache", align="center", size=SMALL)
    write(axes, 0.25, 4.58, SOURCE, size=SMALL - 1, color=QUIET)
    return Picture(figure, f"{_told(CPU)} {_told(GPU)} Nominal, from {SOURCE}.")


def _tiles(
    axes: Axes,
    left: float,
    top: float,
    *,
    columns: int,
    rows: int,
    fill: str,
    width: float = 2.0,
    height: float = 1.9,
    hatch: str | None = None,
) -> None:
    """A grid of cores, or of groups of cores."""
    across, down = width / columns, height / rows
    for number in range(columns * rows):
        x, y = left + number % columns * across, top + number // columns * down
        axes.add_patch(Rectangle((x, y), across * 0.86, down * 0.82, facecolor=fill, edgecolor=INK,
                                 hatch=hatch, linewidth=0.5))  # fmt: skip


def _memory(axes: Axes, left: float, processor: Processor) -> None:
    """The memory below, and the way to it, as wide in proportion as it is fast."""
    middle = left + (HALF - 0.35) / 2
    width = 0.6 * processor.bandwidth / GPU.bandwidth
    axes.add_patch(Rectangle((middle - width / 2, 3.0), width, 0.22, facecolor=INK))
    box(axes, left, 3.22, HALF - 0.35, 0.26, edge=INK, round_=0, thickness=2)
    what = "host memory" if processor is CPU else "GPU memory"
    write(axes, middle, 3.35, f"{what}, {processor.bandwidth / 1e9:,.0f} GB/s", align="center",
          size=SMALL)  # fmt: skip


def _facts(processor: Processor) -> tuple[str, ...]:
    return (
        f"{processor.cores}, {processor.clock:g} GHz",
        processor.cache,
        f"{processor.rate / 1e12:.1f} TFLOP/s in float32",
    )


def _told(processor: Processor) -> str:
    return (f"{processor.name}: {', '.join(_facts(processor))}; its memory delivers "
            f"{processor.bandwidth / 1e9:,.0f} GB/s.")


def work_chart(tasks: Mapping[str, Work]) -> Picture:
    """Draw, for each task on each processor, the time for its bytes and that for its operations.

    tasks: by name. The axis is logarithmic; what takes longer is marked, since it sets the pace.
    """
    rows = [(name, work, processor) for name, work in tasks.items() for processor in (CPU, GPU)]
    bottom = 1.1 + ROW * len(rows)
    figure, axes = sheet(bottom + 0.75, "Moving bytes, or computing?")
    stamp(axes, "nominal")
    _legend(axes)
    for power in range(SHORTEST, LONGEST + 1):
        axes.plot([_x(10.0**power)] * 2, [1.0, bottom], color=LINE, linewidth=0.5, zorder=0)
        write(axes, _x(10.0**power), bottom + 0.14, _time(10.0**power), align="center", size=SMALL)
    for number, (name, work, processor) in enumerate(rows):
        level = 1.1 + ROW * (number + 0.5)
        write(axes, LEFT - 0.15, level, f"{name}, {processor.name}", align="right")
        moving, computing = processor.moving(work), processor.computing(work)
        axes.plot([_x(moving), _x(computing)], [level, level], color=LINE, linewidth=1)
        axes.plot([_x(moving)], [level], marker="s", markersize=11, color=INK, linestyle="",
                  markerfacecolor=INK if moving > computing else "white")  # fmt: skip
        axes.plot([_x(computing)], [level], marker="o", markersize=11, color="#9a3412",
                  linestyle="",
                  markerfacecolor="#9a3412" if computing > moving else "white")  # fmt: skip
        pace = f"{_time(processor.seconds(work))}, {_pace(work, processor)}"
        write(axes, RIGHT + 0.15, level, pace, size=SMALL)
    write(axes, 0.25, bottom + 0.5, SOURCE, size=SMALL - 1, color=QUIET)
    return Picture(figure, _describe(rows))


def _legend(axes: Axes) -> None:
    axes.plot([0.4], [0.78], marker="s", markersize=11, color=INK, linestyle="", fillstyle="none")
    write(axes, 0.58, 0.78, "bytes", size=SMALL)
    axes.plot([1.35], [0.78], marker="o", markersize=11, color="#9a3412", linestyle="",
              fillstyle="none")  # fmt: skip
    write(axes, 1.53, 0.78, "operations", size=SMALL)
    write(axes, 2.6, 0.78, "filled: takes longer, and sets the pace", size=SMALL)


def _x(seconds: float) -> float:
    share = (log10(seconds) - SHORTEST) / (LONGEST - SHORTEST)
    return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share))


def _pace(work: Work, processor: Processor) -> str:
    """What takes longer."""
    return "bytes" if processor.moving(work) > processor.computing(work) else "operations"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size * 0.999:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _describe(rows: list[tuple[str, Work, Processor]]) -> str:
    """The chart in words, out of the same data."""
    told = (
        f"{name} on the {processor.name}: {_time(processor.moving(work))} for the bytes, "
        f"{_time(processor.computing(work))} for the operations"
        for name, work, processor in rows
    )
    return f"Nominal times, from {SOURCE}. {'; '.join(told)}."
