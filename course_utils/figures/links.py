"""`link_map`: the memories of a computer, what connects them, and what copies have crossed."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    Picture,
    Point,
    box,
    counted,
    sheet,
    size_of,
    stamp,
    write,
)

Route = tuple[str, str]
"""The names of the device that a copy reads from, and of the one that it writes to."""

HOST, PCIE, CARD = 204.8, 31.5, 1555.0
"""GB/s that data sheets promise. PCIe: in each direction."""
SOURCE = "AMD EPYC 7742 with DDR4-3200 · PCIe 4.0 x16, one direction · NVIDIA A100 40GB PCIe"

CROSSED, HALO = "#9a3412", "#f2bd93"
ROW = 1.05
CORES_W, MEMORY_W = 0.75, 1.25
CPU_X, HOST_X = 0.4, 1.65
CARD_X, GPU_X = 5.0, 7.1
BUS_X = (HOST_X + MEMORY_W + CARD_X) / 2
INCHES = 0.54 / CARD
"""Thickness of a link for each GB/s: all links are drawn to one scale."""


def link_map(
    bytes_by_route: Mapping[Route, int], *, title: str = "What the copies crossed"
) -> Picture:
    """Draw CPU, PCIe and GPUs, and mark the links that copies have crossed.

    bytes_by_route: the bytes copied from one device to another, as `count_copies` counts them.

    The bandwidths are nominal ones of one example computer, and the times follow from them: no
    copy of that size is faster there, and small ones take far longer.
    """
    names = {name for route in bytes_by_route for name in route if name != "cpu"}
    cards = sorted(names, key=_order) or ["cuda:0"]
    return Picture(_draw(bytes_by_route, cards, title), _describe(bytes_by_route, cards, title))


def _order(name: str) -> tuple[str, int]:
    kind, _, index = name.partition(":")
    return kind, int(index or 0)


def _draw(routes: Mapping[Route, int], cards: list[str], title: str) -> Figure:
    bottom = 0.75 + len(cards) * ROW
    figure, axes = sheet(bottom + 0.55 + 0.3 * max(1, len(routes)), title)
    stamp(axes, "nominal")
    levels = {name: 0.75 + (row + 0.5) * ROW for row, name in enumerate(cards)}
    levels["cpu"] = (levels[cards[0]] + levels[cards[-1]]) / 2
    crossed = {name for route in routes for name in route}
    for name, level in levels.items():
        _draw_device(axes, name, level)
    _draw_pcie(axes, levels, crossed)
    y = bottom + 0.2
    for text in [_told(route, size) for route, size in routes.items()] or ["no copy was made"]:
        write(axes, 0.25, y, text, color=CROSSED if routes else QUIET, weight="bold")
        y += 0.3
    write(axes, 0.25, y, f"thickness = GB/s in data sheets: {SOURCE}", size=SMALL - 1, color=QUIET)
    return figure


def _draw_device(axes: Axes, name: str, level: float) -> None:
    """Cores, memory, and the link between them, as thick as it is fast."""
    on_cpu = name == "cpu"
    cores_x, memory_x, rate = (CPU_X, HOST_X, HOST) if on_cpu else (GPU_X, CARD_X, CARD)
    fill, line = ("#eef1f4", "-") if on_cpu else ("#e4f1df", (0, (5, 2)))
    left, right = min(cores_x, memory_x) - 0.15, max(cores_x + CORES_W, memory_x + MEMORY_W) + 0.15
    box(axes, left, level - 0.45, right - left, 0.9, fill=fill, edge=INK, line=line)
    inner, outer = min(cores_x + CORES_W, memory_x + MEMORY_W), max(cores_x, memory_x)
    _pipe(axes, (inner, level), (outer, level), rate)
    box(axes, cores_x, level - 0.27, CORES_W, 0.54, edge=INK)
    write(axes, cores_x + CORES_W / 2, level, name, align="center", weight="bold", family=MONO)
    box(axes, memory_x, level - 0.27, MEMORY_W, 0.54, edge=INK, round_=0, thickness=2)
    middle = memory_x + MEMORY_W / 2
    write(axes, middle, level - 0.11, "host memory" if on_cpu else "GPU memory", align="center")
    write(axes, middle, level + 0.12, f"{rate:,g} GB/s", align="center", size=SMALL, color=QUIET)


def _draw_pcie(axes: Axes, levels: Mapping[str, float], crossed: set[str]) -> None:
    """The bus, and a line from it to each memory; those that a copy crossed stand out."""
    for name, level in levels.items():
        edge = HOST_X + MEMORY_W if name == "cpu" else CARD_X
        for end in ((edge, level), (BUS_X, levels["cpu"])):
            _pipe(axes, (BUS_X, level), end, PCIE, CROSSED if name in crossed else LINE)
            if name in crossed:
                _halo(axes, (BUS_X, level), end)
    top = min(levels.values())
    write(axes, BUS_X, top - 0.42, "PCIe", align="center", weight="bold")
    write(axes, BUS_X, top - 0.22, f"{PCIE:g} GB/s", align="center", size=SMALL, color=QUIET)


def _pipe(axes: Axes, start: Point, end: Point, rate: float, color: str = LINE) -> None:
    half = rate * INCHES / 2
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    wide, tall = x1 - x0 + 2 * half, y1 - y0 + 2 * half
    axes.add_patch(Rectangle((x0 - half, y0 - half), wide, tall, facecolor=color))


def _halo(axes: Axes, start: Point, end: Point) -> None:
    """What is crossed is marked around the link, whose own thickness is its speed."""
    axes.plot([start[0], end[0]], [start[1], end[1]], color=HALO, linewidth=9, zorder=0.5)


def _told(route: Route, size: int) -> str:
    source, target = route
    return f"{source} → {target}: {size_of(size)}, {_least(size)} or more"


def _least(size: int) -> str:
    """The time that PCIe takes for so many bytes at its nominal rate."""
    micros = size / PCIE / 1e3
    return f"{micros:.3g} µs" if micros < 1000 else f"{micros / 1e3:.3g} ms"


def _describe(routes: Mapping[Route, int], cards: list[str], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [
        f"Link map, {title!r}. The host memory of the CPU ({HOST:g} GB/s) and the memory of "
        f"{counted(len(cards), 'GPU')} ({CARD:,g} GB/s) are connected by PCIe ({PCIE:g} GB/s in "
        f"each direction), a far thinner link than theirs. Data sheets: {SOURCE}."
    ]
    parts += [f"{_told(route, size)}, over PCIe." for route, size in routes.items()]
    return " ".join(parts if routes else [*parts, "No copy was made."])
