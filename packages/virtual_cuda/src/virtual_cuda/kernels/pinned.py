"""Pinned (page-locked) memory: the set of CPU storages that are marked as pinned."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, UntypedStorage
from torch.jit._builtins import _register_builtin
from torch.overrides import handle_torch_function, has_torch_function

from ..memory.stats import Stat
from ..patches import Patches
from .boxed import Kernel

# Storage handle -> weak reference that removes the entry when the storage is freed.
_pinned: dict[int, weakref.ref[UntypedStorage]] = {}

# Memory that a program registered itself: address -> bytes.
_registered: dict[int, int] = {}

# Creation functions with pin_memory. C++ allocates for them without a call that we see.
_FACTORIES = (
    "arange",
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "full",
    "full_like",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "scalar_tensor",
    "tensor",
    "tril_indices",
    "triu_indices",
    "zeros",
    "zeros_like",
)
_METHODS = ("new_empty", "new_empty_strided", "new_full", "new_ones", "new_zeros")


_TENSOR = torch.tensor
_RARE = (torch.complex32,)  # experimental in torch


class _Statistics:
    """The values of ``torch.cuda.host_memory_stats``: blocks are rounded up to powers of two."""

    def __init__(self) -> None:
        self.blocks, self.bytes = Stat(), Stat()

    def change(self, nbytes: int, sign: int) -> None:
        self.blocks.change(sign)
        self.bytes.change(sign * (1 << max(nbytes - 1, 0).bit_length()))

    def readings(self) -> dict[str, Any]:
        times = dict.fromkeys(("total", "max", "min", "count", "avg"), 0)
        blocks, in_bytes = self.blocks.readings(), self.bytes.readings()
        return {
            "allocations": blocks,
            "allocated_bytes": in_bytes,
            "active_requests": blocks,
            "active_bytes": in_bytes,
            "num_host_alloc": blocks["allocated"],
            "num_host_free": blocks["freed"],
            "host_alloc_time": times,
            "host_free_time": times,
        }

    def reset_peak(self) -> None:
        for count in (self.blocks, self.bytes):
            count.peak = count.current

    def reset_accumulated(self) -> None:
        for count in (self.blocks, self.bytes):
            count.allocated = count.freed = 0


_statistics = _Statistics()


def mark(tensor: Tensor) -> Tensor:
    """Mark a CPU tensor's memory as pinned. Returns the tensor."""
    storage = tensor.untyped_storage()
    handle, nbytes = storage._cdata, storage.nbytes()

    def forget(_: object) -> None:
        _pinned.pop(handle, None)
        _statistics.change(nbytes, -1)

    _pinned[handle] = weakref.ref(storage, forget)
    _statistics.change(nbytes, 1)
    return tensor


def is_pinned(self: Tensor, device: torch.device | None = None) -> bool:
    """Whether a CPU tensor's memory is pinned."""
    if self.untyped_storage()._cdata in _pinned or _is_map_of_used_parameters(self):
        return True
    address = self.data_ptr() if _registered else 0
    return any(begin <= address < begin + size for begin, size in _registered.items())


def register(address: int, nbytes: int) -> bool:
    """Mark memory that torch did not allocate as pinned. False if it is marked already."""
    if address in _registered:
        return False
    _registered[address] = nbytes
    return True


def unregister(address: int) -> bool:
    """Remove the mark of ``register``. Returns whether there was one."""
    return _registered.pop(address, None) is not None


def unregister_all() -> None:
    """Remove all marks, for a new machine."""
    _registered.clear()


def _is_map_of_used_parameters(tensor: Tensor) -> bool:
    """Whether it is DDP's map of used parameters, which C++ makes and expects to be pinned."""
    in_backward = torch._C._current_graph_task_id() >= 0
    return in_backward and tensor.dtype is torch.int32 and tensor.dim() == 1


def _pin_memory(self: Tensor, device: torch.device | None = None) -> Tensor:
    return mark(self.clone(memory_format=torch.preserve_format))


CPU_KERNELS: dict[str, Kernel] = {"is_pinned": is_pinned, "_pin_memory": _pin_memory}


def _marked(tensor: Tensor, asked: dict[str, Any]) -> Tensor:
    """A new tensor, marked if ``pin_memory`` was requested."""
    return mark(tensor) if asked.get("pin_memory") and not tensor.is_cuda else tensor


def _made(make: Callable[..., Tensor], args: tuple[Any, ...], asked: dict[str, Any]) -> Tensor:
    """The marked result of a C factory, for the Python function that replaces it.

    A warning from C gets the line that called the replacement.
    """
    data = args[0] if args and make is _TENSOR else None
    first = data[0] if isinstance(data, (list, tuple)) and data else data
    if not (hasattr(first, "__array__") or "layout" in asked or asked.get("dtype") in _RARE):
        return _marked(make(*args, **asked), asked)
    with warnings.catch_warnings(record=True) as said:  # C warns for some arguments
        warnings.simplefilter("always")
        tensor = _marked(make(*args, **asked), asked)
    for warning in said:
        warnings.warn(warning.message, stacklevel=3)
    return tensor


class _Factory:
    """Replaces a function of torch that makes tensors, and marks pinned ones.

    It equals that function, so that tables of overrides (``__torch_function__``) find both. Modes
    and subclasses get the function that programs see.
    """

    def __init__(self, make: Callable[..., Tensor]) -> None:
        functools.update_wrapper(self, make)
        self.__module__ = "torch"
        self._make = make
        # TorchScript finds torch's own functions by identity, and cannot compile this one.
        _register_builtin(self, f"aten::{make.__name__}")

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        if has_torch_function((None, *args, *kwargs.values())):
            return handle_torch_function(self, (*args, *kwargs.values()), *args, **kwargs)
        return _made(self._make, args, kwargs)

    def __eq__(self, other: object) -> bool:
        return self._make == (other._make if isinstance(other, _Factory) else other)

    def __hash__(self) -> int:
        return hash(self._make)

    def __reduce__(self) -> str:
        return self._make.__name__


def _pinning(name: str) -> Callable[..., Tensor]:
    """A method of tensors that makes tensors, which overrides get as programs see it."""
    factory = getattr(Tensor, name)

    @functools.wraps(factory)
    def create(*args: Any, **kwargs: Any) -> Tensor:
        return _made(factory, args, kwargs)

    return create


# Made only once, because registrations in TorchScript are permanent.
_PINNING = {name: _Factory(getattr(torch, name)) for name in _FACTORIES}
_PINNING_METHODS = {name: _pinning(name) for name in _METHODS}
FACTORIES: tuple[Callable[..., Tensor], ...] = tuple(_PINNING.values())


def patch(patches: Patches) -> None:
    """Make ``torch.empty(..., pin_memory=True)`` and the like return pinned tensors; count them."""
    patches.set(
        torch._C,
        _cuda_hostMemoryStats=_statistics.readings,
        _cuda_resetPeakHostMemoryStats=_statistics.reset_peak,
        _cuda_resetAccumulatedHostMemoryStats=_statistics.reset_accumulated,
    )
    patches.set(torch, **_PINNING)
    patches.set(Tensor, **_PINNING_METHODS)
