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


@pytest.mark.slow
def test_a_trace_tells_its_peak_and_what_is_left():
    device = torch.device("cuda:1")
    old, held = torch.empty(8 * MiB, dtype=torch.uint8, device=device), []

    def two_of_three() -> list[torch.Tensor]:
        nonlocal old
        del old  # from before, so it lowers nothing
        kept = [torch.empty(MiB, dtype=torch.uint8, device=device) for _ in range(3)]
        return kept[:2]

    picture = trace_chart(device, lambda: held.extend(two_of_three()))
    assert picture.alt == (
        "Memory in use, with 4 allocations and releases, '<lambda>()': at the peak 3 MiB more "
        "than before, at the end 2 MiB."
    )
    assert picture.png()[:4] == b"\x89PNG"
    assert "at the peak 0 bytes" in trace_chart(device, int).alt


def test_a_trace_of_a_function_that_fails_keeps_nothing(capsys):
    device = torch.device("cuda:1")
    before = torch.cuda.memory_allocated(device)

    def fails() -> None:
        kept = torch.empty(MiB, dtype=torch.uint8, device=device)
        kept.no_such_name()

    assert "at the peak 1 MiB more than before" in trace_chart(device, fails).alt
    assert torch.cuda.memory_allocated(device) == before
    assert "fails(): AttributeError: 'Tensor' object has no attribute" in capsys.readouterr().out


def test_an_order_is_told_without_times():
    lanes = {"program": [("launch", 0, 1), ("wait", 1, 3)], "GPU": [("kernel", 1, 2)]}
    picture = order_lanes(lanes, title="T")
    assert picture.alt == (
        "Order of events, without times, 'T': program begins launch, program ends launch, GPU "
        "begins kernel, program begins wait, GPU ends kernel and program ends wait."
    )
    assert picture.png()[:4] == b"\x89PNG"
