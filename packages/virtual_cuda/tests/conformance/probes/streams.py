"""Streams: what they are, in which order work is done, what is refused."""

from __future__ import annotations

import torch
from torch.cuda import current_stream, default_stream

from ..probe import in_a_thread, refuses, shows, within

STREAM = "c10/cuda/CUDAStream.cpp"
TEST = "test/test_cuda.py"
MULTI = "test/test_cuda_multigpu.py"
LONG = 200_000_000  # cycles: a tenth of a second on any card


def recorded(stream=None):
    event = torch.cuda.Event()
    event.record(stream)
    return event


def busy(stream):
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LONG)
    return stream


def done(*looks):
    """What queries answer while a card is busy, after which it is waited for."""
    seen = [look.query() for look in looks]
    torch.cuda.synchronize()
    return seen


def order(*links):
    """Whether two events of different streams are done when the last link is."""
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    busy(first)
    event = recorded(first)
    for link in links:
        link(first, second)
    second.synchronize()
    answer = event.query()
    torch.cuda.synchronize()
    return answer


shows("the default stream is null", f"{TEST} test_streams", lambda: default_stream().cuda_stream, 0)
shows(
    "another stream is not null",
    f"{TEST} test_streams",
    lambda: torch.cuda.Stream().cuda_stream != 0,
    True,
)
shows("stream_id of the default stream", STREAM, lambda: default_stream().stream_id, 0)
shows(
    "the current stream is the default one",
    f"{TEST} test_streams",
    lambda: current_stream() == default_stream(),
    True,
)
shows(
    "the current stream inside a block",
    f"{TEST} test_streams",
    lambda: (lambda s: within(torch.cuda.stream(s), current_stream) == s)(torch.cuda.Stream()),
    True,
)
shows(
    "a stream is a block itself",
    "docs: torch.cuda.Stream, as a context manager",
    lambda: (lambda s: within(s, current_stream) == s)(torch.cuda.Stream()),
    True,
)
shows(
    "a block of None changes nothing",
    "torch/cuda/__init__.py StreamContext",
    lambda: within(torch.cuda.stream(None), current_stream) == default_stream(),
    True,
)
shows(
    "a block of another card's stream switches the card",
    f"{MULTI} test_stream_context",
    lambda: within(torch.cuda.stream(torch.cuda.Stream(1)), torch.cuda.current_device),
    1,
    devices=2,
)
shows(
    "after the block the card is the old one",
    f"{MULTI} test_stream_context",
    lambda: (within(torch.cuda.stream(torch.cuda.Stream(1)), int), torch.cuda.current_device())[1],
    0,
    devices=2,
)
shows(
    "each card has a default stream",
    f"{MULTI} test_default_stream",
    lambda: [default_stream(1).device, default_stream(0) == default_stream(1)],
    ["cuda:1", False],
    devices=2,
)
shows(
    "default streams of two cards hash apart",
    f"{MULTI} test_streams_multi_gpu_eq",
    lambda: hash(default_stream(0)) == hash(default_stream(1)),
    False,
    devices=2,
)
shows(
    "the current stream and the default one hash alike",
    f"{MULTI} test_streams_multi_gpu_eq",
    lambda: hash(current_stream()) == hash(default_stream()),
    True,
)
shows(
    "a pool has 32 streams",
    f"{STREAM}: kStreamsPerPool = 1 << 5",
    lambda: (lambda made: [len(set(made)), made[0] == made[32]])(
        [torch.cuda.Stream() for _ in range(33)]
    ),
    [32, True],
)
shows(
    "priorities have pools of their own",
    f"{STREAM} getStreamFromPool",
    lambda: torch.cuda.Stream(priority=0) == torch.cuda.Stream(priority=-1),
    False,
)
shows(
    "the lowest priority is 0",
    f"{MULTI} test_streams_priority",
    lambda: torch.cuda.Stream.priority_range()[0],
    0,
)
shows(
    "a high priority",
    f"{MULTI} test_streams_priority",
    lambda: torch.cuda.Stream(priority=-1).priority,
    -1,
)
shows(
    "a priority higher than there is becomes the highest",
    f"{STREAM} getStreamFromPool: std::clamp",
    lambda: torch.cuda.Stream(priority=-100).priority == torch.cuda.Stream.priority_range()[1],
    True,
)
refuses(
    "a priority above 0",
    f"{STREAM} getStreamFromPool",
    lambda: torch.cuda.Stream(priority=1),
    "Expected cuda stream priority to be less than or equal to 0, got 1",
)
refuses(
    "a stream of the CPU",
    "torch/cuda/streams.py",
    lambda: torch.cuda.Stream("cpu"),
    "cpu",
    "ValueError",
)
shows(
    "repr of the default stream",
    f"{TEST} test_stream_event_repr; torch/cuda/streams.py",
    lambda: repr(default_stream()),
    "<torch.cuda.Stream device=cuda:0 cuda_stream=0x0>",
)
shows(
    "a generic stream is on the current card",
    f"{TEST} test_generic_stream_event",
    lambda: torch.Stream("cuda").device_index,
    0,
)
shows(
    "a generic stream is a stream of the pool",
    f"{TEST} test_generic_stream_event",
    lambda: torch.Stream("cuda").stream_id != current_stream().stream_id,
    True,
)
shows(
    "a cuda stream is a stream",
    f"{TEST} test_generic_stream_event",
    lambda: [
        isinstance(torch.cuda.Stream(), torch.Stream),
        isinstance(torch.cuda.Event(), torch.Event),
    ],
    [True, True],
)
shows(
    "an external stream of the default handle",
    "torch/cuda/streams.py ExternalStream",
    lambda: torch.cuda.ExternalStream(torch.cuda.Stream().cuda_stream).device,
    "cuda:0",
)
shows("an idle stream is done", f"{TEST} test_streams", lambda: torch.cuda.Stream().query(), True)
shows(
    "a busy stream is not done",
    f"{MULTI} test_streams_multi_gpu_query",
    lambda: done(busy(current_stream())),
    [False],
)
shows(
    "a busy card leaves the others idle",
    f"{MULTI} test_streams_multi_gpu_query",
    lambda: done(busy(default_stream(0)), default_stream(1)),
    [False, True],
    devices=2,
)
shows(
    "two streams run side by side",
    "docs/source/notes/cuda.rst: CUDA streams",
    lambda: done(busy(torch.cuda.Stream()), torch.cuda.Stream()),
    [False, True],
)
shows(
    "a stream of the pool does not wait for the default stream",
    f"{STREAM}: kDefaultFlags = cudaStreamNonBlocking",
    lambda: (busy(default_stream()), done(default_stream(), recorded(torch.cuda.Stream())))[1],
    [False, True],
)
shows(
    "synchronize waits for all streams of a card",
    "docs: torch.cuda.synchronize",
    lambda: (lambda s: (torch.cuda.synchronize(), s.query())[1])(busy(torch.cuda.Stream())),
    True,
)
shows(
    "synchronize leaves another card at work",
    "docs: torch.cuda.synchronize: for the given device",
    lambda: (busy(default_stream(1)), torch.cuda.synchronize(0), default_stream(1).query())[2],
    False,
    devices=2,
)
shows("an idle stream waits for nobody", "docs: torch.cuda.Stream", lambda: order(), False)
shows(
    "wait_stream",
    "docs: torch.cuda.Stream.wait_stream",
    lambda: order(lambda first, second: second.wait_stream(first)),
    True,
)
shows(
    "wait_event",
    f"{MULTI} test_events_wait",
    lambda: order(lambda first, second: second.wait_event(recorded(first))),
    True,
)
shows(
    "a new thread begins with the default stream",
    f"{STREAM}: current_streams are thread local",
    lambda: within(
        torch.cuda.stream(torch.cuda.Stream()),
        lambda: in_a_thread(current_stream) == default_stream(),
    ),
    True,
)
shows(
    "backward runs on the stream of forward",
    "docs/source/notes/cuda.rst: Stream semantics of backward passes",
    lambda: streams_of_backward(),
    True,
)


def streams_of_backward():
    seen = []
    stream = torch.cuda.Stream()

    class Watch(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            seen.append(current_stream())
            return grad

    x = torch.ones(1, device="cuda", requires_grad=True)
    with torch.cuda.stream(stream):
        y = Watch.apply(x)
    y.sum().backward()
    torch.cuda.synchronize()
    return seen == [stream]
