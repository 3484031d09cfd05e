"""What the program of `starved` uses: workers that are played on the virtual clock.

On a computer with real GPUs, the text of this file runs in a child process with virtual ones. Times
are in µs.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

import virtual_cuda

START = 6000.0
"""The time from the start of a worker to its first work."""

MOST = 8


class Loader:
    """Pinned batches, each loaded by a worker, as `DataLoader` gives the work to them.

    loads: the time that a worker needs for each batch.
    """

    def __init__(
        self, loads: Sequence[float], workers: int, prefetch_factor: int, persistent_workers: bool
    ) -> None:
        if not (1 <= workers <= MOST and 1 <= prefetch_factor <= MOST):
            raise ValueError(f"workers and prefetch_factor are 1 to {MOST} here")
        self.loads, self.workers, self.ahead = [*loads], workers, prefetch_factor * workers
        self.persistent, self.started = persistent_workers, False
        self.batches = [torch.full((512, 512), n + 1.0).pin_memory() for n in range(len(loads))]

    def __iter__(self) -> Iterator[torch.Tensor]:
        starts = 0.0 if self.persistent and self.started else START
        self.started = True
        begun = virtual_cuda.now()
        free, taken = [begun + starts] * self.workers, list[float]()
        for number, load in enumerate(self.loads):
            ordered = taken[number - self.ahead] if number >= self.ahead else begun
            worker = number % self.workers
            free[worker] = max(free[worker], ordered) + load
            if free[worker] > virtual_cuda.now():
                virtual_cuda.clock().work(free[worker] - virtual_cuda.now(), "batch")
            taken.append(virtual_cuda.now())
            yield self.batches[number]


def play(source: str) -> dict[str, Any]:
    """The `facts` of a program, and its `spans` on the clock: name, engine, begin and end."""
    facts = {"steps": 0, "prepared": 0.0}

    def prepare(microseconds: float) -> None:
        facts["prepared"] += microseconds
        virtual_cuda.clock().work(microseconds, "prepare")

    def step(inputs: torch.Tensor) -> torch.Tensor:
        """About 400 µs of work for the GPU; returns the loss."""
        facts["steps"] += 1
        with torch.cuda.device(inputs.device):
            torch.cuda._sleep(560_000)
        return inputs.max()

    names = {"torch": torch, "Loader": Loader, "prepare": prepare, "step": step}
    with virtual_cuda.trace() as trace:
        exec(compile(source, "run.py", "exec"), names)
    work = (*trace.host, *trace.intervals)
    return {
        "facts": facts | {"result": float(names["total"])},
        "spans": [(each.name, each.engine, each.start, each.end) for each in work],
    }
