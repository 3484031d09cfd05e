"""Functions of ``torch._C`` for ``torch.cuda`` and ``torch.accelerator``, on the virtual machine.

The Python code of both modules runs unchanged. Only the functions in ``torch._C`` are replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import torch

from ... import runtime
from ...kernels.dtypes import USUAL
from ...patches import Patches
from ..memory.allocator_settings import say_what_is_ignored

# Capability -> resident threads and KiB of shared memory of one multiprocessor. Source: CUDA
# programming guide, "Technical Specifications per Compute Capability". The system uses one KiB of
# the shared memory if there can be more than 64 KiB.
_MULTIPROCESSORS = {
    (7, 5): (1024, 64),
    (8, 0): (2048, 164),
    (8, 6): (1536, 100),
    (8, 9): (1536, 100),
    (9, 0): (2048, 228),
}


@dataclass(frozen=True)
class DeviceProperties:
    """The result of ``torch.cuda.get_device_properties``. Memory and cache sizes are in bytes.

    Clock rates are in kHz. Memory transfers two words in each of its cycles.
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


def _state() -> runtime.Runtime:
    state = runtime.current()
    assert state is not None, "a patched function outlived disable()"
    return state


def _device_count() -> int:
    state = _state()
    state.counted = True
    return state.device_count


def _has_context(index: int) -> bool:
    return _state().started and _state().allocator(index).was_used


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
    return {"supported_dtypes": set(USUAL)}


def _exchange_device(index: int) -> int:
    """As ``runtime.exchange_device``. torch's compiler needs a separate function for each name."""
    return runtime.exchange_device(index)


def _maybe_exchange_device(index: int) -> int:
    return runtime.exchange_device(index)


def patch(patches: Patches) -> None:
    """Install these functions for ``torch.cuda`` and ``torch.accelerator``."""
    patches.set(
        torch._C,
        _has_cuda=True,
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
        _cuda_getCurrentBlasHandle=lambda: 1,
        _cuda_getCurrentSolverHandle=lambda: 1,
        _cuda_hasPrimaryContext=_has_context,
        _accelerator_setDeviceIndex=runtime.set_device,
        _accelerator_exchangeDevice=runtime.exchange_device,
        _accelerator_maybeExchangeDevice=runtime.exchange_device,
        _accelerator_getDeviceCapability=_capability,
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
        # torch.cuda.device_count() calls NVML before CUDA has started, and so reads
        # CUDA_VISIBLE_DEVICES without freezing it.
        _raw_device_count_nvml=lambda: len(_state().profiles),
        _raw_device_uuid_nvml=lambda: [profile.uuid for profile in _state().profiles],
        is_bf16_supported=_is_bf16_supported,
    )
