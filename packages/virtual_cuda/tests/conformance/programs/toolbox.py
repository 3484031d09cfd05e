"""torch.cuda's questions about the machine."""

from __future__ import annotations

import torch

from ..registry import Devices, Facts, caught, program, refused
from .current_device import INVALID_ORDINAL, ORDINAL_SOURCE

CUDA = "torch/cuda/__init__.py"


@program({"available": True, "count": True, "initialized": True, "current": "int"}, source=CUDA)
def is_there(devices: Devices) -> Facts:
    """There are GPUs."""
    _ = torch.ones(1, device=devices[0])
    return {
        "available": torch.cuda.is_available(),
        "count": torch.cuda.device_count() >= 1,
        "initialized": torch.cuda.is_initialized(),
        "current": type(torch.cuda.current_device()).__name__,
    }


@program({"name": True, "not_empty": True}, source=CUDA)
def names(devices: Devices) -> Facts:
    """A card has a name, the same everywhere."""
    name = torch.cuda.get_device_name(0)
    same = name == torch.cuda.get_device_properties(0).name == torch.cuda.get_device_name()
    return {"name": same, "not_empty": isinstance(name, str) and len(name) > 3}


@program({"is_virtual": False}, source="a real card does not call itself virtual")
def the_name_is_honest(devices: Devices) -> Facts:
    """Whether the card's name says that it is virtual."""
    return {"is_virtual": "virtual" in torch.cuda.get_device_name(0).lower()}


@program({"pair": True, "properties": True, "default": True}, source=CUDA)
def capability(devices: Devices) -> Facts:
    """The compute capability is a pair of numbers."""
    pair = torch.cuda.get_device_capability(devices[0])
    properties = torch.cuda.get_device_properties(devices[0])
    return {
        "pair": isinstance(pair, tuple) and [type(n).__name__ for n in pair] == ["int", "int"],
        "properties": pair == (properties.major, properties.minor),
        "default": torch.cuda.get_device_capability() == pair,
    }


@program(
    {
        "total_memory": True,
        "multi_processor_count": True,
        "warp_size": 32,
        "L2": True,
        "uuid": True,
        "regs": True,
        "threads": True,
        "text": True,
    },
    source="torch/csrc/cuda/Module.cpp _CudaDeviceProperties",
)
def properties(devices: Devices) -> Facts:
    """What a card tells about itself."""
    p = torch.cuda.get_device_properties(devices[0])
    return {
        "total_memory": p.total_memory > 1 << 20,
        "multi_processor_count": p.multi_processor_count > 0,
        "warp_size": p.warp_size,
        "L2": p.L2_cache_size >= 0,
        "uuid": len(str(p.uuid)) == 36,
        "regs": p.regs_per_multiprocessor > 0,
        "threads": p.max_threads_per_multi_processor > 0,
        "text": repr(p).startswith(f"_CudaDeviceProperties(name='{p.name}', major={p.major}"),
    }


@refused("Invalid device id", kind="AssertionError", source=CUDA + "; ERRATA E47")
def properties_of_a_missing_card(devices: Devices) -> None:
    """Properties are asked by visible number."""
    torch.cuda.get_device_properties(77)


@refused(INVALID_ORDINAL, kind="AcceleratorError", source=ORDINAL_SOURCE)
def synchronizing_a_missing_card(devices: Devices) -> None:
    """Waiting for a card that does not exist."""
    torch.cuda.synchronize(77)


@program({"other": "bool"}, devices=2, source=CUDA + " can_device_access_peer")
def peer_access(devices: Devices) -> Facts:
    """Whether two cards reach each other is a yes or no."""
    return {"other": type(torch.cuda.can_device_access_peer(0, 1)).__name__}


@program({"self": False}, source="cudaDeviceCanAccessPeer documentation")
def no_peer_of_itself(devices: Devices) -> Facts:
    """A card is not its own peer."""
    return {"self": torch.cuda.can_device_access_peer(0, 0)}


@refused("Expected a cuda device, but got: cpu", kind="ValueError", source="torch/cuda/_utils.py")
def questions_about_the_cpu(devices: Devices) -> None:
    """torch.cuda answers for CUDA devices only."""
    torch.cuda.get_device_name("cpu")


@program({"is_built": True}, source="torch/backends/cuda/__init__.py")
def the_build(devices: Devices) -> Facts:
    """torch was built with CUDA."""
    return {"is_built": torch.backends.cuda.is_built()}


@program({"version": True, "cudnn": True}, source="a CUDA build of torch")
def the_libraries(devices: Devices) -> Facts:
    """torch knows its version of CUDA and has cuDNN."""
    return {"version": torch.version.cuda is not None, "cudnn": torch.backends.cudnn.is_available()}


@program(
    {"tf32": [False, True], "benchmark": False, "deterministic": False},
    source="docs: torch.backends",
)
def default_switches(devices: Devices) -> Facts:
    """Precision and determinism switches at their defaults."""
    _ = torch.ones(1, device=devices[0])
    return {
        "tf32": [torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32],
        "benchmark": torch.backends.cudnn.benchmark,
        "deterministic": torch.backends.cudnn.deterministic,
    }


@program(
    {"bf16": "bool", "archs": "list", "ipc": None, "empty_cache": None, "init": None}, source=CUDA
)
def small_functions(devices: Devices) -> Facts:
    """Functions that programs call in passing."""
    return {
        "bf16": type(torch.cuda.is_bf16_supported()).__name__,
        "archs": type(torch.cuda.get_arch_list()).__name__,
        "ipc": torch.cuda.ipc_collect(),
        "empty_cache": torch.cuda.empty_cache(),
        "init": torch.cuda.init(),
    }


@program({"decorated": 3}, source="torch/cuda/nvtx.py")
def nvtx(devices: Devices) -> Facts:
    """Profiler ranges may be marked anywhere."""

    @torch.cuda.nvtx.range("inner")
    def inner() -> int:
        return 3

    torch.cuda.nvtx.range_push("outer")
    decorated = inner()
    torch.cuda.nvtx.range_pop()
    torch.cuda.nvtx.mark("here")
    return {"decorated": decorated}


@program({"error": None, "rows": True}, source="docs: torch.profiler")
def profiling(devices: Devices) -> Facts:
    """The profiler runs around work on a card."""
    x = torch.ones(4, device=devices[0])

    def profile() -> None:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
            _ = x + x
        names.extend(event.key for event in seen.key_averages())

    names: list[str] = []
    return {"error": caught(profile)["type"], "rows": "aten::add" in names}


@program({"history": True}, source="torch/cuda/memory.py _record_memory_history, _snapshot")
def memory_snapshot(devices: Devices) -> Facts:
    """A memory snapshot names the segments in use."""
    x = torch.ones(1000, device=devices[0])
    snapshot = torch.cuda.memory_snapshot()
    return {"history": any(s["device"] == 0 and s["allocated_size"] >= x.nbytes for s in snapshot)}
