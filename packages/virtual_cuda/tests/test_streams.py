"""Streams, events, and what happens when a program forgets to wait."""

from __future__ import annotations

import pytest
import torch

import virtual_cuda

SIZE = 1024


@pytest.fixture(autouse=True)
def idle_cards():
    for card in range(4):
        torch.cuda.synchronize(card)


def matrix(device: str = "cuda") -> torch.Tensor:
    return torch.zeros(SIZE, SIZE, device=device)


def events(count: int = 2) -> list[torch.cuda.Event]:
    return [torch.cuda.Event(enable_timing=True) for _ in range(count)]


@pytest.mark.slow
def test_streams_run_side_by_side():
    x, streams = matrix(), [torch.cuda.Stream() for _ in range(2)]
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        for stream in streams:
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                x @ x
    first, second = trace.intervals
    assert first.stream != second.stream and second.start < first.end
    with virtual_cuda.trace() as trace:
        x @ x
        x @ x
    first, second = trace.intervals
    assert second.start == first.end


def test_wait_stream_and_wait_event_order_the_work():
    x, side = matrix(), torch.cuda.Stream()
    with virtual_cuda.trace() as trace:
        y = x @ x
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            z = y @ y
        done = side.record_event()
        torch.cuda.current_stream().wait_event(done)
        z @ z
    starts_and_ends = [(work.start, work.end) for work in trace.intervals]
    assert starts_and_ends[1][0] == starts_and_ends[0][1]
    assert starts_and_ends[2][0] == starts_and_ends[1][1]
    assert not trace.hazards


def test_queries_see_work_that_is_not_done():
    stream, (event,) = torch.cuda.current_stream(), events(1)
    assert stream.query() and event.query()  # nothing recorded
    torch.cuda._sleep(10_000_000)
    event.record()
    assert not stream.query() and not event.query()
    looks = 0
    while not event.query():  # a loop of looks comes to its end
        looks += 1
    assert looks > 100 and stream.query()


def test_synchronize_waits_for_one_card_only():
    with torch.cuda.device(1):
        torch.cuda._sleep(10_000_000)
    before = virtual_cuda.now()
    torch.cuda.synchronize(0)
    assert virtual_cuda.now() == before
    torch.accelerator.synchronize(1)
    assert virtual_cuda.now() > before + 1000


def test_events_say_what_cudas_say():
    start, end = events()
    assert start.device is None
    start.record()
    torch.cuda._sleep(10_000_000)
    with pytest.raises(ValueError, match="must be recorded before calculating elapsed time"):
        start.elapsed_time(end)
    end.record()
    with pytest.raises(RuntimeError, match="must be completed before calculating elapsed time"):
        start.elapsed_time(end)
    end.synchronize()
    assert start.elapsed_time(end) == -end.elapsed_time(start) > 7
    assert start.device == torch.device("cuda:0")
    elsewhere = events(1)[0]
    elsewhere.record(torch.cuda.Stream(1))
    assert elsewhere.device == torch.device("cuda:1")
    with pytest.raises(torch.AcceleratorError, match="invalid resource handle"):
        start.elapsed_time(elsewhere)
    with pytest.raises(RuntimeError, match=r"Event device 0 does not match .* device 1"):
        start.record(torch.cuda.Stream(1))


def test_levels_and_the_pool_of_streams():
    assert torch.cuda.Stream.priority_range() == (0, -3)
    urgent = torch.cuda.Stream(priority=-9)
    assert urgent.priority == -3 and torch.cuda.Stream().priority == 0
    streams = [torch.cuda.Stream(3) for _ in range(33)]
    assert len(set(streams)) == 32 and streams[0] == streams[32]
    assert torch.cuda.default_stream(3) not in streams


def test_streams_of_a_thread_are_its_own():
    import threading

    seen = []
    with torch.cuda.stream(torch.cuda.Stream()):
        thread = threading.Thread(target=lambda: seen.append(torch.cuda.current_stream()))
        thread.start()
        thread.join()
    assert seen == [torch.cuda.default_stream()]


