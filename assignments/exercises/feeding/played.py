"""Workers that are played on the virtual clock, for `starved` and `best_settings`.

On a computer with real GPUs, the text of this file runs in a child process with virtual ones. Times
are in µs.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

import virtual_cuda

START = 6000.0
"""The time from the start of a worker to its first work."""

MOST = 8


class Loader:
    """Pinned batches, each loaded by a worker, as `DataLoader` gives the work to them.

    loads: the time that a worker needs for each batch. cores: if the workers are more, they share
    them. disk: the time of each batch on a disk that reads one batch at a time, before its load.
    side: of the square that is a batch.
    """

    def __init__(
        self,
        loads: Sequence[float],
        workers: int,
        prefetch_factor: int,
        persistent_workers: bool,
        cores: int = MOST,
        disk: float = 0.0,
        side: int = 512,
    ) -> None:
        if not (1 <= workers <= MOST and 1 <= prefetch_factor <= MOST):
            raise ValueError(f"workers and prefetch_factor are 1 to {MOST} here")
        self.loads = [load * max(1.0, workers / cores) for load in loads]
        self.workers, self.ahead, self.disk = workers, prefetch_factor * workers, disk
        self.persistent, self.started = persistent_workers, False
        self.batches = [torch.full((side, side), n + 1.0).pin_memory() for n in range(len(loads))]

    def __iter__(self) -> Iterator[torch.Tensor]:
        starts = 0.0 if self.persistent and self.started else START
        self.started = True
        begun = virtual_cuda.now()
        free, taken, read = [begun + starts] * self.workers, list[float](), begun
        for number, load in enumerate(self.loads):
            ordered = taken[number - self.ahead] if number >= self.ahead else begun
            worker = number % self.workers
            asked = max(free[worker], ordered)
            read = max(read, asked) + self.disk if self.disk else asked
            free[worker] = read + load
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

    names: dict[str, Any] = {"torch": torch, "Loader": Loader, "prepare": prepare, "step": step}
    # A program that reads what was not copied yet gets NaN, as CUDA allows.
    with virtual_cuda.trace() as trace, virtual_cuda.stale_copies():
        exec(compile(source, "run.py", "exec"), names)
        total = float(names["total"])
    work = (*trace.host, *trace.intervals)
    return {
        "facts": facts | {"result": total if total == total else "NaN"},
        "spans": [(each.name, each.engine, each.start, each.end) for each in work],
    }


def epochs(machine: Mapping[str, Any], workers: Sequence[int]) -> list[int]:
    """The ms of an epoch on a machine, for each number of workers.

    machine: `decoding`, `disk` and `gpu`, the µs of a batch in each; and the number of `cores`.
    The loop reads its loss in each step. Without workers it loads each batch itself.
    """
    times = []
    for number in workers:
        begun = virtual_cuda.now()
        loads, cores, disk = [machine["decoding"]] * 24, machine["cores"], machine["disk"]
        loader: Any = [None] * len(loads)
        if number:
            loader = Loader(loads, number, 2, False, cores=cores, disk=disk, side=1)
        for batch in loader:
            if batch is None:
                virtual_cuda.clock().work(disk + machine["decoding"], "batch")
            torch.cuda._sleep(1400 * machine["gpu"])
            torch.cuda.synchronize()
        times.append(round((virtual_cuda.now() - begun) / 1000))
    return times


def on_virtual_gpus(function: str, *arguments: Any) -> Any:
    """The result of a function of this file, here or in a process that has virtual GPUs."""
    if virtual_cuda.is_enabled():
        return globals()[function](*arguments)
    from course_utils.experiments.children import run_child

    code = Path(__file__).read_text(encoding="utf-8")
    code += f"\nprint(json.dumps({function}(*{arguments!r})))\n"
    *_, last = run_child(code, cards=["A100"] * 4).splitlines() or [""]
    try:
        return json.loads(last)
    except ValueError:
        raise RuntimeError(last) from None
