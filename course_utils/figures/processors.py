"""`processors_map`: a CPU beside a GPU. `work_chart`: how long each takes for some work, at least.

All numbers are nominal ones of `course_utils.experiments.processors`.
"""

from collections.abc import Mapping
from math import log10

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_utils.experiments.processors import CPU, GPU, SOURCE, Processor, Work
from course_utils.figures.picture import (
    FONT,
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

CORE, CACHE, CONTROL, UNIT = "#9ec5e8", "#ece6d6", "#f6f8fa", "#e09f3e"
HALF, INSIDE = 4.0, 3.65
"""Width of one processor's half of the picture, and of what is drawn in it, in inches."""
CHIP, PART = 2.2, 0.98
"""Where the chip begins, and the enlarged part of it: inches from the top."""

LEFT, RIGHT, ROW = 2.3, WIDTH - 1.7, 0.4
SHORTEST, LONGEST = -6, 0
"""Powers of ten, in seconds: the ends of the chart."""


def processors_map() -> Picture:
    """Draw both processors: one core or group enlarged, all of them, the cache, and the memory.

    To scale, between the two: how many there are of everything, the caches, and the links to the
    memories. Not to scale: what a core, a group, a unit and its control take of the chip.
    """
    figure, axes = sheet(5.55, "Two processors")
    stamp(axes, "nominal")
    for left, processor in ((0.25, CPU), (0.25 + HALF, GPU)):
        write(axes, left, 0.74, f"{processor.name}, one {processor.part} enlarged", weight="bold")
        _part(axes, left, processor)
        _chip(axes, left, processor)
        _memory(axes, left, processor)
        for row, fact in enumerate(_facts(processor)):
            write(axes, left, 4.62 + 0.21 * row, fact, size=SMALL)
    note = f"{SOURCE} · caches and links are to scale, control is not"
    write(axes, 0.25, 5.38, note, size=SMALL - 1, color=QUIET)
    drawn = "Enlarged, a core of the CPU is mostly control, and a group of the GPU mostly units."
    return Picture(figure, f"{_told(CPU)} {_told(GPU)} {drawn} Nominal, from {SOURCE}.")


def _part(axes: Axes, left: float, processor: Processor) -> None:
    """One core or group, enlarged: its units, all of one size, and what tells them what to do."""
    box(axes, left, PART, INSIDE, 0.92, fill=CONTROL, edge=INK)
    columns, rows = processor.units // 4, 4
    width = 0.15 * columns
    edge = left + INSIDE - 0.1 - width
    _tiles(axes, edge, PART + 0.1, columns=columns, rows=rows, fill=UNIT, width=width, height=0.6)
    write(axes, (left + edge) / 2, PART + 0.45, "control", align="center", size=SMALL)
    write(
        axes, edge + width / 2, PART + 0.83, f"{processor.units} units", align="center", size=SMALL
    )
    for end, corner in ((left, left + 0.15), (left + INSIDE, left + 0.15 + _size(processor)[0])):
        axes.plot([end, corner], [PART + 0.92, CHIP + 0.12], color=LINE, linewidth=0.8)


def _size(processor: Processor) -> tuple[float, float]:
    """Of one core or group on the chip, in inches."""
    columns, rows, width, _ = _grid(processor)
    return width / columns * 0.86, 1.5 / rows * 0.82


def _grid(processor: Processor) -> tuple[int, int, float, float]:
    """Columns and rows of cores or groups, their width, and that of the cache beside them."""
    columns = 8 if processor is CPU else 12
    cache = 1.5 * processor.cache / CPU.cache
    return columns, processor.parts // columns, INSIDE - 0.45 - cache, cache


def _chip(axes: Axes, left: float, processor: Processor) -> None:
    """All cores or groups, and the cache, as wide in proportion as it is large."""
    columns, rows, width, cache = _grid(processor)
    box(axes, left, CHIP, INSIDE, 1.74, edge=INK)
    _tiles(
        axes,
        left + 0.15,
        CHIP + 0.12,
        columns=columns,
        rows=rows,
        fill=CORE,
        width=width,
        height=1.5,
    )
    edge = left + INSIDE - 0.15 - cache
    box(axes, edge, CHIP + 0.12, cache, 1.5, fill=CACHE, edge=INK, round_=0)
    axes.text(
        edge + cache / 2,
        CHIP + 0.87,
        _cache(processor),
        ha="center",
        va="center",
        fontsize=SMALL,
        color=INK,
        fontfamily=FONT,
        rotation=90,
    )


def _tiles(
    axes: Axes,
    left: float,
    top: float,
    *,
    columns: int,
    rows: int,
    fill: str,
    width: float,
    height: float,
) -> None:
    """A grid of cores, of groups, or of units."""
    across, down = width / columns, height / rows
    for number in range(columns * rows):
        x, y = left + number % columns * across, top + number // columns * down
        axes.add_patch(
            Rectangle(
                (x, y), across * 0.86, down * 0.82, facecolor=fill, edgecolor=INK, linewidth=0.5
            )
        )


def _memory(axes: Axes, left: float, processor: Processor) -> None:
    """The memory below, and the way to it, as wide in proportion as it is fast."""
    middle = left + INSIDE / 2
    width = 0.6 * processor.bandwidth / GPU.bandwidth
    axes.add_patch(Rectangle((middle - width / 2, CHIP + 1.74), width, 0.22, facecolor=INK))
    box(axes, left, CHIP + 1.96, INSIDE, 0.26, edge=INK, round_=0, thickness=2)
    what = "host memory" if processor is CPU else "GPU memory"
    write(
        axes,
        middle,
        CHIP + 2.09,
        f"{what}, {processor.bandwidth / 1e9:,.0f} GB/s",
        align="center",
        size=SMALL,
    )


def _cache(processor: Processor) -> str:
    return f"{processor.level} cache, {processor.cache} MB"


def _facts(processor: Processor) -> tuple[str, ...]:
    units = processor.parts * processor.units
    return (
        f"{processor.parts} {processor.part}s × {processor.units} units = {units:,} units",
        f"× 2 operations a cycle × {processor.clock:g} GHz ({processor.at})",
        f"= {processor.rate / 1e12:.1f} × 10¹² operations a second",
    )


def _told(processor: Processor) -> str:
    return (
        f"{processor.name}: {' '.join(_facts(processor))}; {_cache(processor)}; its memory "
        f"delivers {processor.bandwidth / 1e9:,.0f} GB/s."
    )


def work_chart(tasks: Mapping[str, Work]) -> Picture:
    """Draw, for each task on each processor, the time for its bytes and that for its operations.

    tasks: by name. The axis is logarithmic; what takes longer is marked, since it sets the pace.
    """
    rows = [(name, work, processor) for name, work in tasks.items() for processor in (CPU, GPU)]
    bottom = 1.1 + ROW * len(rows)
    figure, axes = sheet(bottom + 1.0, "Moving bytes, or computing?")
    stamp(axes, "nominal")
    _legend(axes)
    for power in range(SHORTEST, LONGEST + 1):
        axes.plot([_x(10.0**power)] * 2, [1.0, bottom], color=LINE, linewidth=0.5, zorder=0)
        write(axes, _x(10.0**power), bottom + 0.14, _time(10.0**power), align="center", size=SMALL)
    write(
        axes,
        (LEFT + RIGHT) / 2,
        bottom + 0.38,
        "time on a logarithmic axis: from line to line, ten times as long",
        align="center",
        size=SMALL,
    )
    for number, (name, work, processor) in enumerate(rows):
        level = 1.1 + ROW * (number + 0.5)
        write(axes, LEFT - 0.15, level, f"{name}, {processor.name}", align="right")
        moving, computing = processor.moving(work), processor.computing(work)
        axes.plot([_x(moving), _x(computing)], [level, level], color=LINE, linewidth=1)
        axes.plot(
            [_x(moving)],
            [level],
            marker="s",
            markersize=11,
            color=INK,
            linestyle="",
            markerfacecolor=INK if moving > computing else "white",
        )
        axes.plot(
            [_x(computing)],
            [level],
            marker="o",
            markersize=11,
            color="#9a3412",
            linestyle="",
            markerfacecolor="#9a3412" if computing > moving else "white",
        )
        pace = f"{_time(processor.seconds(work))}, {_pace(work, processor)}"
        write(axes, RIGHT + 0.15, level, pace, size=SMALL)
    write(axes, 0.25, bottom + 0.78, SOURCE, size=SMALL - 1, color=QUIET)
    return Picture(figure, _describe(rows))


def _legend(axes: Axes) -> None:
    axes.plot([0.4], [0.78], marker="s", markersize=11, color=INK, linestyle="", fillstyle="none")
    write(axes, 0.58, 0.78, "bytes", size=SMALL)
    axes.plot(
        [1.35], [0.78], marker="o", markersize=11, color="#9a3412", linestyle="", fillstyle="none"
    )
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
    return f"Nominal times, on a logarithmic axis, from {SOURCE}. {'; '.join(told)}."
