"""The profiler's rows of cards: their kernels and their memory."""

from __future__ import annotations

import warnings

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from ..probe import shows

PROFILER = "torch/autograd/profiler.py _parse_kineto_results; test/profiler/test_profiler.py"
BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def profiled(act, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(activities=BOTH, **options) as seen:
            act()
            torch.cuda.synchronize()
        return seen.events()


def x(*shape):
    return torch.ones(shape or (512, 512), device="cuda")


def work():
    return x() @ x()


def kernels(events, card=0):
    return [e for e in events if e.device_type == DeviceType.CUDA and e.device_index == card]


def memory(name):
    tensor = x()
    events = profiled(lambda: tensor.relu(), profile_memory=True)
    return [getattr(event, name) for event in events if event.name == "aten::relu"]


shows("kernels have events of their own", PROFILER, lambda: len(kernels(profiled(work))) > 0, True)
shows(
    "kernels take time",
    PROFILER,
    lambda: all(e.time_range.elapsed_us() > 0 for e in kernels(profiled(work))),
    True,
)
shows(
    "an operator has the time of its kernels",
    PROFILER,
    lambda: [e.device_time_total > 0 for e in profiled(work) if e.name == "aten::mm"],
    [True],
)
shows(
    "the operator that calls it has it as well",
    PROFILER,
    lambda: [e.device_time_total > 0 for e in profiled(work) if e.name == "aten::matmul"],
    [True],
)
shows(
    "work of the second card",
    PROFILER,
    lambda: len(kernels(profiled(lambda: torch.ones(8, device="cuda:1") + 1), 1)) > 0,
    True,
    devices=2,
)
shows(
    "the CPU's work is on no card",
    PROFILER,
    lambda: len(kernels(profiled(lambda: torch.ones(8) + 1))),
    0,
)
shows(
    "tables have columns for CUDA",
    "torch/autograd/profiler_util.py _build_table",
    lambda: "Self CUDA" in table(),
    True,
)
shows(
    "tables have CUDA's sum",
    "torch/autograd/profiler_util.py _build_table",
    lambda: "Self CUDA time total:" in table(),
    True,
)
shows(
    "memory of a result is the card's",
    f"{PROFILER} test_memory_profiler",
    lambda: memory("device_memory_usage"),
    [1 << 20],
)
shows(
    "and not the CPU's", f"{PROFILER} test_memory_profiler", lambda: memory("cpu_memory_usage"), [0]
)
shows(
    "memory that goes is negative", f"{PROFILER} test_memory_profiler", lambda: freed(), -(1 << 20)
)
shows(
    "CUDA is among the activities",
    "torch/csrc/autograd/init.cpp _supported_activities",
    lambda: ProfilerActivity.CUDA in supported(),
    True,
)
shows(
    "cuda_time of the legacy profiler",
    "torch/autograd/profiler.py profile(use_device='cuda')",
    lambda: legacy() > 0,
    True,
)


def table():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(activities=BOTH) as seen:
            work()
            torch.cuda.synchronize()
        return seen.key_averages().table()


def freed():
    tensors = [x()]
    events = profiled(tensors.clear, profile_memory=True)
    return sum(event.device_memory_usage for event in events if event.name == "[memory]")


def supported():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.profiler.supported_activities()


def legacy():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.profiler.profile(use_device="cuda") as seen:
            work()
            torch.cuda.synchronize()
        return sum(event.device_time_total for event in seen.key_averages())
