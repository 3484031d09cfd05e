"""`memory_chart` and the counting behind it: what fills a GPU in a training step."""

import pytest
import torch
from torch import nn

from course_utils.devices import current_lab, lab
from course_utils.experiments.memory import StepMemory, step_memory
from course_utils.figures import memory_chart

WIDTH = 256


@pytest.fixture(scope="module")
def steps() -> dict[str, StepMemory]:
    if current_lab() is None:
        lab(gpus=4)

    def make() -> nn.Module:
        return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    device = torch.device("cuda:1")
    return {f"batch of {size}": step_memory(make, device, (size, WIDTH)) for size in (64, 1024)}


def test_what_does_not_depend_on_the_batch_is_as_computed(steps):
    parameters = 2 * (WIDTH * WIDTH + WIDTH) * 4
    for step in steps.values():
        assert (step.parameters, step.gradients) == (parameters, parameters)
        assert step.states == 2 * parameters


def test_activations_grow_with_the_batch(steps):
    small, large = steps.values()
    more = (1024 - 64) * WIDTH * 4
    assert 3 * more < large.activations - small.activations < 8 * more


def test_nothing_is_left_behind(steps):
    assert torch.cuda.memory_allocated("cuda:1") == 0


def test_the_picture_says_what_it_shows(steps):
    picture = memory_chart(steps, title="Two batches")
    for name, step in steps.items():
        assert f"{name}: {step.total / 2**20:.0f} MiB, of which parameters 1 MiB" in picture.alt
    assert picture.png()[:4] == b"\x89PNG"
