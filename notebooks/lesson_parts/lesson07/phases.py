"""The four phases of a `DataParallel` forward pass, one by one, with their times.

On virtual GPUs the times are modelled, by the virtual clock. On real ones every phase is measured,
with a wait for all GPUs before each reading of the clock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter

import virtual_cuda
from course_utils.experiments.recording import Span


def finished(devices: Sequence[torch.device]) -> float:
    """Wait for all work on `devices`; return the value of `perf_counter` then, in seconds."""
    for device in devices:
        torch.cuda.synchronize(device)
    return perf_counter()


HOST = "host"


@dataclass(frozen=True)
class Phases:
    """The phases of a forward pass on host and devices, with its parts and output.

    parts: the pieces of the batch, in the order of the GPUs.
    lanes: for the host and each device, the phases in which it works or sends, with begin and end
        in µs. The host is in a phase until its calls have returned.
    time: from the beginning to the end of the last work, in µs.
    """

    kind: Literal["modelled", "measured"]
    parts: tuple[Tensor, ...]
    output: Tensor
    lanes: dict[str, list[Span]]
    time: float


def run_phases(module: nn.Module, x: Tensor, devices: Sequence[torch.device]) -> Phases:
    """The phases of `module(x)` on all of `devices`, computed as `nn.DataParallel` does.

    `module` must be on `devices[0]`; `x` may be on any device. With one device there is no
    replicate or gather, as in `nn.DataParallel`.
    """
    _forward(module, x, devices, lambda phase: None)  # the first use of a GPU takes longer
    record = _modelled if virtual_cuda.is_enabled() else _measured
    return record(module, x, list(devices))


def _forward(
    module: nn.Module, x: Tensor, devices: Sequence[torch.device], done: Callable[[str], None]
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Parts and output; `done` is called with each phase's name after its calls have returned."""
    parts = scatter(x, devices)
    done("scatter")
    if len(devices) == 1:
        output = module(parts[0])
        done("apply")
        return parts, output
    replicas = replicate(module, devices[: len(parts)], detach=not torch.is_grad_enabled())
    done("replicate")
    outputs = parallel_apply(replicas, parts)
    done("apply")
    output = gather(outputs, devices[0])
    done("gather")
    return parts, output


def _modelled(module: nn.Module, x: Tensor, devices: Sequence[torch.device]) -> Phases:
    lanes = _lanes(devices)
    noted, begin = 0, 0.0

    def done(phase: str) -> None:
        # Phases overlap on the GPUs: work that was queued since the last phase belongs to this one.
        nonlocal noted, begin
        for work in trace.intervals[noted:]:
            lanes[f"cuda:{work.device}"].append((phase, work.start, work.end))
        end = virtual_cuda.now() - start
        lanes[HOST].append((phase, begin, end))
        noted, begin = len(trace.intervals), end

    with virtual_cuda.trace() as trace:
        start = virtual_cuda.now()
        parts, output = _forward(module, x, devices, done)
    return Phases("modelled", parts, output, lanes, trace.end)


def _measured(module: nn.Module, x: Tensor, devices: Sequence[torch.device]) -> Phases:
    lanes = _lanes(devices)

    def now() -> float:
        return (finished(devices) - start) * 1e6

    start = perf_counter()
    start, begin = perf_counter(), now()

    def done(phase: str) -> None:
        nonlocal begin
        returned, end = (perf_counter() - start) * 1e6, now()
        for lane, spans in lanes.items():
            spans.append((phase, begin, returned if lane == HOST else end))
        begin = end

    parts, output = _forward(module, x, devices, done)
    return Phases("measured", parts, output, lanes, begin)


def _lanes(devices: Sequence[torch.device]) -> dict[str, list[Span]]:
    return {HOST: [], **{str(device): [] for device in devices}}
