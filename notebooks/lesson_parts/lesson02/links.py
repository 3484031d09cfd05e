"""`link_map`: the memories of a computer, what connects them, and what copies have crossed."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, LINE, MONO, NOTE, QUIET, SMALL, Picture, Point, ground
from course_utils.words import counted, size_of

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
    crossed = {name for route in bytes_by_route for name in route}
    cards = sorted(crossed - {"cpu"}, key=_order) or ["cuda:0"]
    bottom = 0.75 + len(cards) * ROW
    page = Picture(bottom + 0.55 + 0.3 * max(1, len(bytes_by_route)), title, "nominal")
    page.tell(
        f"Link map, {title!r}. The host memory of the CPU ({HOST:g} GB/s) and the memory of "
        f"{counted(len(cards), 'GPU')} ({CARD:,g} GB/s) are connected by PCIe ({PCIE:g} GB/s in "
        f"each direction), a far thinner link than theirs. Data sheets: {SOURCE}."
    )
    levels = {name: 0.75 + (row + 0.5) * ROW for row, name in enumerate(cards)}
    levels["cpu"] = (levels[cards[0]] + levels[cards[-1]]) / 2
    for name, level in levels.items():
        _draw_device(page, name, level)
    _draw_pcie(page, levels, crossed)
    y = bottom + 0.2
    for (source, target), size in bytes_by_route.items():
        told = f"{source} → {target}: {size_of(size)}, {_least(size)} or more"
        page.write(0.25, y, told, color=CROSSED, weight="bold")
        page.tell(f"{told}, over PCIe.")
        y += 0.3
    if not bytes_by_route:
        page.write(0.25, y, "no copy was made", color=QUIET, weight="bold")
        page.tell("No copy was made.")
        y += 0.3
    note = f"thickness = GB/s in data sheets: {SOURCE}"
    page.write(0.25, y, note, size=SMALL - 1, color=QUIET)
    return page


def _order(name: str) -> tuple[str, int]:
    kind, _, index = name.partition(":")
    return kind, int(index or 0)


def _draw_device(page: Picture, name: str, level: float) -> None:
    """Cores, memory, and the link between them, as thick as it is fast."""
    on_cpu = name == "cpu"
    cores_x, memory_x, rate = (CPU_X, HOST_X, HOST) if on_cpu else (GPU_X, CARD_X, CARD)
    left, right = min(cores_x, memory_x) - 0.15, max(cores_x + CORES_W, memory_x + MEMORY_W) + 0.15
    page.box(left, level - 0.45, right - left, 0.9, **ground(name))
    inner, outer = min(cores_x + CORES_W, memory_x + MEMORY_W), max(cores_x, memory_x)
    _pipe(page, (inner, level), (outer, level), rate)
    page.box(cores_x, level - 0.27, CORES_W, 0.54, name, edge=INK, weight="bold", family=MONO)
    page.box(memory_x, level - 0.27, MEMORY_W, 0.54, edge=INK, round_=0, thickness=2)
    middle, what = memory_x + MEMORY_W / 2, "host memory" if on_cpu else "GPU memory"
    page.write(middle, level - 0.11, what, align="center")
    page.write(middle, level + 0.12, f"{rate:,g} GB/s", align="center", **NOTE)


def _draw_pcie(page: Picture, levels: Mapping[str, float], crossed: set[str]) -> None:
    """The bus, and a line from it to each memory; those that a copy crossed stand out.

    What is crossed is marked around the link, whose own thickness is its speed.
    """
    for name, level in levels.items():
        edge = HOST_X + MEMORY_W if name == "cpu" else CARD_X
        for end in ((edge, level), (BUS_X, levels["cpu"])):
            _pipe(page, (BUS_X, level), end, PCIE, CROSSED if name in crossed else LINE)
            if name in crossed:
                page.line((BUS_X, level), end, color=HALO, linewidth=9, zorder=0.5)
    top = min(levels.values())
    page.write(BUS_X, top - 0.42, "PCIe", align="center", weight="bold")
    page.write(BUS_X, top - 0.22, f"{PCIE:g} GB/s", align="center", **NOTE)


def _pipe(page: Picture, start: Point, end: Point, rate: float, color: str = LINE) -> None:
    width = rate * INCHES
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    corner = x0 - width / 2, y0 - width / 2
    page.bar(*corner, x1 - x0 + width, y1 - y0 + width, (color, None), edgecolor="none")


def _least(size: int) -> str:
    """The time that PCIe takes for so many bytes at its nominal rate."""
    micros = size / PCIE / 1e3
    return f"{micros:.3g} µs" if micros < 1000 else f"{micros / 1e3:.3g} ms"
