"""`loader_map` and `copy_paths`: drawings of the path of a batch from the files to the GPU."""

from typing import Any

from torch import Tensor
from torch.utils.data import DataLoader

from course_utils.figures.picture import (
    BAR_STYLES,
    MONO,
    NOTE,
    ORANGE,
    QUIET,
    SMALL,
    Picture,
    Point,
)
from course_utils.words import counted, size_of

HOST, GPU, LOCKED = "#e4eef7", ORANGE, "#d8cfb8"
MOST_WORKERS = 8  # that are drawn one by one


def loader_map(loader: DataLoader[Any]) -> Picture:
    """A picture of the processes and queues of a `DataLoader` with workers."""
    workers = loader.num_workers
    if not 1 <= workers <= MOST_WORKERS:
        raise ValueError(f"{workers} workers cannot be drawn. Take 1 to {MOST_WORKERS}.")
    per_worker = loader.prefetch_factor or 0
    rows = 0.62 * workers
    height = max(rows, 1.25)
    page = Picture(height + 1.3, f"A loader with {counted(workers, 'worker')}")
    middle = 0.65 + height / 2
    _process(page, 0.25, middle, ["orders batches:", "lists of indices"])
    for number in range(workers):
        top = middle - rows / 2 + 0.62 * number + 0.07
        _arrow(page, (1.6, middle), (2.1, top + 0.24))
        page.box(2.15, top, 1.75, 0.48)
        page.write(2.27, top + 0.24, f"worker {number}", weight="bold", size=SMALL)
        for slot in range(min(per_worker, 4)):
            page.bar(3.1 + 0.19 * slot, top + 0.14, 0.15, 0.2, BAR_STYLES[0])
        _arrow(page, (3.95, top + 0.24), (4.4, middle))
    page.box(4.45, middle - 0.35, 1.15, 0.7, line="--")
    page.write(5.025, middle - 0.12, "result queue", align="center", size=SMALL)
    page.write(5.025, middle + 0.13, "shared memory", align="center", size=8.5, color=QUIET)
    if loader.pin_memory:
        _arrow(page, (5.65, middle), (5.9, middle))
        page.box(5.95, middle - 0.35, 0.6, 0.7, fill=LOCKED)
        page.write(6.25, middle - 0.12, "pin", align="center", size=SMALL)
        page.write(6.25, middle + 0.13, "thread", align="center", size=SMALL)
    _arrow(page, (6.6 if loader.pin_memory else 5.65, middle), (6.8, middle))
    _process(page, 6.85, middle, ["copies and trains"])
    ahead = workers * per_worker
    note = (
        f"{counted(ahead, 'batch', 'batches')} ahead: {counted(workers, 'worker')} × "
        f"prefetch_factor {per_worker}. Each worker is a process with its own copy of the dataset."
    )
    page.write(0.25, height + 1.05, note, **NOTE)
    pinning = "a thread of its own pins each batch" if loader.pin_memory else "nothing is pinned"
    page.tell(
        f"Diagram of a DataLoader. The main process sends lists of indices to "
        f"{counted(workers, 'worker process', 'worker processes')}. Each loads up to "
        f"{counted(per_worker, 'batch', 'batches')} ahead and puts them into one result queue in "
        f"shared memory. The main process takes them from there; {pinning}. {note}"
    )
    return page


def _process(page: Picture, left: float, middle: float, does: list[str]) -> None:
    page.box(left, middle - 0.5, 1.3, 1.0, fill=HOST)
    page.write(left + 0.65, middle - 0.25, "main process", align="center", weight="bold", size=9)
    for row, text in enumerate(does):
        page.write(left + 0.65, middle + 0.02 + 0.23 * row, text, align="center", size=9)


def copy_paths(**tensors: Tensor) -> Picture:
    """A picture of each CPU tensor's path to a GPU: through a buffer, or directly if pinned."""
    page = Picture(0.7 + 1.2 * len(tensors), "Two ways over PCIe to the GPU")
    sentences = []
    for row, (name, tensor) in enumerate(tensors.items()):
        top = 0.65 + 1.2 * row
        pinned, level = tensor.is_pinned(), top + 0.42
        kind = "pinned memory" if pinned else "pageable memory"
        page.box(0.25, top, 2.0, 0.85, fill=LOCKED if pinned else HOST)
        page.write(1.25, top + 0.27, name, align="center", family=MONO)
        size = size_of(tensor.nbytes)
        page.write(1.25, top + 0.57, f"{kind}, {size}", align="center", size=8.5)
        page.box(6.4, top, 1.75, 0.85, "memory of the GPU", fill=GPU, size=SMALL)
        if pinned:
            fetching = "the GPU's copy engine fetches it"
            _arrow(page, (2.3, level), (6.35, level))
            page.write(4.3, top + 0.2, fetching, align="center", size=SMALL)
            sentences.append(f"{name} is in pinned memory: {fetching} directly over PCIe")
            continue
        page.box(3.6, top + 0.1, 1.4, 0.65, fill=LOCKED)
        page.write(4.3, top + 0.31, "driver's buffer", align="center", size=SMALL)
        page.write(4.3, top + 0.55, "pinned", align="center", size=8.5)
        for begin, end, above, below in (
            (2.3, 3.55, "CPU copies", "piece by piece"),
            (5.05, 6.35, "copy engine", "fetches"),
        ):
            _arrow(page, (begin, level), (end, level))
            page.write((begin + end) / 2, top + 0.12, above, align="center", size=8.5)
            page.write((begin + end) / 2, top + 0.7, below, align="center", size=8.5)
        sentences.append(
            f"{name} is in pageable memory: the CPU copies it piece by piece into a "
            "pinned buffer of the driver, and the GPU's copy engine fetches it from "
            "there over PCIe"
        )
    page.tell(f"Diagram, two ways over PCIe to the GPU. {'. '.join(sentences)}.")
    return page


def _arrow(page: Picture, begin: Point, end: Point) -> None:
    page.arrow(begin, end, linewidth=1.2)
