"""torch.cuda, torch.accelerator, streams and events."""

from __future__ import annotations

import pytest
import torch


def test_what_the_machine_says_about_itself():
    torch.ones(1, device="cuda")
    assert torch.cuda.is_available() and torch.cuda.is_initialized()
    assert torch.cuda.device_count() == 4
    assert "virtual" in torch.cuda.get_device_name().lower()
    assert torch.cuda.get_device_capability(1) == (8, 0)
    properties = torch.cuda.get_device_properties(0)
    assert properties.total_memory == 2 << 30
    assert repr(properties).startswith("_CudaDeviceProperties(name='Virtual CUDA device")
    assert torch.backends.cuda.is_built() and torch.backends.cudnn.is_available()
    assert torch.cuda.can_device_access_peer(0, 1) and torch.cuda.is_bf16_supported()


def test_a_card_that_is_not_there():
    with pytest.raises(AssertionError, match="Invalid device id"):
        torch.cuda.get_device_properties(9)
    with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
        torch.cuda.device("cpu")


def test_set_device_is_per_thread():
    import threading

    seen = []
    torch.cuda.set_device(2)
    thread = threading.Thread(target=lambda: seen.append(torch.cuda.current_device()))
    thread.start()
    thread.join()
    assert seen == [0] and torch.cuda.current_device() == 2


def test_accelerator():
    accelerator = torch.accelerator
    assert accelerator.is_available() and accelerator.device_count() == 4
    assert accelerator.current_accelerator() == torch.device("cuda")
    accelerator.set_device_index(1)
    assert torch.cuda.current_device() == accelerator.current_device_index() == 1
    with accelerator.device_index(3):
        assert torch.ones(1, device="cuda").get_device() == 3
    accelerator.synchronize()
    assert accelerator.current_stream() == torch.cuda.current_stream()


def test_synchronize():
    torch.cuda.synchronize()
    torch.cuda.synchronize(1)
    with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
        torch.cuda.synchronize(5)


def test_streams():
    default, first, second = torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()
    assert len({default, first, second}) == 3
    assert isinstance(first, torch.Stream) and first.device == torch.device("cuda:0")
    with torch.cuda.stream(first):
        assert torch.cuda.current_stream() == first
        with second:
            assert torch.cuda.current_stream() == second
        x = torch.ones(3, device="cuda") * 2
    assert torch.cuda.current_stream() == default == torch.cuda.default_stream()
    default.wait_stream(first)
    x.record_stream(default)
    first.synchronize()
    assert first.query() and x.tolist() == [2, 2, 2]


def test_stream_of_another_card_switches_to_it():
    with torch.cuda.stream(torch.cuda.Stream(2)):
        assert torch.cuda.current_device() == 2
    assert torch.cuda.current_device() == 0


def test_generic_stream_and_event():
    stream, event = torch.Stream(device="cuda:1"), torch.Event(device="cuda")
    assert isinstance(stream, torch.Stream) and isinstance(event, torch.Event)
    assert stream.device == torch.device("cuda:1")
    event.record(stream)
    event.synchronize()


def test_events():
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with pytest.raises(ValueError, match="must be recorded before calculating elapsed time"):
        start.elapsed_time(end)
    start.record()
    x = torch.randn(200, 200, device="cuda")
    x @ x
    end.record()
    torch.cuda.synchronize()
    assert end.query() and 0 < start.elapsed_time(end) < 10_000
    with pytest.raises(ValueError, match="enable_timing=True"):
        torch.cuda.Event().elapsed_time(end)


def test_profiler_ranges_are_accepted():
    with torch.cuda.nvtx.range("step"):
        torch.ones(1, device="cuda")
