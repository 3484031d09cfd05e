"""What ``torch.cuda`` and ``torch.accelerator`` ask of C++, answered by the virtual machine.

The Python of both modules runs unchanged; only the functions it finds in ``torch._C`` are given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import torch

from .. import runtime
from ..patches import Patches
from .allocator_settings import say_what_is_ignored

_DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
)


# Capability -> resident threads and KiB of shared memory of one multiprocessor. Source: CUDA
# programming guide, "Technical Specifications per Compute Capability". One KiB of the shared
# memory is the system's where it can be more than 64 KiB.
_MULTIPROCESSORS = {
    (7, 5): (1024, 64),
    (8, 0): (2048, 164),
    (8, 6): (1536, 100),
    (8, 9): (1536, 100),
    (9, 0): (2048, 228),
}


_NO_PUSH_POP_TRACKING = -2


@dataclass(frozen=True)
class DeviceProperties:
    """What ``torch.cuda.get_device_properties`` returns. Memories and cache are in bytes.

    Clocks are in kHz; memory moves two words in each of its own.
    """

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    uuid: UUID
    pci_domain_id: int
    pci_bus_id: int
    pci_device_id: int
    L2_cache_size: int
    max_threads_per_multi_processor: int
    shared_memory_per_multiprocessor: int
    shared_memory_per_block_optin: int
    clock_rate: int
    memory_clock_rate: int
    memory_bus_width: int
    shared_memory_per_block: int = 48 << 10
    regs_per_multiprocessor: int = 1 << 16
    is_integrated: int = 0
    is_multi_gpu_board: int = 0
    warp_size: int = 32
    gcnArchName: str = ""

    def __repr__(self) -> str:
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory >> 20}MB, "
            f"multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
            f"pci_bus_id={self.pci_bus_id}, pci_device_id={self.pci_device_id}, "
            f"pci_domain_id={self.pci_domain_id}, L2_cache_size={self.L2_cache_size >> 20}MB)"
        )


class _NoProfiler:
    """NVTX ranges go nowhere, and the library says so (``nvtx3/nvtxDetail/nvtxImplCore.h``)."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        answer = _NO_PUSH_POP_TRACKING if name in ("rangePushA", "rangePop") else 0
        return lambda *args: answer


def _state() -> runtime.Runtime:
    state = runtime.current()
    assert state is not None, "a patched function outlived disable()"
    return state


def _device_count() -> int:
    state = _state()
    state.counted = True
    return state.device_count


def _has_context(index: int) -> bool:
    return _state().started and _state().ledger(index).was_used


def _init() -> None:
    _state().start()
    say_what_is_ignored()


def _in_bad_fork() -> bool:
    return _state().forked


def _properties(index: int) -> DeviceProperties:
    profile = _state().profile(index)
    major, minor = profile.capability
    threads, shared = _MULTIPROCESSORS.get(profile.capability, _MULTIPROCESSORS[9, 0])
    domain, bus, device = (int(part, 16) for part in profile.bus_id.split(".")[0].split(":"))
    return DeviceProperties(
        profile.name,
        major,
        minor,
        profile.memory,
        profile.multi_processor_count,
        uuid=UUID(profile.uuid.removeprefix("GPU-")),
        pci_domain_id=domain,
        pci_bus_id=bus,
        pci_device_id=device,
        L2_cache_size=profile.l2_cache,
        max_threads_per_multi_processor=threads,
        shared_memory_per_multiprocessor=shared << 10,
        shared_memory_per_block_optin=(shared if shared <= 64 else shared - 1) << 10,
        clock_rate=profile.clock * 1000,
        memory_clock_rate=round(profile.memory_bandwidth / (2 * profile.memory_bus / 8) / 1e3),
        memory_bus_width=profile.memory_bus,
    )


def _is_bf16_supported(including_emulation: bool = True) -> bool:
    return including_emulation or _properties(runtime.current_device()).major >= 8


def _capability(index: int) -> dict[str, Any]:
    runtime.started().check(index)
    return {"supported_dtypes": set(_DTYPES)}


def memory_info(index: int) -> tuple[int, int]:
    """Free and total bytes of a card."""
    return runtime.ready().ledger(index).free_and_total()


def _memory_stats(index: int) -> dict[str, Any]:
    return runtime.started().ledger(index).stats()


def _empty_cache(*ignored: Any) -> None:
    for ledger in runtime.ready().ledgers:
        ledger.empty_cache()


def _reset_peak(index: int) -> None:
    runtime.started().ledger(index).reset_peak()


