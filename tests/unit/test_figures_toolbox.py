"""What lesson 04 draws: which calls start CUDA, what the allocator keeps, which numbers repeat."""

import pytest
import torch

from course_utils.devices import current_lab, lab
from lesson_parts.lanes import event_lanes, order_lanes
from lesson_parts.lesson04.allocator import segment_map, segments_of
from lesson_parts.lesson04.calls import TriedCall, answers, call_map
from lesson_parts.lesson04.draws import draw_map
from tests.unit.pages import assert_text_is_inside_and_apart

MiB = 2**20


@pytest.fixture(scope="module", autouse=True)
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


@pytest.mark.slow
def test_calls_are_tried_in_processes_in_which_cuda_is_off():
    tried = answers(
        [
            "torch.cuda.current_device()",
            "torch.cuda.is_initialized()",
            "torch.cuda.is_available()",
            "1 / 0",
        ]
    )
    assert tried == [
        TriedCall("torch.cuda.current_device()", "0", True, True),
        TriedCall(
            "torch.cuda.is_initialized()", "False", False, False
        ),  # in spite of the call before
        TriedCall("torch.cuda.is_available()", "True", False, True),  # it woke the driver
        TriedCall("1 / 0", "ZeroDivisionError: division by zero", False, False),
    ]


def test_calls_stand_on_the_side_that_they_belong_to():
    tried = [
        TriedCall("torch.cuda.device_count()", "4", False, False),
        TriedCall("torch.cuda.is_available()", "True", False, True),
        TriedCall("f()", "None", True, True),
    ]
    picture = call_map(tried, title="Three calls")
    assert (
        "PyTorch has not started CUDA: device_count() gives 4 and is_available() gives True."
        in picture.alt
    )
    assert "PyTorch has started CUDA: f() gives None." in picture.alt
    assert "Children forked later cannot use CUDA, after: is_available() and f()." in picture.alt
    assert_text_is_inside_and_apart(picture)
    assert picture.png()[:4] == b"\x89PNG"


def test_a_side_without_calls_says_so():
    alt = call_map([TriedCall("f()", "1", False, False)], title="One call").alt
    assert "PyTorch has started CUDA: none." in alt
    assert "Children forked later cannot use CUDA, after: none." in alt


def test_segments_are_those_of_one_gpu_with_what_is_in_use():
    device = torch.device("cuda:2")
    torch.cuda.empty_cache()
    moments = {"before": segments_of(device)}
    kept = [torch.empty(4 * MiB, dtype=torch.uint8, device=device) for _ in range(3)]
    elsewhere = torch.empty(4 * MiB, dtype=torch.uint8, device="cuda:3")
    del kept[1]
    moments["after"] = segments_of(device)
    picture = segment_map(moments, title="Two moments")
    assert "before: allocated 0 bytes, reserved 0 bytes; no segment." in picture.alt
    assert (
        "after: allocated 8 MiB, reserved 20 MiB; 1 segment, one of 20 MiB with 4 MiB in use, "
        "4 MiB kept, free, 4 MiB in use and 8 MiB kept, free." in picture.alt
    )
    assert picture.png()[:4] == b"\x89PNG"
    del kept, elsewhere
    torch.cuda.empty_cache()


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


def test_event_lanes_say_when_the_gpu_passed_the_marks():
    def mark(stream: torch.cuda.Stream) -> torch.cuda.Event:
        return stream.record_event(torch.cuda.Event(enable_timing=True))

    square = torch.rand(1024, 1024, device="cuda:2")
    torch.cuda.synchronize(2)
    idle, side = torch.cuda.Stream(2), torch.cuda.Stream(2)
    zero, before = mark(idle), mark(side)
    with torch.cuda.stream(side):
        square @ square
    product = (before, mark(side))
    picture = event_lanes(
        zero, mark(idle), {"stream a": ("product", product)}, title="One product", modelled=True
    )
    begin, end = (round(zero.elapsed_time(event) * 1e3) for event in product)
    assert end > begin
    assert f"stream a: product from {begin:.4g} to {end:.4g}." in picture.alt
    assert "program: queues the work from 0 to" in picture.alt
    assert_text_is_inside_and_apart(picture)
