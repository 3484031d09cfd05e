"""``torch.cuda.cudart()``: the functions of the CUDA runtime that torch gives to Python."""

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
    """Stands in for the module ``torch._C._cudart``. What succeeds returns 0, as in CUDA."""

    cudaError = _CudaError

    def __getattr__(self, name: str) -> object:
        """Refuse a name that the runtime has on real cards alone."""
        raise UnsupportedName(f"{name} in cudart()", "call what torch.cuda has for it")

    def cudaMemGetInfo(self, device: int) -> tuple[int, int]:
        """Free and total bytes of a card."""
        return memory_info(device)

    def cudaGetErrorString(self, error: int) -> str:
        """The text of an error number."""
        return _ERROR_STRINGS.get(int(error), "unrecognized error code")

    def cudaProfilerStart(self) -> int:
        """Succeed: there is no profiler of NVIDIA's to start."""
        return _SUCCESS

    def cudaProfilerStop(self) -> int:
        """Succeed: there is no profiler of NVIDIA's to stop."""
        return _SUCCESS

    def cudaHostRegister(self, ptr: int, size: int, flags: int) -> int:
        """Call memory of the host pinned that was there before."""
        return _SUCCESS if pinned.register(ptr, size) else _ALREADY_REGISTERED

    def cudaHostUnregister(self, ptr: int) -> int:
        """Call that memory of the host pinned no more."""
        return _SUCCESS if pinned.unregister(ptr) else _NOT_REGISTERED

    def cudaStreamCreate(self, ptr: int) -> int:
        """Write the handle of a new stream, for ``torch.cuda.ExternalStream``, to an address."""
        ctypes.c_uint64.from_address(ptr).value = Stream().cuda_stream
        return _SUCCESS

    def cudaStreamDestroy(self, ptr: int) -> int:
        """Succeed: a stream ends with its card."""
        runtime.ready()
        return _SUCCESS


def patch(patches: Patches) -> None:
    """Put the runtime where ``torch.cuda`` looks for it."""
    cudart = CudaRuntime()
    pinned.unregister_all()
    patches.set(torch._C, _cudart=cudart)
    patches.set(torch.cuda, _cudart=cudart)
