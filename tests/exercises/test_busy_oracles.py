"""The oracles of assignment 08 against reality: the clock, the allocator, torch's own steps.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from argparse import Namespace

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.experiments.waits import with_waits
from lesson_parts.project import names

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("busy", seeds=20)
_reference = TOPIC.reference


def test_time_on_gpu_works_with_the_clock_and_the_gpu_of_this_machine() -> None:
    square = torch.rand(50, 50, device="cuda:0")
    calls = []
    seconds = _reference("time_on_gpu")(lambda: calls.append(square @ square), 3)
    assert len(calls) == 4
    assert 0 < seconds < 10


def test_the_bytes_counted_by_hand_are_those_that_the_gpu_gives_out() -> None:
    """Blocks are multiples of 512 bytes, so that one more would show."""
    before = torch.cuda.memory_allocated("cuda:1")
    model = nn.Linear(128, 128, device="cuda:1")
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 128, device="cuda:1")).sum().backward()
    optimizer.step()
    counted = _reference("training_bytes")(model, optimizer, torch.device("cuda:1"))
    assert sum(counted.values()) == torch.cuda.memory_allocated("cuda:1") - before


def test_the_gradient_in_parts_is_that_of_the_mean_of_all() -> None:
    model = nn.Linear(3, 2, device="cuda:1")
    images = torch.rand(10, 3, device="cuda:1")
    targets = torch.arange(10, device="cuda:1") % 2
    _reference("in_parts")(model, images, targets, 4)
    found = [each.grad.clone() for each in model.parameters()]
    model.zero_grad()
    nn.functional.cross_entropy(model(images), targets).backward()
    for one, parameter in zip(found, model.parameters(), strict=True):
        assert torch.allclose(one, parameter.grad, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_the_program_needs_less_memory_in_parts_and_waits_for_nothing() -> None:
    """`train_batch` of train.py: 480 images under the 64 MiB of lesson 08, in parts only."""
    program, gpu = names("12"), torch.device("cuda:1")
    net = program.ShapeNet(6).to(gpu)
    images = torch.randint(256, (480, 3, 48, 48), dtype=torch.uint8, device=gpu)
    targets = torch.randint(6, (480,), device=gpu)
    gradients, peaks = [], []
    for parts in (1, 4):
        net.zero_grad()
        torch.cuda.reset_peak_memory_stats(gpu)
        args = Namespace(batch=480, parts=parts, bf16=False)
        _, waits = with_waits(program.train_batch, net, images, targets, args)
        peaks.append(torch.cuda.max_memory_allocated(gpu) >> 20)
        gradients.append([each.grad.clone() for each in net.parameters()])
        assert waits == 0
    assert peaks[1] < 64 < peaks[0]
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-4, atol=1e-6)
