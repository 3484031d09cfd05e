"""What is in a GPU's memory at the fullest moment of a training step."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class StepMemory:
    """Bytes on one GPU at the fullest moment of a training step with Adam.

    gradients: those that are there at that moment. temporary: whatever is there beside the other
        three: activations, the batch, and what operations and the optimizer take for a while.
    moment: where it lies, "before the optimizer step" or "in the optimizer step".
    """

    parameters: int
    gradients: int
    states: int
    temporary: int
    moment: str

    @property
    def total(self) -> int:
        return self.parameters + self.gradients + self.states + self.temporary


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
    _train(model, optimizer, torch.rand(*batch, device=device))  # makes the optimizer's states
    moments: list[tuple[int, int]] = []

    def note(*_: Tensor) -> None:
        """The peak since the last note, and the bytes of the gradients that are there now."""
        moments.append((torch.cuda.max_memory_allocated(device) - before, _gradients(model)))
        torch.cuda.reset_peak_memory_stats(device)

    optimizer.zero_grad()
    note()
    hooks = [p.register_post_accumulate_grad_hook(note) for p in model.parameters()]
    _train(model, optimizer, torch.rand(*batch, device=device))
    note()
    for hook in hooks:
        hook.remove()  # else model and hooks would hold each other
    spans = [(peak, held) for (_, held), (peak, _) in pairwise(moments)]
    peak, gradients = max(spans)
    parameters = sum(p.nbytes for p in model.parameters())
    states = sum(
        value.nbytes
        for state in optimizer.state.values()
        for value in state.values()
        if value.device == device
    )
    return StepMemory(
        parameters,
        gradients,
        states,
        peak - parameters - gradients - states,
        ("in" if peak == spans[-1][0] else "before") + " the optimizer step",
    )


def _train(model: nn.Module, optimizer: torch.optim.Optimizer, batch: Tensor) -> None:
    optimizer.zero_grad()
    model(batch).square().mean().backward()
    optimizer.step()


def _gradients(model: nn.Module) -> int:
    return sum(p.grad.nbytes for p in model.parameters() if p.grad is not None)
