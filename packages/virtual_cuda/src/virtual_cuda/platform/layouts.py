"""The names and positions in each platform's build of torch that ``switches`` needs, as data.

The names are the mangled ones of ``c10::impl::registerDeviceGuard``, ``c10::GetCPUAllocator``,
``at::detail::getCUDAHooks``, ``at::detail::getMPSHooks`` and ``c10::cuda::device_count``, read from
the export tables of the official wheels of torch 2.11, 2.12 and 2.13 (the last one of 2.13 alone;
``dlsym`` adds macOS's leading underscore by itself).

The virtual functions are those of ``ATen/detail/AcceleratorHooksInterface.h`` and
``CUDAHooksInterface.h`` in order of declaration; the headers are the same in the three versions and
on the three platforms. Before them, a vtable has two words (offset to top, type) and two destructor
slots in the Itanium C++ ABI, and one of each in Microsoft's.

Linux is tested. macOS and Windows were only read: their vtables were compared slot by slot, and
``getAccelerator`` was disassembled, but no program has run there.
"""

from __future__ import annotations

from dataclasses import dataclass

# Position of each replaced virtual function, counted from the first one after the destructor.
IS_BUILT, IS_AVAILABLE, HAS_PRIMARY_CONTEXT, INIT, DEVICE_COUNT = 0, 1, 2, 3, 4
IS_PINNED_PTR, GET_PINNED_MEMORY_ALLOCATOR = 9, 10
HAS_CUDA, HAS_MAGMA, HAS_CUDNN, HAS_ROCM = 14, 16, 17, 20
COMPILED_WITH_CUDNN, GET_NUM_GPUS, DEVICE_SYNCHRONIZE = 26, 44, 45

CUDA_FUNCTIONS = 46  # virtual functions of CUDAHooks; it adds none to those of its interface
MPS_FUNCTIONS = 36  # of MPSHooks in 2.13; 2.11 and 2.12 lack one after those that are used


@dataclass(frozen=True)
class Layout:
    """Names and positions in the libraries of one platform.

    libraries: file names of c10 and of torch_cpu, in ``torch/lib``.
    mps_hooks: None if torch has no other accelerator that must be disabled.
    head, destructors: words of a vtable before the object's pointer, and slots after it.
    """

    libraries: tuple[str, str]
    register_guard: str
    cpu_allocator: str
    cuda_hooks: str
    mps_hooks: str | None
    head: int
    destructors: int


_REGISTER_GUARD = (
    "_ZN3c104impl19registerDeviceGuardENS_10DeviceTypeEPKNS0_24DeviceGuardImplInterfaceE"
)
_CPU_ALLOCATOR = "_ZN3c1015GetCPUAllocatorEv"
_CUDA_HOOKS = "_ZN2at6detail12getCUDAHooksEv"

LINUX = Layout(
    libraries=("libc10.so", "libtorch_cpu.so"),
    register_guard=_REGISTER_GUARD,
    cpu_allocator=_CPU_ALLOCATOR,
    cuda_hooks=_CUDA_HOOKS,
    mps_hooks=None,
    head=2,
    destructors=2,
)
MACOS = Layout(
    libraries=("libc10.dylib", "libtorch_cpu.dylib"),
    register_guard=_REGISTER_GUARD,
    cpu_allocator=_CPU_ALLOCATOR,
    cuda_hooks=_CUDA_HOOKS,
    mps_hooks="_ZN2at6detail11getMPSHooksEv",
    head=2,
    destructors=2,
)
WINDOWS = Layout(
    libraries=("c10.dll", "torch_cpu.dll"),
    register_guard=(
        "?registerDeviceGuard@impl@c10@@YAXW4DeviceType@2@PEBUDeviceGuardImplInterface@12@@Z"
    ),
    cpu_allocator="?GetCPUAllocator@c10@@YAPEAUAllocator@1@XZ",
    cuda_hooks="?getCUDAHooks@detail@at@@YAAEBUCUDAHooksInterface@2@XZ",
    mps_hooks=None,
    head=1,
    destructors=1,
)

CUDA_LIBRARY = "libc10_cuda.so"  # of the CUDA build, which is supported only on Linux
COUNT_REAL_GPUS = "_ZN3c104cuda12device_countEv"

LAYOUTS = {"linux": LINUX, "darwin": MACOS, "win32": WINDOWS}  # by sys.platform
