"""Events: when they are done, the time between them, what is refused."""

from __future__ import annotations

import torch
from torch.cuda import current_stream, default_stream

from ..probe import refuses, shows, within
from .streams import MULTI, TEST, busy, done, order, recorded

EVENT = "c10/cuda/CUDAEvent.h"


def timed(first_timed=True, second_timed=True):
    first, second = (
        torch.cuda.Event(enable_timing=first_timed),
        torch.cuda.Event(enable_timing=second_timed),
    )
    first.record()
    second.record()
    return first, second


shows(
    "an event that was never recorded is done",
    f"{EVENT} query",
    lambda: torch.cuda.Event().query(),
    True,
)
shows(
    "an event behind work is not done",
    f"{TEST} test_events",
    lambda: (busy(current_stream()), done(recorded()))[1],
    [False],
)
shows(
    "an event ahead of work is done",
    f"{EVENT} record",
    lambda: (lambda event: (busy(current_stream()), done(event))[1])(recorded()),
    [True],
)
shows(
    "waiting for an event",
    f"{TEST} test_events",
    lambda: (lambda event: (event.synchronize(), event.query())[1])(
        recorded(busy(current_stream()))
    ),
    True,
)
shows(
    "an event waits on behalf of the current stream",
    f"{EVENT} block; torch/cuda/streams.py Event.wait",
    lambda: order(lambda first, second: within(second, recorded(first).wait)),
    True,
)
shows(
    "waiting for an event that was never recorded",
    f"{EVENT} block: if is_created_",
    lambda: order(lambda first, second: second.wait_event(torch.cuda.Event())),
    False,
)
shows(
    "an event recorded anew stands for the new place",
    "CUDA runtime: cudaEventRecord",
    lambda: (lambda event: (event.record(busy(current_stream())), done(event))[1])(recorded()),
    [False],
)
shows(
    "the device of an event",
    f"{MULTI} test_stream_event_device",
    lambda: [torch.cuda.Event().device, recorded().device, recorded(default_stream(1)).device],
    [None, "cuda:0", "cuda:1"],
    devices=2,
)
shows(
    "an event belongs to the card of its first record",
    f"{EVENT} record",
    lambda: (lambda e: [e.device, e.query()])(recorded(default_stream(0))),
    ["cuda:0", True],
)
refuses(
    "recording an event on another card",
    f"{EVENT} record",
    lambda: recorded(default_stream(0)).record(default_stream(1)),
    "Event device 0 does not match recording stream's device 1.",
    devices=2,
)
shows(
    "elapsed time of a nap",
    f"{TEST} test_events",
    lambda: (
        lambda a, b: (
            (a.record(), busy(current_stream()), b.record(), b.synchronize())
            and a.elapsed_time(b) > 1
        )
    )(*timed()),
    True,
)
refuses(
    "elapsed time without timing",
    f"{EVENT} elapsed_time",
    lambda: (lambda a, b: a.elapsed_time(b))(*timed(first_timed=False)),
    "Both events must be created with argument 'enable_timing=True'.",
    "ValueError",
)
refuses(
    "elapsed time to an event without timing",
    f"{EVENT} elapsed_time",
    lambda: (lambda a, b: a.elapsed_time(b))(*timed(second_timed=False)),
    "Both events must be created with argument 'enable_timing=True'.",
    "ValueError",
)
refuses(
    "elapsed time to an event that was never recorded",
    f"{EVENT} elapsed_time",
    lambda: timed()[0].elapsed_time(torch.cuda.Event(enable_timing=True)),
    "Both events must be recorded before calculating elapsed time.",
    "ValueError",
)
refuses(
    "elapsed time while the card is at work",
    f"{EVENT} elapsed_time",
    lambda: (lambda a, b: (busy(current_stream()), b.record(), a.elapsed_time(b)))(*timed()),
    "Both events must be completed before calculating elapsed time.",
)
shows(
    "negative elapsed time",
    "CUDA runtime: cudaEventElapsedTime: the order is the caller's",
    lambda: (
        lambda a, b: (
            (a.record(), busy(current_stream()), b.record(), b.synchronize())
            and b.elapsed_time(a) < 0
        )
    )(*timed()),
    True,
)
shows(
    "repr of an event that was never recorded",
    "torch/cuda/streams.py Event.__repr__",
    lambda: repr(torch.cuda.Event()),
    "<torch.cuda.Event uninitialized>",
)
shows(
    "cuda_event before a record",
    "torch/csrc/cuda/Event.cpp",
    lambda: torch.cuda.Event().cuda_event,
    0,
)
shows(
    "event_id of a generic event",
    f"{TEST} test_generic_stream_event",
    lambda: torch.Event("cuda").event_id,
    0,
)
shows(
    "record_event makes an event",
    "torch/cuda/streams.py Stream.record_event",
    lambda: type(current_stream().record_event()).__name__,
    "Event",
)
