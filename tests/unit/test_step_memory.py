"""What fills a GPU in a training step, counted."""

import pytest
import torch
from torch import nn

from course_utils.devices import current_lab, lab
from lesson_parts.lesson08.memory import StepMemory, step_memory

WIDTH = 256
PARAMETERS = 2 * (WIDTH * WIDTH + WIDTH) * 4


def make() -> nn.Module:
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))


@pytest.fixture(scope="module")
def steps() -> dict[str, StepMemory]:
    if current_lab() is None:
        lab(gpus=4)

    device = torch.device("cuda:1")
    return {f"batch of {size}": step_memory(make, device, (size, WIDTH)) for size in (64, 4096)}


def test_what_does_not_depend_on_the_batch_is_as_computed(steps):
    for step in steps.values():
        assert step.parameters == PARAMETERS
        assert step.states == 2 * PARAMETERS


def test_a_small_batch_peaks_in_the_optimizer_and_a_large_one_before(steps):
    """Adam takes as much as the parameters for a while, when all gradients are there."""
    small, large = steps.values()
    assert (small.moment, small.gradients) == ("in the optimizer step", PARAMETERS)
    assert PARAMETERS <= small.temporary < 1.5 * PARAMETERS
    assert large.moment == "before the optimizer step" and large.gradients < PARAMETERS
    assert 3 * 4096 * WIDTH * 4 < large.temporary < 8 * 4096 * WIDTH * 4


def test_the_total_is_the_peak_that_cuda_counts(steps):
    device, size = torch.device("cuda:1"), 4096
    model = make().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(2):
        torch.cuda.reset_peak_memory_stats(device)
        optimizer.zero_grad()
        model(torch.rand(size, WIDTH, device=device)).square().mean().backward()
        optimizer.step()
    assert torch.cuda.max_memory_allocated(device) == steps[f"batch of {size}"].total
    del model, optimizer


def test_nothing_is_left_behind(steps):
    assert torch.cuda.memory_allocated("cuda:1") == 0
