"""``torch.profiler`` on virtual cards: tables and files show their work, said to be modelled."""

from __future__ import annotations

import gzip
import json

import pytest
import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile, schedule

import virtual_cuda

BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
pytestmark = pytest.mark.filterwarnings("ignore:torch.profiler measures")


def work() -> None:
    x = torch.ones(256, 256, device="cuda:1")
    with torch.cuda.stream(torch.cuda.Stream(1)):
        (x @ x).relu()


@pytest.mark.slow
def test_work_of_the_cards_is_in_the_table():
    with profile(activities=BOTH) as seen:
        work()
    kernels = [event for event in seen.events() if event.device_type == DeviceType.CUDA]
    assert [event.name for event in kernels if event.device_index == 1][-2:] == [
        "mm (modelled)",
        "relu (modelled)",
    ]
    averages = {average.key: average for average in seen.key_averages()}
    product = averages["aten::mm"]
    # 2 · 256³ operations, or 3 matrices of 256 KiB, after 2 µs for a kernel that does nothing
    assert 2 < product.self_device_time_total < 10
    assert averages["aten::matmul"].device_time_total == product.device_time_total
    table = seen.key_averages().table(sort_by="self_device_time_total")
    assert "Self CUDA time total" in table and "mm (modelled)" in table


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_a_viewer_finds_a_row_for_each_stream(tmp_path, ending):
    with profile(activities=BOTH) as seen:
        work()
    path = tmp_path / f"trace{ending}"
    seen.export_chrome_trace(str(path))
    opened = gzip.open if ending.endswith("gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    (product,) = [event for event in events if event.get("name") == "mm (modelled)"]
    (launch,) = [event for event in events if event.get("name") == "aten::mm"]
    assert (product["ph"], product["pid"], product["cat"]) == ("X", 1, "kernel")
    assert product["tid"] != 0 and product["dur"] > 2
    assert launch["ts"] - 1e4 < product["ts"] < launch["ts"] + launch["dur"] + 1e4
    assert any("cuda:1 (virtual, modelled)" in str(event.get("args")) for event in events)


def memory_of(seen: profile, name: str) -> list[tuple[int, int]]:
    found = [event for event in seen.events() if event.name == name]
    return [(event.cpu_memory_usage, event.device_memory_usage) for event in found]


def test_memory_is_told_where_it_came_and_went():
    """In blocks, as CUDA's allocator reports; on the CPU only what the CPU's tensors take."""
    before = torch.ones(300, 1000, device="cuda")  # whose end is seen, and not its beginning
    torch.cuda.memory._record_memory_history()
    with profile(activities=BOTH, profile_memory=True) as seen:
        y = before.relu()
        del before
        y.zero_()
        on_cpu = y.cpu()
    nbytes, block = 1_200_000, 1_200_128
    assert memory_of(seen, "aten::relu") == [(0, block)]
    assert memory_of(seen, "[memory]") == [(0, -block)]
    assert memory_of(seen, "aten::zero_") == [(0, 0)]
    assert memory_of(seen, "aten::to") == [(nbytes, 0)] and on_cpu.nbytes == nbytes
    assert "CUDA Mem" in seen.key_averages().table(sort_by="self_device_memory_usage")
    history = torch.cuda.memory._snapshot()["device_traces"][0]
    assert ("alloc", block) in [(event["action"], event["size"]) for event in history]
    torch.cuda.memory._record_memory_history(None)


def test_a_timeline_of_memory_is_refused(tmp_path):
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as seen:
        work()
    with (
        pytest.warns(FutureWarning),
        pytest.raises(virtual_cuda.UnsupportedFeature, match="_record_memory_history"),
    ):
        seen.export_memory_timeline(str(tmp_path / "memory.json"))


def test_in_steps_and_beside_a_trace():
    steps = []
    with (
        virtual_cuda.trace() as trace,
        profile(
            activities=BOTH,
            schedule=schedule(wait=1, warmup=1, active=1),
            on_trace_ready=lambda seen: steps.append(seen.key_averages()),
        ) as seen,
    ):
        for _ in range(3):
            work()
            seen.step()
    assert sum(interval.name.startswith("mm") for interval in trace.intervals) == 3
    (averages,) = steps
    assert [a.count for a in averages if a.key == "mm (modelled)"] == [1]
    torch.ones(1, device="cuda")  # which nobody watches any more
