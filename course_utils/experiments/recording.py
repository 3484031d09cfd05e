"""Recordings of host, copy engine and GPU during a block of code, on virtual and real GPUs.

On virtual GPUs the times come from a model, on real ones from PyTorch's profiler. Both have the
type `Recording`, whose field `modelled` tells them apart.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import torch

import virtual_cuda
from course_utils.devices import current_lab
from course_utils.errors import CourseError

Span = tuple[str, float, float]
"""Name, begin and end of a piece of work, in µs since the recording began."""

LANES = ("host", "copies", "kernels")
TICK = 0.05
"""Seconds: the length of the pieces of work that `fed_loop` queues on the GPU."""


@dataclass
class Recording:
    """The spans of each lane of one GPU. modelled: whether the times come from a model."""

    modelled: bool
    lanes: dict[str, list[Span]] = field(default_factory=lambda: {lane: [] for lane in LANES})

    @property
    def end(self) -> float:
        """The end of the last work, in µs."""
        return max((end for spans in self.lanes.values() for *_, end in spans), default=0.0)

    def busy(self, lane: str) -> float:
        """The time in which a lane works, in µs."""
        return sum(end - begin for begin, end in self.merged(lane))

    def gaps(self) -> float:
        """The idle time of the GPU between its first and its last kernel, in µs."""
        merged = self.merged("kernels")
        return sum(second[0] - first[1] for first, second in pairwise(merged))

    def overlap(self) -> float:
        """The time in which a copy and a kernel run at once, in µs."""
        copies, kernels = self.merged("copies"), self.merged("kernels")
        return sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in copies for b in kernels)

    def merged(self, lane: str, gap: float = 0.0) -> list[tuple[float, float]]:
        """The times in which a lane works. Work with at most `gap` µs in between counts as one."""
        merged: list[tuple[float, float]] = []
        for _, begin, end in sorted(self.lanes[lane], key=lambda span: span[1:]):
            if merged and begin <= merged[-1][1] + gap:
                merged[-1] = merged[-1][0], max(merged[-1][1], end)
            else:
                merged.append((begin, end))
        return merged


@dataclass(frozen=True)
class FedLoop:
    """The utilisation of a GPU in a training loop, read with `torch.cuda.utilization`.

    modelled: whether the times come from a model. readings: one after each second, in percent.
    work: begin and end of the work on each batch, in seconds.
    """

    modelled: bool
    readings: list[int]
    work: list[tuple[float, float]]

    @property
    def end(self) -> float:
        """The end of the last batch, in seconds."""
        return self.work[-1][1]


@contextmanager
def record(device: torch.device) -> Iterator[Recording]:
    """Record the work of the body on `device`. The recording is complete after the body.

    Raises CourseError if `lab()` has not been called.
    """
    if is_virtual():
        recording = Recording(modelled=True)
        with virtual_cuda.trace() as trace:
            yield recording
            torch.cuda.synchronize(device)
        engines = {"compute": "kernels", "H2D": "copies", "D2H": "copies"}
        for work in (*trace.host, *trace.intervals):
            lane = "host" if work.device is None else engines.get(work.engine)
            if lane and work.device in (None, device.index):
                recording.lanes[lane].append((work.name, work.start, work.end))
        return
    recording = Recording(modelled=False)
    from torch.profiler import ProfilerActivity, profile

    torch.cuda.synchronize(device)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        yield recording
        torch.cuda.synchronize(device)
    _read_profile(profiler.events(), recording)


def _read_profile(events: list[torch.autograd.profiler_util.FunctionEvent], to: Recording) -> None:
    """Copy the work of the GPU, and the host work of `host_works`, from a profile into `to`."""
    found: list[tuple[str, Span]] = []
    for event in events:
        span = event.name, event.time_range.start, event.time_range.end
        if event.device_type == torch.autograd.DeviceType.CUDA:
            if event.name.startswith("Memcpy"):
                found.append(("copies", span))
            elif not event.name.startswith(("host: ", "Memset")):
                found.append(("kernels", span))
        elif event.name.startswith("host: "):
            found.append(("host", (event.name.removeprefix("host: "), *span[1:])))
    origin = min((span[1] for _, span in found), default=0.0)
    for lane, (name, begin, end) in found:
        to.lanes[lane].append((name, begin - origin, end - origin))


def host_works(microseconds: float, name: str = "load a batch") -> None:
    """Keep the host busy for so many microseconds: on the virtual clock, or in real time."""
    if is_virtual():
        virtual_cuda.clock().work(microseconds, name)
        return
    with torch.profiler.record_function(f"host: {name}"):
        time.sleep(microseconds / 1e6)


def fed_loop(device: torch.device, *, load: float, compute: float, batches: int = 5) -> FedLoop:
    """Run a training loop that a loader feeds, and read the utilisation every second.

    load, compute: seconds per batch of the loader and of the GPU. The loader prepares a batch while
    the GPU computes; the slower one sets the pace. The GPU gets its work in small pieces, and the
    host only waits in between. Before, the GPU idles for a second, so that no earlier work is in
    the first readings.
    """
    piece = int(TICK * _cycles_per_second(device))
    host_works(1e6, "idle")
    first, busy = round(load / TICK), round(compute / TICK)
    begins = [first + number * max(first, busy) for number in range(batches)]
    ticks_per_second = round(1 / TICK)
    readings = []
    for tick in range(math.ceil((begins[-1] + busy) / ticks_per_second) * ticks_per_second):
        if any(begin <= tick < begin + busy for begin in begins):
            with torch.cuda.device(device):
                torch.cuda._sleep(piece)
        host_works(TICK * 1e6)
        if (tick + 1) % ticks_per_second == 0:
            readings.append(torch.cuda.utilization(device))
    torch.cuda.synchronize(device)
    work = [(begin * TICK, (begin + busy) * TICK) for begin in begins]
    return FedLoop(is_virtual(), readings, work)


def _cycles_per_second(device: torch.device) -> float:
    """The rate of the clock of `torch.cuda._sleep`, in cycles per second, measured with events."""
    cycles = 2_000_000
    with torch.cuda.device(device):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(cycles)
        begin.record()
        torch.cuda._sleep(cycles)
        end.record()
        end.synchronize()
        return cycles / begin.elapsed_time(end) * 1e3


def is_virtual() -> bool:
    """Whether times come from the model. Raises CourseError if `lab()` has not been called."""
    lab = current_lab()
    if lab is None:
        raise CourseError("There are no GPUs yet. Call lab() first.")
    return lab.kind == "virtual"
