"""What the figures of lesson 11 compute: bytes on their way, who waits for whom, samples."""

import pytest
import torch
from torch.utils.data import DistributedSampler

from course_utils.devices import current_lab, lab
from course_utils.errors import CourseError
from course_utils.experiments import recording
from course_utils.experiments.copies import count_copies
from lesson_parts.lesson11.exchanges import by_a_ring, exchange_chart, through_one
from lesson_parts.lesson11.shards import shard_map
from lesson_parts.lesson11.streams import Order, record_order, stream_lanes


@pytest.fixture
def gpus() -> list[torch.device]:
    if current_lab() is None:
        lab(gpus=4)
    return [torch.device("cuda", index) for index in range(4)]


def _recorded(gpu: torch.device, wait: bool) -> Order:
    numbers = torch.zeros(1000, device=gpu)
    side, default = torch.cuda.Stream(gpu), torch.cuda.current_stream(gpu)
    side.wait_stream(default)
    with record_order(gpu) as order:
        with torch.cuda.stream(side):
            numbers.fill_(1)
        if wait:
            default.wait_stream(side)
        numbers.sum()
    return order


def test_a_missing_wait_is_found_and_a_wait_is_enough(gpus):
    assert _recorded(gpus[0], wait=True).unordered == []
    (found,) = _recorded(gpus[0], wait=False).unordered
    assert str(found) == "read before it is written: sum does not wait for fill_"


def test_streams_are_lanes_with_names_of_their_own(gpus):
    order = _recorded(gpus[0], wait=True)
    assert [what for what, *_ in order.lanes["default stream"]] == ["sum"]
    assert [what for what, *_ in order.lanes["side stream"]] == ["fill_"]


def test_recording_needs_gpus(gpus, monkeypatch):
    monkeypatch.setattr(recording, "current_lab", lambda: None)
    with pytest.raises(CourseError, match="Call lab"), record_order(gpus[0]):
        pass


def test_stream_lanes_say_what_does_not_wait(gpus):
    orders = {"without": _recorded(gpus[0], wait=False), "with": _recorded(gpus[0], wait=True)}
    picture = stream_lanes(orders, title="Two streams")
    without, with_wait = picture.alt.split("with. ")
    assert "no wait: read before it is written: sum does not wait for fill_" in without
    assert "no wait" not in with_wait


@pytest.mark.parametrize("count", [2, 4])
def test_the_bytes_of_a_ring_are_those_that_a_ring_sends(gpus, count):
    tensors = [torch.ones(120, device=gpu) for gpu in gpus[:count]]
    pieces = [tensor.chunk(count) for tensor in tensors]
    with count_copies() as copies:
        for step in range(2 * (count - 1)):
            for gpu in range(count):
                place = (gpu - step) % count
                target = pieces[(gpu + 1) % count][place]
                target.copy_(pieces[gpu][place].to(target.device))
    sent = by_a_ring(480, count)["gradients"]
    assert [
        copies.bytes_by_route[f"cuda:{i}", f"cuda:{(i + 1) % count}"] for i in range(count)
    ] == sent


def test_both_ways_of_exchange_send_the_same_in_all():
    first, ring = through_one(64, 4), by_a_ring(64, 4)
    assert sum(map(sum, first.values())) == sum(map(sum, ring.values()))
    picture = exchange_chart({"one": first, "ring": ring}, title="Sent")
    assert "cuda:0 sends 192 bytes, cuda:1 sends 64 bytes" in picture.alt


def test_a_shard_map_tells_who_has_a_sample_again_and_what_is_left_out():
    def shards(drop_last: bool) -> list[list[int]]:
        return [
            list(DistributedSampler(range(10), 4, rank, shuffle=False, drop_last=drop_last))
            for rank in range(4)
        ]

    filled = shard_map(shards(False), 10, title="Filled up")
    assert filled.alt == (
        "Filled up. rank 0: 0, 4 and 8; rank 1: 1, 5 and 9; "
        "rank 2: 2, 6 and 0 (again); rank 3: 3, 7 and 1 (again)."
    )
    assert shard_map(shards(True), 10, title="Dropped").alt.endswith("Left out: 8 and 9.")
    with pytest.raises(ValueError, match="cannot be drawn"):
        shard_map([range(11)], 11, title="Too many")
