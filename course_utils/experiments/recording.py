"""What host, copy engine and GPU do in a piece of code, on virtual GPUs and on real ones.

On virtual GPUs the times come from a model, on real ones from PyTorch's profiler. Both give the
same `Recording`, which says which it is.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import torch

import virtual_cuda
from course_utils.devices import current_lab
from course_utils.errors import CourseError

Span = tuple[str, float, float]
"""What is done, from when, until when: µs since the recording began."""

LANES = ("host", "copies", "kernels")
TICK = 0.05
"""Seconds: the pieces in which `fed_loop` gives work to the GPU."""


@dataclass
class Recording:
    """Spans of each lane of one GPU. modelled: whether the times come from a model."""

    modelled: bool
    lanes: dict[str, list[Span]] = field(default_factory=lambda: {lane: [] for lane in LANES})

    @property
    def end(self) -> float:
        """When the last work is done (µs)."""
        return max((end for spans in self.lanes.values() for *_, end in spans), default=0.0)

    def busy(self, lane: str) -> float:
        """µs in which a lane works."""
        return sum(end - begin for begin, end in self._merged(lane))

    def gaps(self) -> float:
        """µs in which the GPU computes nothing, between its first and its last kernel."""
        merged = self._merged("kernels")
        return sum(second[0] - first[1] for first, second in pairwise(merged))

    def overlap(self) -> float:
        """µs in which a copy and a kernel run at the same time."""
        copies, kernels = self._merged("copies"), self._merged("kernels")
        return sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in copies for b in kernels)

    def _merged(self, lane: str) -> list[tuple[float, float]]:
        merged: list[tuple[float, float]] = []
        for _, begin, end in sorted(self.lanes[lane], key=lambda span: span[1:]):
            if merged and begin <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(merged[-1][1], end)
            else:
                merged.append((begin, end))
        return merged


@dataclass(frozen=True)
class FedLoop:
    """A training loop that a loader feeds, watched with `torch.cuda.utilization`.

    modelled: whether the times come from a model. readings: what was read after each second, in
        percent. work: from when until when the GPU has a batch to compute on, in seconds.
    """

    modelled: bool
    readings: list[int]
    work: list[tuple[float, float]]

    @property
    def end(self) -> float:
        """When the last batch is done (s)."""
        return self.work[-1][1]

    @property
    def looks(self) -> str:
        """What one sees in the readings."""
        spread = max(self.readings) - min(self.readings)
        return "up and down" if spread > 50 else f"about {max(self.readings)} % all the time"


@contextmanager
def record(device: torch.device) -> Iterator[Recording]:
    """Record what the body does on `device`. It is complete when the body is left.

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
    """Take the work of the GPU, and host work by `host_works`, out of a profile."""
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
    """Keep the host busy: on the virtual clock, or for that long in real time."""
    if is_virtual():
        virtual_cuda.clock().work(microseconds, name)
        return
    with torch.profiler.record_function(f"host: {name}"):
        time.sleep(microseconds / 1e6)


def host_held(work: Callable[..., object], *arguments: Any, **settings: Any) -> float:
    """µs that the host spends in a call: modelled on virtual GPUs, measured on real ones.

    Work of the GPU that is merely queued does not count.
    """
    torch.cuda.synchronize()
    if is_virtual():
        begun = virtual_cuda.now()
        work(*arguments, **settings)
        return virtual_cuda.now() - begun
    work(*arguments, **settings)  # the first copy of its kind also sets things up
    torch.cuda.synchronize()
    begun = time.perf_counter()
    work(*arguments, **settings)
    return (time.perf_counter() - begun) * 1e6


def late_copies() -> AbstractContextManager[None]:
    """Inside, what a non-blocking copy to the host brings is there only after a wait.

    On a virtual GPU this is the worst case, always: NaN until then. On a real GPU it is what it is.
    """
    if is_virtual():
        return virtual_cuda.stale_copies()
    return nullcontext()


def fed_loop(device: torch.device, *, load: float, compute: float, batches: int = 5) -> FedLoop:
    """Run a training loop that a loader feeds, and read the utilisation every second.

    load, compute: seconds that the loader needs for a batch, and that the GPU computes on it. The
    loader prepares a batch while the GPU computes; whichever is slower sets the pace. The GPU is
    given its work in small pieces, and the host only waits in between. The GPU idles for a second
    before, so that no earlier work is in the first readings.
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
    """How fast the clock is that `torch.cuda._sleep` counts, found out with two events."""
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
        raise CourseError("There are no GPUs yet: call lab() first.")
    return lab.kind == "virtual"
