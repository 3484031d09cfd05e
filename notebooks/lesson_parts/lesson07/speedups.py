"""The speed-up of several GPUs with `DataParallel`: from runs, or computed from a few costs.

On virtual GPUs the time of a step is modelled, by the virtual clock. On real ones it is measured.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor, nn

import virtual_cuda
from lesson_parts.lesson07.phases import finished

REPEATS = 7
"""The number of steps measured on real GPUs, of which the median is taken."""


def step_time(
    model: nn.Module, batch: Tensor, targets: Tensor, devices: Sequence[torch.device]
) -> float:
    """The time of one training step of `model`, with the batch split over `devices`, in µs.

    model: on `devices[0]`, as `nn.DataParallel` needs it; the model itself is trained, not a copy.
    batch, targets: on any device; the targets are moved to the outputs.
    """
    parallel = nn.DataParallel(model, list(devices))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step() -> None:
        optimizer.zero_grad()
        outputs = parallel(batch)
        nn.functional.mse_loss(outputs, targets.to(outputs.device)).backward()
        optimizer.step()

    if virtual_cuda.is_enabled():
        with virtual_cuda.trace() as trace:
            step()
        return trace.end
    step()  # the first use of a GPU takes longer
    return median(_measured(step, devices) for _ in range(REPEATS))


def _measured(step: Callable[[], None], devices: Sequence[torch.device]) -> float:
    start = finished(devices)
    step()
    return (finished(devices) - start) * 1e6


@dataclass(frozen=True)
class Costs:
    """The costs of a training step, in µs.

    sample: for a GPU to compute one sample, forward and backward.
    launch: for the host to launch all the work of one GPU.
    exchange: to send the parameters to one more GPU, and to get its gradients back.
    """

    sample: float
    launch: float
    exchange: float

    def step(self, batch_size: int, gpus: int) -> float:
        """The time of a step, in µs. One process launches the work of all GPUs; they overlap."""
        part = -(-batch_size // gpus)
        return self.exchange * (gpus - 1) + max(self.launch * gpus, self.sample * part)

    def speedup(self, batch_size: int, gpus: int) -> float:
        """The time on one GPU, divided by the time on all."""
        return self.step(batch_size, 1) / self.step(batch_size, gpus)
