"""Snapshots of the allocators' segments, and the history of their events."""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.cuda import _memory_viz

MIB = 1 << 20


@pytest.fixture(autouse=True)
def clean_card() -> Iterator[None]:
    gc.collect()
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() == 0
    yield
    torch.cuda.memory._record_memory_history(None)
    torch.cuda.memory._set_memory_metadata("")


def record(**options: Any) -> None:
    torch.cuda.memory._record_memory_history(**options)


def snapshot() -> dict[str, Any]:
    """A snapshot, checked for what holds of every one."""
    result = torch.cuda.memory._snapshot()
    segments = result["segments"]
    stats = torch.cuda.memory_stats()
    assert sum(s["total_size"] for s in segments) == torch.cuda.memory_reserved()
    assert sum(s["allocated_size"] for s in segments) == torch.cuda.memory_allocated()
    assert sum(s["requested_size"] for s in segments) == stats["requested_bytes.all.current"]
    end = 0
    for segment in segments:
        assert segment["address"] >= end
        end = segment["address"]
        for block in segment["blocks"]:
            assert block["address"] == end
            end += block["size"]
        assert end == segment["address"] + segment["total_size"]
    return result


def trace() -> list[dict[str, Any]]:
    return snapshot()["device_traces"][0]


def actions() -> list[str]:
    return [event["action"] for event in trace()]


def names(entry: dict[str, Any]) -> set[str]:
    return {frame["name"] for frame in entry["frames"]}


def make() -> torch.Tensor:
    return torch.empty(3000, device="cuda")


def drop(tensors: list[torch.Tensor]) -> None:
    tensors.clear()


# Segments


def test_cached_segments_are_shown():
    x = torch.empty(9999, device="cuda")
    del x
    (segment,) = torch.cuda.memory_snapshot()
    assert segment["total_size"] == torch.cuda.memory_reserved() == 2 * MIB
    assert segment["allocated_size"] == segment["active_size"] == 0
    (block,) = segment["blocks"]
    assert (block["state"], block["size"]) == ("inactive", 2 * MIB)
    torch.cuda.empty_cache()
    assert torch.cuda.memory_snapshot() == []


