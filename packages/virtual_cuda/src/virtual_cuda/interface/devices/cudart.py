"""``torch.cuda.cudart()``: the functions of the CUDA runtime that torch has in Python."""

from __future__ import annotations

import ctypes

import torch

from ... import runtime
from ...errors import UnsupportedName
from ...kernels import pinned
from ...patches import Patches
from ..memory.caching_allocator import memory_info
from ..streams.streams import Stream

# driver_types.h: cudaError
_SUCCESS, _ALREADY_REGISTERED, _NOT_REGISTERED = 0, 712, 713
_ERROR_STRINGS = {
    _SUCCESS: "no error",
    1: "invalid argument",
    2: "out of memory",
    100: "no CUDA-capable device is detected",
    101: "invalid device ordinal",
    400: "invalid resource handle",
    700: "an illegal memory access was encountered",
    710: "device-side assert triggered",
    _ALREADY_REGISTERED: "part or all of the requested memory range is already mapped",
    _NOT_REGISTERED: "pointer does not correspond to a registered memory region",
}


class _CudaError(int):
    success = _SUCCESS


class CudaRuntime:
    """Replaces the module ``torch._C._cudart``. Functions return 0 on success, as in CUDA."""

    cudaError = _CudaError

    def __getattr__(self, name: str) -> object:
        """Raise UnsupportedName for a function that only real GPUs have."""
        raise UnsupportedName(f"{name} in cudart()", "use a function of torch.cuda")

    def cudaMemGetInfo(self, device: int) -> tuple[int, int]:
        """Free and total bytes of a card."""
        return memory_info(device)

    def cudaGetErrorString(self, error: int) -> str:
        """The text of an error number."""
        return _ERROR_STRINGS.get(int(error), "unrecognized error code")

    def cudaProfilerStart(self) -> int:
        """Do nothing, because there is no NVIDIA profiler."""
        return _SUCCESS

    def cudaProfilerStop(self) -> int:
        """Do nothing, because there is no NVIDIA profiler to stop."""
        return _SUCCESS

    def cudaHostRegister(self, ptr: int, size: int, flags: int) -> int:
        """Mark existing memory of the host as pinned."""
        return _SUCCESS if pinned.register(ptr, size) else _ALREADY_REGISTERED

    def cudaHostUnregister(self, ptr: int) -> int:
        """Remove the pinned mark from memory of the host."""
        return _SUCCESS if pinned.unregister(ptr) else _NOT_REGISTERED

    def cudaStreamCreate(self, ptr: int) -> int:
        """Write the handle of a new stream to an address, for ``torch.cuda.ExternalStream``."""
        ctypes.c_uint64.from_address(ptr).value = Stream().cuda_stream
        return _SUCCESS

    def cudaStreamDestroy(self, ptr: int) -> int:
        """Do nothing, because a stream lives as long as its card."""
        runtime.ready()
        return _SUCCESS


def patch(patches: Patches) -> None:
    """Install the runtime for ``torch.cuda``."""
    cudart = CudaRuntime()
    pinned.unregister_all()
    patches.set(torch._C, _cudart=cudart)
    patches.set(torch.cuda, _cudart=cudart)
