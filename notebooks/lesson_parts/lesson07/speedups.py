"""`step_time`: the modelled time of a training step on one GPU or several."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

import virtual_cuda


def step_time(
    model: nn.Module, pair: Tensor | Sequence[Tensor], devices: Sequence[torch.device]
) -> float:
    """The time of one training step with `nn.DataParallel`, by the virtual clock, in µs.

    model: on `devices[0]`; it is trained itself, not a copy. pair: a batch and its targets, which
    are copied to `devices[0]` before the step.
    """
    batch, targets = (each.to(devices[0]) for each in pair)
    parallel = nn.DataParallel(model, list(devices))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    with virtual_cuda.trace() as trace:
        optimizer.zero_grad()
        nn.functional.mse_loss(parallel(batch), targets).backward()
        optimizer.step()
    return trace.end
