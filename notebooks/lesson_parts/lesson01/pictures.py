"""`processors_map`: a CPU beside a GPU. `work_chart`: how long each takes for some work, at least.

All numbers are nominal ones of `lesson_parts.lesson01.processors`.
"""

from collections.abc import Mapping
from math import log10

from course_utils.figures.picture import BLUE, INK, QUIET, SMALL, WIDTH, Picture
from lesson_parts.lesson01.processors import CPU, GPU, SOURCE, Processor, Work

CORE, CACHE, CONTROL, UNIT = BLUE, "#ece6d6", "#f6f8fa", "#e09f3e"
HALF, INSIDE = 4.0, 3.65
"""Width of one processor's half of the picture, and of what is drawn in it, in inches."""
CHIP, PART = 2.2, 0.98
"""Where the chip begins, and the enlarged part of it: inches from the top."""

LEFT, RIGHT, ROW = 2.3, WIDTH - 1.7, 0.4
SHORTEST, LONGEST = -6, 0
"""Powers of ten, in seconds: the ends of the chart."""
BYTES, OPERATIONS = ("s", INK), ("o", "#9a3412")
"""A marker and a colour."""


def processors_map() -> Picture:
    """Draw both processors: one core or group enlarged, all of them, the cache, and the memory.

    To scale, between the two: how many there are of everything, the caches, and the links to the
    memories. Not to scale: what a core, a group, a unit and its control take of the chip.
    """
    page = Picture(5.55, "Two processors", "nominal")
    for left, processor in ((0.25, CPU), (0.25 + HALF, GPU)):
        page.write(left, 0.74, f"{processor.name}, one {processor.part} enlarged", weight="bold")
        _part(page, left, processor)
        _chip(page, left, processor)
        _memory(page, left, processor)
        facts = _facts(processor)
        for row, fact in enumerate(facts):
            page.write(left, 4.62 + 0.21 * row, fact, size=SMALL)
        page.tell(
            f"{processor.name}: {' '.join(facts)}; {_cache(processor)}; its memory "
            f"delivers {_bandwidth(processor)}."
        )
    note = f"{SOURCE} · caches and links are to scale, control is not"
    page.write(0.25, 5.38, note, size=SMALL - 1, color=QUIET)
    page.tell("Enlarged, a core of the CPU is mostly control, and a group of the GPU mostly units.")
    page.tell(f"Nominal, from {SOURCE}.")
    return page


def _part(page: Picture, left: float, processor: Processor) -> None:
    """One core or group, enlarged: its units, all of one size, and what tells them what to do."""
    page.box(left, PART, INSIDE, 0.92, fill=CONTROL, edge=INK)
    columns, rows = processor.units // 4, 4
    width = 0.15 * columns
    edge = left + INSIDE - 0.1 - width
    _tiles(page, edge, PART + 0.1, (columns, rows), UNIT, (width, 0.6))
    page.write((left + edge) / 2, PART + 0.45, "control", align="center", size=SMALL)
    units = f"{processor.units} units"
    page.write(edge + width / 2, PART + 0.83, units, align="center", size=SMALL)
    across, _, chip, _ = _grid(processor)
    core = 0.86 * chip / across
    for end, corner in ((left, left + 0.15), (left + INSIDE, left + 0.15 + core)):
        page.line((end, PART + 0.92), (corner, CHIP + 0.12))


def _grid(processor: Processor) -> tuple[int, int, float, float]:
    """Columns and rows of cores or groups, their width, and that of the cache beside them."""
    columns = 8 if processor is CPU else 12
    cache = 1.5 * processor.cache / CPU.cache
    return columns, processor.parts // columns, INSIDE - 0.45 - cache, cache


def _chip(page: Picture, left: float, processor: Processor) -> None:
    """All cores or groups, and the cache, as wide in proportion as it is large."""
    columns, rows, width, cache = _grid(processor)
    page.box(left, CHIP, INSIDE, 1.74, edge=INK)
    _tiles(page, left + 0.15, CHIP + 0.12, (columns, rows), CORE, (width, 1.5))
    edge = left + INSIDE - 0.15 - cache
    page.box(edge, CHIP + 0.12, cache, 1.5, fill=CACHE, edge=INK, round_=0)
    page.write(
        edge + cache / 2, CHIP + 0.87, _cache(processor), align="center", size=SMALL, rotation=90
    )


