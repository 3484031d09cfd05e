"""The C-level switches that make libtorch tolerate ``cuda`` tensors without a GPU.

1. *Device guard.* Autograd and the dispatcher ask the guard of the CUDA device type for the
   current device; without one the process aborts. torch contains ``FakeGuardImpl<CUDA>``, and
   ``_ensureCUDADeviceGuardSet`` installs it if a registered CUDA guard counts no device. The CPU
   build registers none, so a temporary one is registered. More than eight cards need a compiled
   guard (``guard``).
2. *Accelerator.* The object of ``at::detail::getCUDAHooks()`` reports "not built, not available".
   It gets a copied vtable in which these functions return true. On macOS the hooks of MPS get one
   in which they return false, because ``getAccelerator`` does not allow two accelerators.

All lookups happen before any change. The returned function restores the hooks. The guard stays for
the life of the process, because a tensor that outlives ``disable()`` would abort it otherwise. Only
the text of ``torch.Stream("cuda")``'s error shows it. The old type names
(``x.type("torch.cuda...")``) start the hooks, and the CUDA build remembers this: later it reports a
wrong driver version instead of no driver. Names and slots are in ``layouts``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch

from ..errors import VirtualCudaUnsupported
from . import guard, layouts
from .cache import HAS_CUDA_BUILD
from .layouts import Layout

_CUDA_DEVICE_TYPE = 1
_WORD = ctypes.sizeof(ctypes.c_void_p)

_guard_is_set = _guard_is_compiled = False


def _address(function: Any) -> int:
    value = ctypes.cast(function, ctypes.c_void_p).value
    assert value is not None
    return value


def _keep_forever(owner: object) -> None:
    """Never free an object, because C++ uses its address after the interpreter's shutdown."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner))


def _constant_function(answer: int) -> int:
    """The address of a C function that ignores its arguments and returns ``answer``."""
    function = ctypes.CFUNCTYPE(ctypes.c_ssize_t)(lambda: answer)
    _keep_forever(function)
    return _address(function)


class _Library:
    """The exported functions of one library of torch."""

    def __init__(self, file: str) -> None:
        try:
            self._functions = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / file))
        except OSError:
            raise VirtualCudaUnsupported(f"torch has no usable {file}") from None

    def function(self, name: str) -> Any:
        try:
            return getattr(self._functions, name)
        except AttributeError:
            raise VirtualCudaUnsupported(
                f"this build of torch ({torch.__version__}) does not export {name}"
            ) from None


class _Hooks:
    """A hooks object of torch, whose virtual functions can be replaced."""

    def __init__(self, get: Any, layout: Layout, functions: int) -> None:
        get.restype = ctypes.c_void_p
        self._vtable = ctypes.c_void_p.from_address(get())  # the object's first field
        self._original = self._vtable.value or 0
        self._before = layout.head + layout.destructors
        self._head = layout.head * _WORD
        self._type = ctypes.c_void_p * (self._before + functions)

    def _words(self) -> ctypes.Array[ctypes.c_void_p]:
        return self._type.from_address(self._original - self._head)

    def function(self, place: int) -> int:
        """The address of a virtual function."""
        return self._words()[self._before + place] or 0

    def answer(self, functions: dict[int, int]) -> Callable[[], None]:
        """Replace virtual functions (position -> address). Returns the function that undoes it."""
        words = self._type.from_buffer_copy(self._words())
        for place, address in functions.items():
            words[self._before + place] = address
        _keep_forever(words)
        self._vtable.value = ctypes.addressof(words) + self._head
        return self._restore

    def _restore(self) -> None:
        self._vtable.value = self._original


def _lend_guard(register: Any, no: int) -> None:
    """Register a guard whose methods all return 0, so that torch replaces it by its own."""
    vtable = (ctypes.c_void_p * 64)(*[no] * 64)
    guard = (ctypes.c_void_p * 1)(ctypes.addressof(vtable))
    _keep_forever(vtable)
    _keep_forever(guard)
    register.restype, register.argtypes = None, [ctypes.c_int8, ctypes.c_void_p]
    register(_CUDA_DEVICE_TYPE, ctypes.addressof(guard))


