"""Measure a `DataLoader` under many settings, on this computer, with a real clock."""

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from torch.utils.data import DataLoader, Dataset


@dataclass(frozen=True)
class Measurement:
    """One epoch of a loader; times in seconds, measured.

    first: until the first batch was there, starting the workers included. total: the whole epoch.
    """

    workers: int
    batch_size: int
    pinned: bool
    samples: int
    first: float
    total: float

    @property
    def rate(self) -> float:
        """Samples per second over the whole epoch."""
        return self.samples / self.total

    def __str__(self) -> str:
        pinned = "pinned" if self.pinned else "not pinned"
        workers = "1 worker" if self.workers == 1 else f"{self.workers} workers"
        return f"{workers}, batch size {self.batch_size}, {pinned}"


def usable_cpus() -> int:
    """CPUs that this process may use: what DataLoader compares the number of workers with."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def measure_loader(
    dataset: Dataset[Any], *, num_workers: int = 0, batch_size: int = 1, pin_memory: bool = False,
    **settings: Any,
) -> Measurement:
    """Go once through `dataset` with a new loader, using nothing of its batches."""
    loader = DataLoader(
        dataset, num_workers=num_workers, batch_size=batch_size, pin_memory=pin_memory, **settings
    )
    begun = time.perf_counter()
    first, samples = 0.0, 0
    for batch in loader:
        first = first or time.perf_counter() - begun
        samples += len(batch)
    total = time.perf_counter() - begun
    return Measurement(num_workers, batch_size, pin_memory, samples, first, total)


def sweep(
    dataset: Dataset[Any],
    *,
    workers: Sequence[int] = (0, 1, 2, 4),
    batch_sizes: Sequence[int] = (16, 64),
    pinned: Sequence[bool] = (False, True),
) -> list[Measurement]:
    """Measure one epoch for each combination, with a progress bar.

    PyTorch's warnings about too many workers, and about pinning without a GPU, are not repeated.
    """
    settings = list(product(batch_sizes, pinned, workers))
    found = []
    with _progress(len(settings)) as step, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measure_loader(dataset, batch_size=batch_sizes[0])  # files into the cache, for all alike
        for size, pin, number in settings:
            found.append(
                measure_loader(dataset, num_workers=number, batch_size=size, pin_memory=pin)
            )
            step(str(found[-1]))
    return found


class _Step(Protocol):
    def __call__(self, done: str) -> None: ...


@contextmanager
def _progress(count: int) -> Iterator[_Step]:
    """A bar in a notebook; elsewhere one line of text that grows by a sign with each step."""
    if not _in_notebook():
        print(f"{count} settings: ", end="", flush=True)
        yield lambda done: print("▪", end="", flush=True)
        print(" done")
        return
    from IPython.display import display
    from ipywidgets import HBox, IntProgress, Label

    bar, label = IntProgress(max=count), Label("0 of " + str(count))
    display(HBox([bar, label]))

    def step(done: str) -> None:
        bar.value += 1
        label.value = f"{bar.value} of {count}: {done}"

    yield step
    label.value = f"all {count} settings measured"


def _in_notebook() -> bool:
    from IPython import get_ipython

    return type(get_ipython()).__name__ == "ZMQInteractiveShell"
