"""Streams, events and synchronisation, without anything about time."""

from __future__ import annotations

import torch

from ..registry import Devices, Facts, caught, close, program, refused

STREAMS = "docs: notes/cuda streams; torch/cuda/streams.py"
EVENT = "c10/cuda/CUDAEvent.h of the 2.13 wheel"


@program({"current_is_default": True, "default_id": 0, "device": "cuda:0"}, source=STREAMS)
def default_stream(devices: Devices) -> Facts:
    """Work goes to the default stream, number 0."""
    stream = torch.cuda.current_stream()
    return {
        "current_is_default": stream == torch.cuda.default_stream(),
        "default_id": stream.cuda_stream,
        "device": stream.device,
    }


@program({"inside": True, "after": True, "different": True}, source=STREAMS)
def choosing_a_stream(devices: Devices) -> Facts:
    """``with torch.cuda.stream`` chooses for a block."""
    before, side = torch.cuda.current_stream(), torch.cuda.Stream()
    with torch.cuda.stream(side):
        inside = torch.cuda.current_stream() == side
    return {
        "inside": inside,
        "after": torch.cuda.current_stream() == before,
        "different": side != before,
    }


@program({"inside": True, "after": True}, source=STREAMS + "; torch.Stream.__enter__")
def a_stream_as_context(devices: Devices) -> Facts:
    """A stream is a context manager itself."""
    before, side = torch.cuda.current_stream(), torch.cuda.Stream()
    with side:
        inside = torch.cuda.current_stream() == side
    return {"inside": inside, "after": torch.cuda.current_stream() == before}


@program({"none": True, "set": True}, source=STREAMS)
def set_stream(devices: Devices) -> Facts:
    """``stream(None)`` changes nothing, ``set_stream`` stays."""
    before, side = torch.cuda.current_stream(), torch.cuda.Stream()
    with torch.cuda.stream(None):
        none = torch.cuda.current_stream() == before
    torch.cuda.set_stream(side)
    chosen = torch.cuda.current_stream() == side
    torch.cuda.set_stream(before)
    return {"none": none, "set": chosen}


@program(
    {"device": "cuda:1", "current_inside": [1, True], "after": [0, True]}, devices=2, source=STREAMS
)
def stream_of_another_card(devices: Devices) -> Facts:
    """Choosing a stream of another card makes that card current."""
    default, side = torch.cuda.current_stream(), torch.cuda.Stream(device=devices[1])
    with torch.cuda.stream(side):
        inside = [torch.cuda.current_device(), torch.cuda.current_stream(1) == side]
    after = [torch.cuda.current_device(), torch.cuda.current_stream() == default]
    return {"device": side.device, "current_inside": inside, "after": after}


@program({"equal": True, "hash": True, "text": True, "types": [True, True]}, source=STREAMS)
def streams_as_values(devices: Devices) -> Facts:
    """Streams compare by device and number."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        again = torch.cuda.current_stream()
    return {
        "equal": again == side,
        "hash": hash(again) == hash(side),
        "text": repr(side).startswith("<torch.cuda.Stream device=cuda:0 cuda_stream=0x"),
        "types": [isinstance(side, torch.Stream), isinstance(side, torch.cuda.Stream)],
    }


@program({"values": [3.0, 3.0], "query": True}, source=STREAMS)
def order_that_was_asked_for(devices: Devices) -> Facts:
    """Streams that wait for each other give the right values."""
    side = torch.cuda.Stream()
    x = torch.ones(2, device=devices[0])
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = x * 3
        y.record_stream(side)
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    return {"values": y.tolist(), "query": side.query()}


@program({"waits": [2.0], "returned": True}, source=STREAMS)
def waiting_for_an_event(devices: Devices) -> Facts:
    """Events order streams."""
    side = torch.cuda.Stream()
    x = torch.ones(1, device=devices[0])
    event = torch.cuda.current_stream().record_event()
    side.wait_event(event)
    with torch.cuda.stream(side):
        y = x + 1
        done = side.record_event()
    done.wait()
    torch.cuda.synchronize()
    return {"waits": y.tolist(), "returned": isinstance(done, torch.cuda.Event)}


@program({"number": True, "not_negative": True, "query": True}, source=EVENT)
def elapsed_time(devices: Devices) -> Facts:
    """Two timed events give milliseconds."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    torch.ones(1000, device=devices[0]).mul_(2)
    end.record()
    end.synchronize()
    elapsed = start.elapsed_time(end)
    return {
        "number": isinstance(elapsed, float),
        "not_negative": elapsed >= 0,
        "query": end.query(),
    }


@refused(
    "Both events must be created with argument 'enable_timing=True'.",
    kind="ValueError",
    source=EVENT,
)
def events_without_timing(devices: Devices) -> None:
    """Events without timing have no time."""
    start, end = torch.cuda.Event(), torch.cuda.Event()
    start.record(), end.record()
    start.elapsed_time(end)


@refused(
    "Both events must be recorded before calculating elapsed time.", kind="ValueError", source=EVENT
)
def events_never_recorded(devices: Devices) -> None:
    """Events that were never recorded have no time."""
    torch.cuda.Event(enable_timing=True).elapsed_time(torch.cuda.Event(enable_timing=True))


@program(
    {"query": True, "synchronize": None, "text": "<torch.cuda.Event uninitialized>"},
    source=EVENT + "; torch/cuda/streams.py",
)
def an_unrecorded_event(devices: Devices) -> Facts:
    """An event that was never recorded is done."""
    event = torch.cuda.Event()
    return {"query": event.query(), "synchronize": event.synchronize(), "text": repr(event)}


