"""`loader_map`, `copy_paths` and `epoch_chart`: the way of a batch from the files to the GPU."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from torch import Tensor
from torch.utils.data import DataLoader

from course_utils.experiments.epochs import Epoch
from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    Point,
    arrow,
    box,
    counted,
    listed,
    sheet,
    size_of,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, clock_axis, legend

HOST, GPU, LOCKED = "#e4eef7", "#f2c27b", "#d8cfb8"
LOOKS: dict[str, Look] = {
    "load a batch": ("#9ec5e8", None),
    "step on the GPU": ("#f2c27b", "\\\\\\"),
    "the GPU waits": (PANEL, "...."),
}
MOST_WORKERS = 8  # that are drawn one by one


def loader_map(loader: DataLoader[Any]) -> Picture:
    """Draw the processes and queues of a `DataLoader` that has workers, as it is set up."""
    workers = loader.num_workers
    if not 1 <= workers <= MOST_WORKERS:
        raise ValueError(f"{workers} workers cannot be drawn: take 1 to {MOST_WORKERS}.")
    per_worker = loader.prefetch_factor or 0
    rows = 0.62 * workers
    height = max(rows, 1.25)
    figure, axes = sheet(height + 1.3, f"A loader with {counted(workers, 'worker')}")
    middle = 0.65 + height / 2
    _process(axes, 0.25, middle, ["orders batches:", "lists of indices"])
    for number in range(workers):
        top = middle - rows / 2 + 0.62 * number + 0.07
        _arrow(axes, (1.6, middle), (2.1, top + 0.24))
        box(axes, 2.15, top, 1.75, 0.48)
        write(axes, 2.27, top + 0.24, f"worker {number}", weight="bold", size=SMALL)
        for slot in range(min(per_worker, 4)):
            box(axes, 3.1 + 0.19 * slot, top + 0.14, 0.15, 0.2, fill="#9ec5e8", round_=0)
        _arrow(axes, (3.95, top + 0.24), (4.4, middle))
    box(axes, 4.45, middle - 0.35, 1.15, 0.7, line="--")
    write(axes, 5.025, middle - 0.12, "result queue", align="center", size=SMALL)
    write(axes, 5.025, middle + 0.13, "shared memory", align="center", size=8.5, color=QUIET)
    if loader.pin_memory:
        _arrow(axes, (5.65, middle), (5.9, middle))
        box(axes, 5.95, middle - 0.35, 0.6, 0.7, fill=LOCKED)
        write(axes, 6.25, middle - 0.12, "pin", align="center", size=SMALL)
        write(axes, 6.25, middle + 0.13, "thread", align="center", size=SMALL)
    _arrow(axes, (6.6 if loader.pin_memory else 5.65, middle), (6.8, middle))
    _process(axes, 6.85, middle, ["copies and trains"])
    ahead = workers * per_worker
    note = (
        f"{counted(ahead, 'batch', 'batches')} ahead: {counted(workers, 'worker')} × "
        f"prefetch_factor {per_worker}. Each worker is a process with its own copy of the dataset."
    )
    write(axes, 0.25, height + 1.05, note, size=SMALL, color=QUIET)
    pinning = "a thread of its own pins each batch" if loader.pin_memory else "nothing is pinned"
    alt = (
        f"Diagram of a DataLoader. The main process sends lists of indices to "
        f"{counted(workers, 'worker process', 'worker processes')}. Each loads up to "
        f"{counted(per_worker, 'batch', 'batches')} ahead and puts them into one result queue in "
        f"shared memory. The main process takes them from there; {pinning}. {note}"
    )
    return Picture(figure, alt)


def _process(axes: Axes, left: float, middle: float, does: list[str]) -> None:
    box(axes, left, middle - 0.5, 1.3, 1.0, fill=HOST)
    write(axes, left + 0.65, middle - 0.25, "main process", align="center", weight="bold", size=9)
    for row, text in enumerate(does):
        write(axes, left + 0.65, middle + 0.02 + 0.23 * row, text, align="center", size=9)


def copy_paths(**tensors: Tensor) -> Picture:
    """Draw the way of each tensor of the CPU to a GPU: through a buffer, or directly if pinned."""
    figure, axes = sheet(0.7 + 1.2 * len(tensors), "Two ways over PCIe to the GPU")
    sentences = []
    for row, (name, tensor) in enumerate(tensors.items()):
        top = 0.65 + 1.2 * row
        pinned = tensor.is_pinned()
        kind = "pinned memory" if pinned else "pageable memory"
        box(axes, 0.25, top, 2.0, 0.85, fill=LOCKED if pinned else HOST, hatch=None)
        write(axes, 1.25, top + 0.27, name, align="center", family=MONO)
        write(axes, 1.25, top + 0.57, f"{kind}, {size_of(tensor.nbytes)}", align="center", size=8.5)
        box(axes, 6.4, top, 1.75, 0.85, fill=GPU)
        write(axes, 7.275, top + 0.42, "memory of the GPU", align="center", size=SMALL)
        if pinned:
            _arrow(axes, (2.3, top + 0.42), (6.35, top + 0.42))
            write(
                axes, 4.3, top + 0.2, "the GPU's copy engine fetches it", align="center", size=SMALL
            )
            sentences.append(
                f"{name} is in pinned memory: the GPU's copy engine fetches it directly over PCIe"
            )
            continue
        _arrow(axes, (2.3, top + 0.42), (3.55, top + 0.42))
        write(axes, 2.92, top + 0.12, "CPU copies", align="center", size=8.5)
        write(axes, 2.92, top + 0.7, "piece by piece", align="center", size=8.5)
        box(axes, 3.6, top + 0.1, 1.4, 0.65, fill=LOCKED)
        write(axes, 4.3, top + 0.31, "driver's buffer", align="center", size=SMALL)
        write(axes, 4.3, top + 0.55, "pinned", align="center", size=8.5)
        _arrow(axes, (5.05, top + 0.42), (6.35, top + 0.42))
        write(axes, 5.7, top + 0.12, "copy engine", align="center", size=8.5)
        write(axes, 5.7, top + 0.7, "fetches", align="center", size=8.5)
        sentences.append(
            f"{name} is in pageable memory: the CPU copies it piece by piece into a "
            "pinned buffer of the driver, and the GPU's copy engine fetches it from "
            "there over PCIe"
        )
    alt = f"Diagram, two ways over PCIe to the GPU. {'. '.join(sentences)}."
    return Picture(figure, alt)


def epoch_chart(epoch: Epoch, title: str = "One epoch") -> Picture:
    """Draw an epoch of the model: a row for each process that loads, and one for the GPU."""
    left, right = 1.35, WIDTH - 0.4
    rows = len(epoch.loading) + 1
    bottom = 0.75 + 0.36 * rows
    figure, axes = sheet(bottom + 1.15, title)
    stamp(axes, "modelled")
    clock_axis(axes, left, right, 0.7, bottom, epoch.end, "ms")
    scale = (right - left) / epoch.end
    for number, spans in enumerate(epoch.loading):
        name = f"worker {number}" if epoch.workers else "main process"
        _draw_row(axes, name, spans, 0.75 + 0.36 * number, left, scale, "load a batch")
    top = 0.75 + 0.36 * (rows - 1)
    axes.add_patch(_bar(left, top, epoch.end * scale, "the GPU waits"))
    _draw_row(axes, "GPU", epoch.computing, top, left, scale, "step on the GPU")
    legend(axes, 0.25, bottom + 0.55, LOOKS)
    share = epoch.waits / epoch.end
    told = f"The epoch takes {epoch.end:g} ms; the GPU waits for {share:.0%} of it."
    write(axes, 0.25, bottom + 0.92, told, weight="bold")
    who = "all by the main process"
    if epoch.workers:
        who = listed(f"{len(spans)} by worker {n}" for n, spans in enumerate(epoch.loading))
    batches = counted(len(epoch.computing), "batch", "batches")
    return Picture(figure, f"Modelled timeline, {title!r}. {batches} are loaded, {who}. {told}")


def _draw_row(
    axes: Axes,
    name: str,
    spans: list[tuple[int, float, float]],
    top: float,
    left: float,
    scale: float,
    what: str,
) -> None:
    write(axes, left - 0.12, top + 0.14, name, align="right", size=SMALL)
    axes.plot([left, WIDTH - 0.4], [top + 0.28] * 2, color=LINE, linewidth=0.8)
    for number, begin, end in spans:
        width = (end - begin) * scale
        axes.add_patch(_bar(left + begin * scale, top, width, what))
        if width > 0.22 and what == "load a batch":
            write(
                axes,
                left + begin * scale + width / 2,
                top + 0.14,
                str(number),
                align="center",
                size=8.5,
            )


def _bar(x: float, top: float, width: float, what: str) -> Rectangle:
    fill, hatch = LOOKS[what]
    return Rectangle(
        (x, top), width, 0.28, facecolor=fill, hatch=hatch, edgecolor=INK, linewidth=0.7
    )


def _arrow(axes: Axes, begin: Point, end: Point) -> None:
    arrow(axes, begin, end, width=1.2, shrinkA=0, shrinkB=0)