def test_copies_between_cards_keep_both_in_order():
    x = matrix()
    with virtual_cuda.trace() as trace:
        y = (x + 1).to("cuda:1")
        y + y
    first, copy, last = trace.intervals
    assert (copy.device, copy.engine, copy.name) == (0, "P2P", "P2P to cuda:1")
    assert copy.start == first.end and last.start == copy.end and last.device == 1
    assert not trace.hazards


# Hazards: values are right here whatever the order, so somebody has to say it.


def test_a_result_used_before_its_stream_is_waited_for():
    x, side = matrix(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        with torch.cuda.stream(side):
            y = x @ x
        y + 1
    (hazard,) = trace.hazards
    assert hazard.kind == "read before it is written" and hazard.in_time
    assert (hazard.first.name, hazard.second.name) == ("mm", "add")
    assert f"stream {side.stream_id}" in str(hazard) and "hazard" in repr(trace)


def test_waiting_for_the_host_or_an_event_is_enough():
    x, side = matrix(), torch.cuda.Stream()
    for wait in (
        torch.cuda.synchronize,
        side.synchronize,
        lambda: side.record_event().synchronize(),
        lambda: torch.cuda.current_stream().wait_event(side.record_event()),
    ):
        with virtual_cuda.trace() as trace:
            with torch.cuda.stream(side):
                y = x @ x
            wait()
            y + 1
        assert not trace.hazards


def test_what_an_event_does_not_cover_is_no_excuse():
    x, side = matrix(), torch.cuda.Stream()
    with virtual_cuda.trace() as trace:
        with torch.cuda.stream(side):
            y = x @ x
            event = side.record_event()
            y.add_(1)
        torch.cuda.current_stream().wait_event(event)
        y + 1
    assert [hazard.first.name for hazard in trace.hazards] == ["add_"]


def test_overwriting_what_another_stream_reads():
    x, side = matrix(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        with torch.cuda.stream(side):
            x @ x
        x.zero_()
    assert [hazard.kind for hazard in trace.hazards] == ["overwritten while it is read"]


def test_the_host_reads_before_the_copy_is_done():
    x = matrix()
    with virtual_cuda.trace() as trace:
        y = x.to("cpu", non_blocking=True)
        y.sum()
    assert [str(hazard) for hazard in trace.hazards] == [
        "read before it is written: 'sum' on the host does not wait for 'D2H pinned' on stream 0 "
        "of cuda:0"
    ]
    with virtual_cuda.trace() as trace:
        y = x.to("cpu", non_blocking=True)
        torch.cuda.synchronize()
        y.sum()
    assert not trace.hazards


def test_the_host_reads_a_list_of_copies_before_they_are_done():
    x = matrix()
    with virtual_cuda.trace() as trace:
        torch.stack([x.to("cpu", non_blocking=True) for _ in range(2)])
    assert {hazard.kind for hazard in trace.hazards} == {"read before it is written"}


def test_the_host_overwrites_a_batch_that_is_still_copied():
    batch = torch.zeros(SIZE, SIZE).pin_memory()
    with virtual_cuda.trace() as trace:
        batch.to("cuda", non_blocking=True)
        batch.fill_(1)
    assert [hazard.kind for hazard in trace.hazards] == ["overwritten while it is read"]
    with virtual_cuda.trace() as trace:
        batch.to("cuda")
        batch.fill_(2)
    assert not trace.hazards


@pytest.mark.parametrize("care", ["none", "record_stream", "wait", "synchronize"])
def test_memory_that_goes_back_while_another_stream_uses_it(care):
    """Its stream may be given it at once (PyTorch's notes on ``Tensor.record_stream``)."""
    side, main = torch.cuda.Stream(), torch.cuda.current_stream()
    with virtual_cuda.trace() as trace:
        x = torch.empty(1 << 16, device="cuda").fill_(1)
        side.wait_stream(main)
        with torch.cuda.stream(side):
            y = x * 2
        if care == "record_stream":
            x.record_stream(side)
        elif care == "wait":
            main.wait_stream(side)
        elif care == "synchronize":
            torch.cuda.synchronize()
        del x
    assert len(trace.early_frees) == (care == "none") and not trace.hazards
    if care == "none":
        sentence = "'free' on stream 0 of cuda:0 does not wait for 'mul'"
        assert sentence in str(trace.early_frees[0]) and sentence in repr(trace)
    main.wait_stream(side)
    del y
