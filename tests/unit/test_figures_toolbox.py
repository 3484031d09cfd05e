"""What lesson 04 draws: how memory in use rises and falls; lanes without times."""

import pytest
import torch

from course_utils.devices import current_lab, lab
from lesson_parts.lanes import order_lanes
from lesson_parts.lesson04.trace import trace_chart

MiB = 2**20


@pytest.fixture(scope="module", autouse=True)
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def test_a_trace_tells_its_peak_and_what_is_left():
    device = torch.device("cuda:1")
    old = torch.empty(8 * MiB, dtype=torch.uint8, device=device)
    torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
    del old  # from before, so it lowers nothing
    kept = [torch.empty(MiB, dtype=torch.uint8, device=device) for _ in range(3)]
    kept.pop()
    trace = torch.cuda.memory._snapshot()["device_traces"][device.index]
    torch.cuda.memory._record_memory_history(enabled=None)
    picture = trace_chart(trace, title="Three tensors")
    assert picture.alt == (
        "Memory in use, with 4 allocations and releases, 'Three tensors': at the peak 3 MiB more "
        "than before, at the end 2 MiB."
    )
    assert picture.png()[:4] == b"\x89PNG"
    assert "at the peak 0 bytes" in trace_chart([], title="Nothing").alt


def test_an_order_is_told_without_times():
    lanes = {"program": [("launch", 0, 1), ("wait", 1, 3)], "GPU": [("kernel", 1, 2)]}
    picture = order_lanes(lanes, title="T")
    assert picture.alt == (
        "Order of events, without times, 'T': program begins launch, program ends launch, GPU "
        "begins kernel, program begins wait, GPU ends kernel and program ends wait."
    )
    assert picture.png()[:4] == b"\x89PNG"