@refused("Event device 0 does not match recording stream's device 1.", devices=2, source=EVENT)
def an_event_belongs_to_a_card(devices: Devices) -> None:
    """An event is bound to the card that recorded it first."""
    event = torch.cuda.Event()
    event.record(torch.cuda.current_stream(0))
    event.record(torch.cuda.current_stream(1))


@program({"none": [None, None], "stream": None}, source=STREAMS)
def synchronizing(devices: Devices) -> Facts:
    """All ways to wait return nothing."""
    _ = torch.ones(1, device=devices[0]) + 1
    return {
        "none": [torch.cuda.synchronize(), torch.cuda.synchronize(devices[0])],
        "stream": torch.cuda.current_stream().synchronize(),
    }


@program({"stream": ["cuda:0", True], "event": "cuda"}, source="docs: torch.Stream, torch.Event")
def generic_classes(devices: Devices) -> Facts:
    """torch.Stream and torch.Event are for any accelerator."""
    stream, event = torch.Stream(device=devices[0]), torch.Event(device="cuda")
    event.record()
    return {"stream": [stream.device, isinstance(stream, torch.Stream)], "event": event.device.type}


@program(
    {
        "modes": [0, 2, 0],
        "item": {"type": "RuntimeError", "text": "called a synchronizing CUDA operation"},
    },
    source="c10/cuda/CUDAFunctions.cpp warn_or_error_on_sync",
)
def sync_debug_mode(devices: Devices) -> Facts:
    """Hidden waits can be made errors."""
    x, modes = torch.ones(1, device=devices[0]), [torch.cuda.get_sync_debug_mode()]
    torch.cuda.set_sync_debug_mode("error")
    try:
        modes.append(torch.cuda.get_sync_debug_mode())
        item = caught(x.item)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return {"modes": [*modes, torch.cuda.get_sync_debug_mode()], "item": item}


@program({"replayed": [4.0, 4.0]}, source="docs: CUDA graphs")
def cuda_graph(devices: Devices) -> Facts:
    """A captured graph is replayed on new values."""
    x = torch.ones(2, device=devices[0])
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        _ = x * 2
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 2
    x.fill_(2)
    graph.replay()
    torch.cuda.synchronize()
    return {"replayed": y.tolist()}


@program(
    {"capturing": [False, True, False], "unchanged": True, "after": [[3.0], [6.0]]},
    source="docs: CUDA graphs, Constraints; test_cuda.py",
)
def capturing_computes_nothing(devices: Devices) -> Facts:
    """What a captured kernel writes changes with every replay, and not before."""
    x = torch.ones(1, device=devices[0])
    torch.cuda.set_device(devices[0])
    capturing = [torch.cuda.is_current_stream_capturing()]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x.mul_(2).add_(1)
        capturing.append(torch.cuda.is_current_stream_capturing())
    capturing.append(torch.cuda.is_current_stream_capturing())
    facts: Facts = {"capturing": capturing, "unchanged": x.tolist() == [1.0], "after": []}
    graph.replay()
    facts["after"].append(x.tolist())
    x.fill_(2.5)
    graph.replay()
    return {**facts, "after": [*facts["after"], x.tolist()]}


@program({"step": True}, source="docs: CUDA graphs, Whole-network capture")
def a_training_step_as_a_graph(devices: Devices) -> Facts:
    """Forward, backward and optimizer, captured once, train as the same steps do."""
    torch.cuda.set_device(devices[0])
    torch.manual_seed(0)
    x, weight = torch.randn(8, 3), torch.randn(3, 1)

    def start(device: torch.device | str) -> tuple[torch.Tensor, torch.optim.Optimizer]:
        parameter = torch.nn.Parameter(weight.to(device))
        return parameter, torch.optim.SGD([parameter], lr=0.1, foreach=True)

    def step(parameter: torch.Tensor, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
        optimizer.zero_grad(set_to_none=True)
        (x @ parameter).pow(2).mean().backward()
        optimizer.step()

    captured, its_optimizer = start(devices[0])
    plain, optimizer = start("cpu")
    static = x.to(devices[0])
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step(captured, its_optimizer, static)
    torch.cuda.current_stream().wait_stream(side)
    step(plain, optimizer, x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step(captured, its_optimizer, static)
    for scale in (1.0, 2.0, 3.0):
        static.copy_(x * scale)
        graph.replay()
        step(plain, optimizer, x * scale)
    return {"step": close(captured, plain)}


@refused("Called CUDAGraph::replay without a preceding successful capture.", source="CUDAGraph.cpp")
def replay_of_nothing(devices: Devices) -> None:
    """There is nothing to replay."""
    torch.cuda.CUDAGraph().replay()


@refused(
    "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to "
    "replay them on the default stream.)",
    source="CUDAGraph.cpp",
)
def capture_on_the_default_stream(devices: Devices) -> None:
    """torch.cuda.graph() takes a side stream; by hand it must be chosen."""
    torch.cuda.CUDAGraph().capture_begin()


@program(
    {"default": False, "of_the_forward_pass": True},
    source="CUDA semantics, Stream semantics of backward passes; test_cuda.py",
)
def streams_of_backward(devices: Devices) -> Facts:
    """A step of backward runs on the stream of its forward step, whatever is current."""
    stream = torch.cuda.Stream(devices[0])
    seen: list[torch.cuda.Stream] = []
    x = torch.ones(3, device=devices[0], requires_grad=True)
    stream.wait_stream(torch.cuda.current_stream(devices[0]))
    with torch.cuda.stream(stream):
        y = x * 2
        y.register_hook(lambda gradient: seen.append(torch.cuda.current_stream(devices[0])))
        z = y.sum()
    z.backward()
    return {
        "default": seen[0] == torch.cuda.default_stream(devices[0]),
        "of_the_forward_pass": seen[0] == stream,
    }