def _answers(yes: int, no: int, cpu_allocator: int, device_count: int) -> dict[int, int]:
    """The new functions of the CUDA hooks: position -> address."""
    answers = {
        layouts.IS_BUILT: yes,
        layouts.IS_AVAILABLE: yes,
        layouts.HAS_PRIMARY_CONTEXT: yes,
        layouts.INIT: no,
        layouts.GET_PINNED_MEMORY_ALLOCATOR: cpu_allocator,
    }
    if HAS_CUDA_BUILD:
        count = _constant_function(device_count)
        answers |= {
            layouts.DEVICE_COUNT: count,
            layouts.IS_PINNED_PTR: no,
            layouts.HAS_CUDA: yes,
            layouts.HAS_MAGMA: yes,
            layouts.HAS_CUDNN: no,  # otherwise composite operators would choose cuDNN's
            layouts.COMPILED_WITH_CUDNN: no,
            layouts.GET_NUM_GPUS: count,
            layouts.DEVICE_SYNCHRONIZE: no,
        }
    return answers


def find_layout() -> Layout:
    """The layout of this platform's torch. Raises VirtualCudaUnsupported if there is none."""
    layout = layouts.LAYOUTS.get(sys.platform)
    if layout is None:
        raise VirtualCudaUnsupported(f"they do not support the system {sys.platform}")
    if sys.implementation.name != "cpython":
        raise VirtualCudaUnsupported(f"they need CPython, not {sys.implementation.name}")
    if torch.version.hip is not None:
        raise VirtualCudaUnsupported("they do not support torch's ROCm build")
    if HAS_CUDA_BUILD and sys.platform != "linux":
        raise VirtualCudaUnsupported("on this system they need torch's CPU build")
    return layout


def count_real_gpus() -> int:
    """The number of real GPUs, from C++: torch's Python function would break later forks."""
    count = _Library(layouts.CUDA_LIBRARY).function(layouts.COUNT_REAL_GPUS)
    count.restype = ctypes.c_int8
    return int(count())


def switch_on(device_count: int) -> Callable[[], None]:
    """Make CUDA this process's accelerator. Returns the function that undoes it.

    Raises:
        VirtualCudaUnsupported: a symbol is missing, or the self-check failed (nothing is changed).
    """
    global _guard_is_set, _guard_is_compiled
    layout = find_layout()
    use_compiled_guard = None
    if device_count > guard.CARDS_WITHOUT and not _guard_is_compiled:
        use_compiled_guard = guard.find()
    c10, torch_cpu = map(_Library, layout.libraries)
    register = c10.function(layout.register_guard)
    cpu_allocator = _address(c10.function(layout.cpu_allocator))
    cuda = _Hooks(torch_cpu.function(layout.cuda_hooks), layout, layouts.CUDA_FUNCTIONS)
    yes = _address(ctypes.pythonapi.Py_IsInitialized)  # a C function that returns 1; needs no GIL
    no = cuda.function(layouts.HAS_ROCM)  # a C++ function that returns 0

    if not _guard_is_set:
        if not HAS_CUDA_BUILD:
            _lend_guard(register, no)
        torch._C._ensureCUDADeviceGuardSet()
        _guard_is_set = True
    if use_compiled_guard is not None:
        use_compiled_guard()
        _guard_is_compiled = True

    with ExitStack() as changes:
        if layout.mps_hooks is not None:
            mps = _Hooks(torch_cpu.function(layout.mps_hooks), layout, layouts.MPS_FUNCTIONS)
            changes.callback(mps.answer({layouts.IS_BUILT: no, layouts.IS_AVAILABLE: no}))
        changes.callback(cuda.answer(_answers(yes, no, cpu_allocator, device_count)))
        accelerator = torch._C._get_accelerator()
        if accelerator.type != "cuda":
            raise VirtualCudaUnsupported(
                f"torch {torch.__version__} did not accept a virtual accelerator "
                f"(it still answers {accelerator.type!r})"
            )
        return changes.pop_all().close
