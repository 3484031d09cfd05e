"""What lesson 04 draws: what the allocator keeps, which numbers repeat; lanes without times."""

import pytest
import torch

from course_utils.devices import current_lab, lab
from lesson_parts.lanes import order_lanes
from lesson_parts.lesson04.allocator import segment_map
from lesson_parts.lesson04.draws import draw_map
from lesson_parts.lesson04.trace import trace_chart

MiB = 2**20


@pytest.fixture(scope="module", autouse=True)
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def test_segments_are_those_of_one_gpu_with_what_is_in_use():
    device = torch.device("cuda:2")
    torch.cuda.empty_cache()
    moments = {"before": torch.cuda.memory_snapshot()}
    kept = [torch.empty(4 * MiB, dtype=torch.uint8, device=device) for _ in range(3)]
    elsewhere = torch.empty(4 * MiB, dtype=torch.uint8, device="cuda:3")
    del kept[1]
    moments["after"] = torch.cuda.memory_snapshot()
    picture = segment_map(moments, device, title="Two moments")
    assert "before: allocated 0 bytes, reserved 0 bytes; no segment." in picture.alt
    assert (
        "after: allocated 8 MiB, reserved 20 MiB; 1 segment, one of 20 MiB with 4 MiB in use, "
        "4 MiB kept, free, 4 MiB in use and 8 MiB kept, free." in picture.alt
    )
    assert picture.png()[:4] == b"\x89PNG"
    del kept, elsewhere
    torch.cuda.empty_cache()


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


def test_a_draw_that_comes_again_is_told():
    rows = {"first": [0.25, 0.5, 0.75], "shifted": [0.5, 0.75, 0.125], "same": [0.5, 0.75, 0.125]}
    picture = draw_map(rows, title="Three rows")
    assert "first: 0.250, 0.500 and 0.750." in picture.alt
    assert (
        "shifted: 0.500, 0.750 and 0.125; in the row above as well: number 1 and number 2."
        in picture.alt
    )
    assert "same: 0.500, 0.750 and 0.125, all of them in the row above." in picture.alt
    assert picture.png()[:4] == b"\x89PNG"


def test_an_order_is_told_without_times():
    lanes = {"program": [("launch", 0, 1), ("wait", 1, 3)], "GPU": [("kernel", 1, 2)]}
    picture = order_lanes(lanes, title="T")
    assert picture.alt == (
        "Order of events, without times, 'T': program begins launch, program ends launch, GPU "
        "begins kernel, program begins wait, GPU ends kernel and program ends wait."
    )
    assert picture.png()[:4] == b"\x89PNG"
