"""What is in a GPU's memory at the fullest moment of a training step."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class StepMemory:
    """Bytes on one GPU at the peak of a training step with Adam.

    activations: whatever is there beside the other three: outputs that the backward pass needs,
        the batch, and what operations take for themselves.
    """

    parameters: int
    gradients: int
    states: int
    activations: int

    @property
    def total(self) -> int:
        return self.parameters + self.gradients + self.states + self.activations


def step_memory(
    make: Callable[[], nn.Module], device: torch.device, batch: Iterable[int]
) -> StepMemory:
    """Train a new model for two steps on `device`, and count the bytes of the second one.

    make: makes the model. batch: the shape of a batch of random numbers.
    """
    torch.cuda.synchronize(device)
    before = torch.cuda.memory_allocated(device)
    model = make().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(2):  # the first step makes the optimizer's states
        torch.cuda.reset_peak_memory_stats(device)
        optimizer.zero_grad(set_to_none=False)
        model(torch.rand(*batch, device=device)).square().mean().backward()
        peak = torch.cuda.max_memory_allocated(device) - before
        optimizer.step()
    parameters = sum(p.nbytes for p in model.parameters())
    gradients = sum(p.grad.nbytes for p in model.parameters() if p.grad is not None)
    states = sum(value.nbytes for state in optimizer.state.values() for value in state.values()
                 if value.device == device)  # fmt: skip
    return StepMemory(parameters, gradients, states, peak - parameters - gradients - states)