def test_large_blocks_lie_where_the_books_have_them():
    first, second, third = (
        torch.empty(size * MIB, dtype=torch.uint8, device="cuda") for size in (4, 5, 30)
    )
    del first
    medium, own = snapshot()["segments"]
    assert (medium["total_size"], own["total_size"]) == (20 * MIB, 30 * MIB)
    assert medium["segment_type"] == own["segment_type"] == "large"
    assert [(b["state"], b["size"] // MIB) for b in medium["blocks"]] == [
        ("inactive", 4),
        ("active_allocated", 5),
        ("inactive", 11),
    ]
    del second, third
    assert [s["allocated_size"] for s in snapshot()["segments"]] == [0, 0]


@pytest.mark.parametrize("kib", [0.5, 3, 700, 1000, 1024])
def test_small_blocks_fill_segments_of_two_mib(kib):
    tensors = []
    for _ in range(9):
        tensors.append(torch.empty(int(kib * 1024), dtype=torch.uint8, device="cuda"))
        assert all(s["total_size"] % (2 * MIB) == 0 for s in snapshot()["segments"])
    del tensors[::2]
    snapshot()


def test_a_full_card():
    free, _ = torch.cuda.mem_get_info()
    whole = torch.empty(free - 3 * MIB // 2, dtype=torch.uint8, device="cuda")
    small = torch.empty(1000, device="cuda")
    result = torch.cuda.memory._snapshot()
    assert sum(s["allocated_size"] for s in result["segments"]) == torch.cuda.memory_allocated()
    del whole, small


# History


def test_stopping_forgets_the_events():
    record()
    x = make()
    assert actions() == ["segment_alloc", "alloc"]
    record(enabled=None)
    assert trace() == []
    y = make()
    record()
    assert trace() == []
    del x, y


def test_changing_the_recording_keeps_the_events_unless_told():
    record()
    x = make()
    record(context=None)
    assert actions() == ["segment_alloc", "alloc"]
    record(clear_history=True)
    assert trace() == []
    del x


def test_state_keeps_the_last_event_only():
    record(enabled="state")
    x = make()
    del x
    torch.cuda.empty_cache()
    assert actions() == ["segment_free"]


@pytest.mark.parametrize("context", [None, "state", "alloc", "all"])
def test_context_decides_whose_frames_are_kept(context):
    record(context=context)
    tensors = [make()]
    (block,) = (b for b in snapshot()["segments"][0]["blocks"] if b["state"] != "inactive")
    drop(tensors)
    torch.cuda.empty_cache()
    events = {event["action"]: event for event in trace()}
    assert ("make" in names(block)) == (context is not None)
    for action in ("alloc", "segment_alloc"):
        assert ("make" in names(events[action])) == (context in ("alloc", "all"))
    for action in ("free_requested", "free_completed"):
        assert ("drop" in names(events[action])) == (context == "all")
        assert ("make" in names(events[action])) == (context == "alloc")  # stands for the other
    assert ("empty_cache" in names(events["segment_free"])) == (context == "all")
    assert bool(events["segment_free"]["frames"]) == (context == "all")


def test_a_block_outlives_the_context_it_was_made_in():
    record()
    tensors = [make()]
    record(context=None)
    drop(tensors)
    assert "drop" not in json.dumps(trace())


def test_frames_outlive_the_recording():
    record()
    x = make()
    record(enabled=None)
    assert "make" in json.dumps(snapshot()["segments"])
    del x


@pytest.mark.parametrize(
    "skipped",
    [
        ["free_requested"],
        ["free_requested", "free_completed"],
        ["alloc"],
        ["segment_alloc", "segment_free"],
        [],
        None,
    ],
)
def test_actions_can_be_skipped(skipped):
    record(skip_actions=skipped)
    x = make()
    del x
    torch.cuda.empty_cache()
    every = ["segment_alloc", "alloc", "free_requested", "free_completed", "segment_free"]
    assert actions() == [action for action in every if action not in (skipped or [])]


def test_wrong_options():
    for options in ({"enabled": "some"}, {"context": "some"}, {"stacks": "some"}):
        with pytest.raises(RuntimeError, match="expected"):
            record(**options)


def test_trace_and_segments_agree_on_addresses():
    record()
    tensors = [torch.empty(count, device="cuda") for count in (100, 2 * MIB, 3000, 9 * MIB)]
    del tensors[2]
    result = snapshot()
    living = {
        block["address"]: block["requested_size"]
        for segment in result["segments"]
        for block in segment["blocks"]
        if block["state"] == "active_allocated"
    }
    events = result["device_traces"][0]
    made = [event["addr"] for event in events if event["action"] == "alloc"]
    freed = [event["addr"] for event in events if event["action"] == "free_completed"]
    assert len(set(made)) == 4 and freed == [made[2]]
    assert [living[address] for address in made if address not in freed] == [
        tensor.nbytes for tensor in tensors
    ]
    assert freed[0] not in living


def test_metadata():
    assert torch.cuda.memory._get_memory_metadata() == ""
    record()
    torch.cuda.memory._set_memory_metadata("step 1")
    x = make()
    torch.cuda.memory._set_memory_metadata("step 2")
    assert torch.cuda.memory._get_memory_metadata() == "step 2"
    y = make()
    texts = [event["user_metadata"] for event in trace() if event["action"] == "alloc"]
    assert texts == ["step 1", "step 2"]
    del x, y


def test_legacy_recording():
    torch.cuda.memory._record_memory_history(True, trace_alloc_max_entries=100)
    x = make()
    assert actions() == ["segment_alloc", "alloc"]
    assert "make" in json.dumps(snapshot()["segments"])
    assert "make" not in json.dumps(trace())
    torch.cuda.memory._record_memory_history(False)
    assert trace() == []
    del x


def test_out_of_memory_is_an_event():
    record()
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(4 << 30, dtype=torch.uint8, device="cuda")
    (event,) = (event for event in trace() if event["action"] == "oom")
    assert "device_free" in event and "addr" not in event


def test_viewers_read_a_dumped_snapshot(tmp_path):
    record()
    model = torch.nn.Linear(1000, 1000, device="cuda")
    model(torch.ones(8, 1000, device="cuda")).sum().backward()
    snapshot()
    torch.cuda.memory._dump_snapshot(str(tmp_path / "snapshot.pickle"))
    with open(tmp_path / "snapshot.pickle", "rb") as file:
        data = pickle.load(file)
    text = _memory_viz.trace(data)
    assert "cudaMalloc" in text and "del " in text
    assert "test_viewers" in _memory_viz.segments(data, format_flamegraph=str)
    assert "test_viewers" in _memory_viz.memory(data, format_flamegraph=str)
    assert "2.0MiB" in _memory_viz.segsum(data)
    assert "only_after" in _memory_viz.compare([], data["segments"], format_flamegraph=str)
    for page in (
        _memory_viz.trace_plot(data),
        _memory_viz.trace_plot(data, filter_freed=True),
        _memory_viz.segment_plot(data),
    ):
        assert "<script" in page
