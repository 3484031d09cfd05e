"""What is computed for lanes and for memory in use: gaps of a GPU, peaks of a function."""

import re

import pytest
import torch

from course_utils.devices import current_lab, lab
from lesson_parts import own_gpu
from lesson_parts.lesson02.waits import wait_lanes
from lesson_parts.lesson04.trace import trace_chart
from tests.fresh import fresh

MiB = 2**20


@pytest.fixture(scope="module", autouse=True)
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def test_each_wait_leaves_a_gap_of_the_same_length():
    """With both pictures of the lesson, since the slider's loop is drawn as a learner's."""

    def idle(every: int) -> int:
        alt = wait_lanes(every=every).alt
        assert alt.count("wait from") == 6 + 6 // every + (6 % every > 0)
        first, second = re.findall(r": idle for (\d+) µs, done at", alt)
        assert first == str(5 * 15)
        return int(second)

    gap = idle(3)
    assert gap > 0 and idle(6) == 0
    assert (idle(2), idle(1)) == (2 * gap, 5 * gap)


LOOPS = """
from lesson_parts.lesson02 import log_in, loop_lanes
log_in("porto")

def in_every_step(batches, weight):
    return sum((batch @ weight).square().mean().item() for batch in batches)

def once(batches, weight):
    return sum((batch @ weight).square().mean() for batch in batches).item()

def never(batches, weight):
    return sum((batch @ weight).square().mean() for batch in batches)

for loop in (in_every_step, once, never, lambda batches, weight: None):
    print(loop_lanes(loop))
"""


@pytest.mark.slow
def test_the_lanes_of_a_loop_are_drawn_from_what_ran():
    _, *told = fresh(LOOPS).splitlines()
    assert all(alt.startswith("Modelled timelines in µs over one clock.") for alt in told)
    first, yours = zip(*(alt.split("Yours: ") for alt in told), strict=True)
    assert len(set(first[1:])) == 1 and [alt.count("wait from") for alt in first[:2]] == [0, 6]
    assert [alt.count("wait from") for alt in yours] == [6, 1, 0, 0]
    assert [alt.count("compute from") for alt in yours] == [6, 1, 1, 0]
    assert [alt.count("queue work from") for alt in yours] == [6, 1, 1, 0]
    assert ["idle for 0 " not in alt for alt in yours] == [True, False, False, False]


@pytest.mark.slow
def test_a_trace_tells_its_peak_and_what_is_left():
    device = torch.device("cuda:1")
    old, held = torch.empty(8 * MiB, dtype=torch.uint8, device=device), []

    def two_of_three() -> list[torch.Tensor]:
        nonlocal old
        del old  # from before
        kept = [torch.empty(MiB, dtype=torch.uint8, device=device) for _ in range(3)]
        return kept[:2]

    picture = trace_chart(device, lambda: held.extend(two_of_three()), allowed=64 * MiB)
    assert "in use: up to 8 MiB, free at the end: " in picture.alt
    assert "Limit: 64 MiB. In use at the end: 2 MiB. " in picture.alt
    assert "int(): it returns 0" in trace_chart(device, int, allowed=MiB).alt
    too_much = trace_chart(device, lambda: torch.empty(2**42, device=device), allowed=MiB)
    assert "failed request: " in too_much.alt  # also if it is the first event


def test_a_trace_of_a_function_that_fails_keeps_nothing():
    device, layer = torch.device("cuda:1"), torch.nn.Identity()
    before = torch.cuda.memory_allocated(device)

    def fails() -> None:
        for _ in range(2):
            kept = layer(None), torch.empty(MiB, dtype=torch.uint8, device=device)
        kept.no_such_name()

    told = trace_chart(device, fails, allowed=64 * MiB).alt
    assert "fails(): 'tuple' object has no attribute" in told and "batch 2: " in told
    assert torch.cuda.memory_allocated(device) == before


PLAYED = """
import virtual_cuda
from course_utils import devices
virtual_cuda.enable(cards=["RTX 4060 Laptop"], quiet=True)
devices._real_lab = lambda gpus: devices.Lab("real", devices._numbered(gpus))
"""


@pytest.mark.slow
def test_my_times_are_measured_in_a_child_on_my_gpu(monkeypatch):
    """A child on virtual CUDA plays the one with the real GPU, read with PyTorch's profiler."""
    real = own_gpu.run_bare_child
    monkeypatch.setattr(own_gpu, "run_bare_child", lambda code, **how: real(PLAYED + code, **how))
    for every, waited in ((1, 6), (3, 2), (6, 1)):
        told = wait_lanes(every=every, mine=True).alt
        assert "odelled" not in told and told.count("wait from") == 6 + waited
        assert told.count("compute from") >= 1 and "measured: this loop" in told
