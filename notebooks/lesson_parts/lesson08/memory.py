"""`step_memory`: the use of a GPU's memory at the peak of a training step.

`memory_chart`: a chart with a bar for each situation.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from course_utils.figures.picture import ORANGE, PAPER, QUIET, SMALL, WIDTH, BarStyle, Picture

KINDS: Mapping[str, tuple[str, BarStyle]] = {
    "parameters": ("parameters", ("#4d7ea8", None)),
    "gradients": ("gradients", (ORANGE, "\\\\\\")),
    "states": ("Adam's states", ("#b9d7a8", "xx")),
    "temporary": ("activations and temporary memory", (PAPER, "...")),
}
"""The name, fill and hatch of each part of a `StepMemory`."""

LEFT, RIGHT, ROW = 1.6, WIDTH - 2.2, 0.46


@dataclass(frozen=True)
class StepMemory:
    """Bytes on one GPU at the peak of a training step with Adam.

    gradients: existing at that moment. temporary: all the rest: activations, the batch, and
        temporary memory of operations and the optimizer.
    moment: of the peak, "before the optimizer step" or "in the optimizer step".
    """

    parameters: int
    gradients: int
    states: int
    temporary: int
    moment: str

    @property
    def total(self) -> int:
        """The sum of the parts, in bytes."""
        return self.parameters + self.gradients + self.states + self.temporary


def step_memory(
    make: Callable[[], nn.Module], device: torch.device, batch: Iterable[int]
) -> StepMemory:
    """The memory of the second training step of a new model on `device`.

    make: makes the model. batch: the shape of a batch of random numbers.
    """
    torch.cuda.synchronize(device)
    before = torch.cuda.memory_allocated(device)
    model = make().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    _train(model, optimizer, torch.rand(*batch, device=device))  # makes the optimizer's states
    moments: list[tuple[int, int]] = []

    def note(*_: Tensor) -> None:
        """Record the peak since the last note, and the bytes of all gradients now."""
        moments.append((torch.cuda.max_memory_allocated(device) - before, _gradients(model)))
        torch.cuda.reset_peak_memory_stats(device)

    optimizer.zero_grad()
    note()
    hooks = [p.register_post_accumulate_grad_hook(note) for p in model.parameters()]
    _train(model, optimizer, torch.rand(*batch, device=device))
    note()
    for hook in hooks:
        hook.remove()  # else model and hooks would keep each other alive
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


def memory_chart(steps: Mapping[str, StepMemory], *, title: str) -> Picture:
    """A chart with a row for each of `steps`, by name, on one scale, and the moment of its peak."""
    page = Picture(1.3 + ROW * len(steps) + 0.2, title, "counted")
    scale = (RIGHT - LEFT) / max(step.total for step in steps.values())
    page.legend(0.4, 0.82, dict(KINDS.values()))
    described = []
    for number, (name, step) in enumerate(steps.items()):
        middle = 1.25 + ROW * (number + 0.5)
        page.write(LEFT - 0.15, middle, name, align="right", size=SMALL)
        widths = [(getattr(step, kind) * scale, style) for kind, (_, style) in KINDS.items()]
        x = page.bars(LEFT, middle - 0.14, 0.28, widths) + 0.1
        page.write(x, middle - 0.09, _mib(step.total), size=SMALL, weight="bold")
        page.write(x, middle + 0.1, step.moment, size=8.5, color=QUIET)
        parts = (f"{what} {_mib(getattr(step, kind))}" for kind, (what, _) in KINDS.items())
        described.append(f"{name}: {_mib(step.total)} {step.moment}, of which {', '.join(parts)}")
    page.tell(f"Memory at the peak of a training step, {title!r}. {'; '.join(described)}.")
    return page


def _mib(count: int) -> str:
    return f"{count / 2**20:.0f} MiB"
