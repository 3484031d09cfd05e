"""The caching allocator's functions for ``torch.cuda``: statistics, limits, emptying the cache.

torch reads the four most common numbers from the full statistics, for which it must visit all live
blocks. Here these numbers have their own functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.cuda._utils import _get_device_index

from ... import runtime
from ...memory.allocator import Allocator
from ...patches import Patches

_READINGS: dict[str, Callable[[Allocator], int]] = {
    "memory_allocated": lambda allocator: allocator.live_bytes,
    "max_memory_allocated": lambda allocator: allocator.peak_bytes,
    "memory_reserved": lambda allocator: allocator.reserved_bytes,
    "max_memory_reserved": lambda allocator: allocator.peak_reserved_bytes,
}


def _counter(name: str) -> Callable[..., int]:
    reading = _READINGS[name]

    @functools.wraps(getattr(torch.cuda.memory, name))
    def count(device: Any = None) -> int:
        state = runtime.current()
        if state is None or not state.started or state.forked:
            return 0
        # torch's own function for the current device takes longer than everything else here.
        index = runtime.current_device() if device is None else _get_device_index(device, True)
        return reading(state.allocator(index))

    return count


def memory_info(index: int) -> tuple[int, int]:
    """Free and total bytes of a card."""
    return runtime.ready().allocator(index).free_and_total()


def _memory_stats(index: int) -> dict[str, Any]:
    return runtime.started().allocator(index).stats()


def _empty_cache(*ignored: Any) -> None:
    for allocator in runtime.ready().allocators:
        allocator.empty_cache()


def _reset_peak(index: int) -> None:
    runtime.started().allocator(index).reset_peak()


def _reset_accumulated(index: int) -> None:
    runtime.started().allocator(index).reset_accumulated()


def _set_memory_fraction(fraction: float, index: int) -> None:
    allocator = runtime.started().allocator(index)
    allocator.allowed = int(fraction * allocator.capacity)


def _get_memory_fraction(index: int) -> float:
    allocator = runtime.started().allocator(index)
    return 1.0 if allocator.allowed is None else allocator.allowed / allocator.capacity


# Addresses passed to other programs -> their memory on a card, in bytes.
_raw_blocks: dict[int, tuple[torch.Tensor, int]] = {}


def _raw_alloc(nbytes: int, stream: int) -> int:
    block = torch.empty(nbytes, dtype=torch.uint8, device="cuda")
    _raw_blocks[block.data_ptr()] = block, nbytes
    return block.data_ptr()


def _raw_delete(address: int) -> None:
    if _raw_blocks.pop(address, None) is None:
        raise RuntimeError(f"invalid device pointer: {address:#x}")


def _is_initialized() -> bool:
    state = runtime.current()
    return state is not None and state.started


def patch(patches: Patches) -> None:
    """Install these functions for ``torch.cuda`` and ``torch.accelerator``."""
    counters = {name: _counter(name) for name in _READINGS}
    for module in (torch.cuda, torch.cuda.memory):
        patches.set(module, **counters)
    patches.set(
        torch._C,
        _cuda_cudaCachingAllocator_raw_alloc=_raw_alloc,
        _cuda_cudaCachingAllocator_raw_delete=_raw_delete,
        _cuda_getAllocatorBackend=lambda: "native",
        _cuda_CUDAAllocator_AllocatorState=object,
        _cuda_memoryStats=_memory_stats,
        _cuda_emptyCache=_empty_cache,
        _cuda_resetPeakMemoryStats=_reset_peak,
        _cuda_resetAccumulatedMemoryStats=_reset_accumulated,
        _cuda_setMemoryFraction=_set_memory_fraction,
        _cuda_getMemoryFraction=_get_memory_fraction,
        _accelerator_getDeviceStats=_memory_stats,
        _accelerator_getMemoryInfo=memory_info,
        _accelerator_emptyCache=_empty_cache,
        _accelerator_emptyHostCache=lambda: None,
        _host_emptyCache=lambda: None,
        _accelerator_resetPeakStats=_reset_peak,
        _accelerator_resetAccumulatedStats=_reset_accumulated,
        _accelerator_isAllocatorInitialized=_is_initialized,
    )