def _reset_accumulated(index: int) -> None:
    runtime.started().ledger(index).reset_accumulated()


def _set_memory_fraction(fraction: float, index: int) -> None:
    ledger = runtime.started().ledger(index)
    ledger.allowed = int(fraction * ledger.capacity)


def _get_memory_fraction(index: int) -> float:
    ledger = runtime.started().ledger(index)
    return 1.0 if ledger.allowed is None else ledger.allowed / ledger.capacity


# Addresses given to other programs -> what they hold of a card.
_raw_blocks: dict[int, tuple[torch.Tensor, int]] = {}


def _raw_alloc(nbytes: int, stream: int) -> int:
    block = torch.empty(nbytes, dtype=torch.uint8, device="cuda")
    _raw_blocks[block.data_ptr()] = block, nbytes
    return block.data_ptr()


def _raw_delete(address: int) -> None:
    if _raw_blocks.pop(address, None) is None:
        raise RuntimeError(f"invalid device pointer: {address:#x}")


def _exchange_device(index: int) -> int:
    """As ``runtime.exchange_device``; the compiler of torch wants a function for each name."""
    return runtime.exchange_device(index)


def _maybe_exchange_device(index: int) -> int:
    return runtime.exchange_device(index)


def patch(patches: Patches) -> None:
    """Give ``torch.cuda`` and ``torch.accelerator`` what they ask for."""
    patches.set(
        torch._C,
        _has_cuda=True,
        _has_cudnn=False,  # the CUDA build has it, and no card to use it on
        _cuda_init=_init,
        _cuda_isInBadFork=_in_bad_fork,
        _cuda_getDeviceCount=_device_count,
        _cuda_getDevice=runtime.current_device,
        _cuda_setDevice=runtime.set_device,
        _cuda_exchangeDevice=runtime.exchange_device,
        _cuda_maybeExchangeDevice=runtime.exchange_device,
        _cuda_canDeviceAccessPeer=lambda device, peer: device != peer,
        _cuda_getArchFlags=lambda: "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120",
        _cuda_ipc_collect=lambda: None,
        _cuda_getAllocatorBackend=lambda: "native",
        _cuda_CUDAAllocator_AllocatorState=object,
        _cuda_cudaCachingAllocator_raw_alloc=_raw_alloc,
        _cuda_cudaCachingAllocator_raw_delete=_raw_delete,
        _cuda_getCurrentBlasHandle=lambda: 1,
        _cuda_getCurrentSolverHandle=lambda: 1,
        _cuda_hasPrimaryContext=_has_context,
        _cuda_memoryStats=_memory_stats,
        _cuda_emptyCache=_empty_cache,
        _cuda_resetPeakMemoryStats=_reset_peak,
        _cuda_resetAccumulatedMemoryStats=_reset_accumulated,
        _cuda_setMemoryFraction=_set_memory_fraction,
        _cuda_getMemoryFraction=_get_memory_fraction,
        _accelerator_setDeviceIndex=runtime.set_device,
        _accelerator_exchangeDevice=runtime.exchange_device,
        _accelerator_maybeExchangeDevice=runtime.exchange_device,
        _accelerator_getDeviceCapability=_capability,
        _accelerator_isAllocatorInitialized=lambda: _state().started,
        _accelerator_getDeviceStats=_memory_stats,
        _accelerator_getMemoryInfo=memory_info,
        _accelerator_emptyCache=_empty_cache,
        _accelerator_emptyHostCache=lambda: None,
        _host_emptyCache=lambda: None,
        _accelerator_resetPeakStats=_reset_peak,
        _accelerator_resetAccumulatedStats=_reset_accumulated,
    )
    patches.set(
        torch.cuda,
        _initialized=False,
        _queued_calls=[],
        default_generators=(),
        _cached_device_count=None,
        _is_compiled=lambda: True,
        _is_in_bad_fork=_in_bad_fork,
        _exchange_device=_exchange_device,
        _maybe_exchange_device=_maybe_exchange_device,
        _get_device_properties=_properties,
        # torch.cuda.device_count() asks NVML before CUDA has started, and so reads
        # CUDA_VISIBLE_DEVICES without freezing it.
        _raw_device_count_nvml=lambda: len(_state().profiles),
        _raw_device_uuid_nvml=lambda: [profile.uuid for profile in _state().profiles],
        is_bf16_supported=_is_bf16_supported,
    )
    patches.set(torch.cuda.nvtx, _nvtx=_NoProfiler())