def _tiles(
    page: Picture,
    left: float,
    top: float,
    grid: tuple[int, int],
    fill: str,
    size: tuple[float, float],
) -> None:
    """Columns and rows of cores, of groups, or of units."""
    (columns, rows), (width, height) = grid, size
    across, down = width / columns, height / rows
    for number in range(columns * rows):
        x, y = left + number % columns * across, top + number // columns * down
        page.bar(x, y, across * 0.86, down * 0.82, (fill, None), linewidth=0.5)


def _memory(page: Picture, left: float, processor: Processor) -> None:
    """The memory below, and the way to it, as wide in proportion as it is fast."""
    middle = left + INSIDE / 2
    width = 0.6 * processor.bandwidth / GPU.bandwidth
    page.bar(middle - width / 2, CHIP + 1.74, width, 0.22, (INK, None))
    what = "host memory" if processor is CPU else "GPU memory"
    text = f"{what}, {_bandwidth(processor)}"
    page.box(left, CHIP + 1.96, INSIDE, 0.26, text, edge=INK, round_=0, thickness=2, size=SMALL)


def _bandwidth(processor: Processor) -> str:
    return f"{processor.bandwidth / 1e9:,.0f} GB/s"


def _cache(processor: Processor) -> str:
    return f"{processor.level} cache, {processor.cache} MB"


def _facts(processor: Processor) -> tuple[str, ...]:
    units = processor.parts * processor.units
    return (
        f"{processor.parts} {processor.part}s × {processor.units} units = {units:,} units",
        f"× 2 operations a cycle × {processor.clock:g} GHz ({processor.at})",
        f"= {processor.rate / 1e12:.1f} × 10¹² operations a second",
    )


def work_chart(tasks: Mapping[str, Work]) -> Picture:
    """Draw, for each task on each processor, the time for its bytes and that for its operations.

    tasks: by name. The axis is logarithmic; what takes longer is marked, since it sets the pace.
    """
    rows = [(name, work, processor) for name, work in tasks.items() for processor in (CPU, GPU)]
    bottom = 1.1 + ROW * len(rows)
    page = Picture(bottom + 1.0, "Moving bytes, or computing?", "nominal")
    for x, what, (marker, color) in ((0.4, "bytes", BYTES), (1.35, "operations", OPERATIONS)):
        _mark(page, x, 0.78, marker, color, filled=False)
        page.write(x + 0.18, 0.78, what, size=SMALL)
    page.write(2.6, 0.78, "filled: takes longer, and sets the pace", size=SMALL)
    for power in range(SHORTEST, LONGEST + 1):
        x = _x(10.0**power)
        page.line((x, 1.0), (x, bottom), linewidth=0.5, zorder=0)
        page.write(x, bottom + 0.14, _time(10.0**power), align="center", size=SMALL)
    axis = "time on a logarithmic axis: from line to line, ten times as long"
    page.write((LEFT + RIGHT) / 2, bottom + 0.38, axis, align="center", size=SMALL)
    told = []
    for number, (name, work, processor) in enumerate(rows):
        level = 1.1 + ROW * (number + 0.5)
        page.write(LEFT - 0.15, level, f"{name}, {processor.name}", align="right")
        moving, computing = processor.moving(work), processor.computing(work)
        page.line((_x(moving), level), (_x(computing), level), linewidth=1)
        _mark(page, _x(moving), level, *BYTES, filled=moving > computing)
        _mark(page, _x(computing), level, *OPERATIONS, filled=computing > moving)
        pace = "bytes" if moving > computing else "operations"
        page.write(RIGHT + 0.15, level, f"{_time(processor.seconds(work))}, {pace}", size=SMALL)
        told.append(
            f"{name} on the {processor.name}: {_time(moving)} for the bytes, "
            f"{_time(computing)} for the operations"
        )
    page.write(0.25, bottom + 0.78, SOURCE, size=SMALL - 1, color=QUIET)
    page.tell(f"Nominal times, on a logarithmic axis, from {SOURCE}. {'; '.join(told)}.")
    return page


def _mark(page: Picture, x: float, y: float, marker: str, color: str, *, filled: bool) -> None:
    inside = color if filled else "white"
    page.axes.plot(x, y, marker, markersize=11, color=color, markerfacecolor=inside)


def _x(seconds: float) -> float:
    share = (log10(seconds) - SHORTEST) / (LONGEST - SHORTEST)
    return LEFT + (RIGHT - LEFT) * min(1.0, max(0.0, share))


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size * 0.999:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
