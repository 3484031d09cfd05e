"""Functions of CUDA's C++ that virtual GPUs do not have: each raises an error with advice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import torch

from ...errors import UnsupportedFeature
from ...patches import Patches

_ALLOCATORS = "allocators of your own", "keep torch's allocator, which gives the same values"
_GRAPH_TREES = (
    "saved states of graph memory",
    'compile without mode="reduce-overhead", or capture with torch.cuda.graph',
)

# Name in torch._C -> the missing feature, and what to do instead.
REFUSED: dict[str, tuple[str, str]] = {
    "_cuda_allocationTraceback": (
        "lookup of the allocation of an address",
        "read the frames of the blocks in torch.cuda.memory._snapshot()",
    ),
    "_cuda_changeCurrentAllocator": _ALLOCATORS,
    "_cuda_cudaHostAllocator": _ALLOCATORS,
    "_cuda_customAllocator": _ALLOCATORS,
    "_cuda_CUDAAllocator": _ALLOCATORS,
    "_cuda_getAllocator": _ALLOCATORS,
    "_cuda_getCheckpointState": _GRAPH_TREES,
    "_cuda_setCheckpointPoolState": _GRAPH_TREES,
    "_cuda_getHipblasltVersion": ("hipBLASLt", "it belongs to torch's ROCm build"),
    "_cuda_jiterator_compile_and_launch_kernel": (
        "compiler for CUDA C++",
        "write the function with torch's operators",
    ),
    "_nccl_init_rank": ("communicators of NCCL", 'use torch.distributed with the backend "nccl"'),
    "_nccl_unique_id": ("communicators of NCCL", 'use torch.distributed with the backend "nccl"'),
}


def _refusing(cause: str, instead: str) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedFeature(cause, instead)

    return refuse


def patch(patches: Patches) -> None:
    """Install functions that raise UnsupportedFeature."""
    patches.set(torch._C, **{name: _refusing(*why) for name, why in REFUSED.items()})
    timeline = _refusing(
        "timeline of memory in a profile",
        "use torch.cuda.memory._record_memory_history, which torch advises as well",
    )
    patches.set(torch.profiler.profiler._KinetoProfile, _memory_profile=timeline)
    if torch.distributed.rpc.is_available():
        refuse = _refusing("device maps for RPC", "send tensors of the CPU")
        patches.set(torch.distributed.rpc.options, _to_device_map=refuse, _to_device_list=refuse)
