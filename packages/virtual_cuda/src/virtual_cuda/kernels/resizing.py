"""Resizing of storages and tensors in place, as in ``ATen/native/cuda/Resize.cpp``.

DLPack's memory cannot grow, so a storage gets new memory (``platform.storages``), which all its
tensors use. The old memory is freed and not counted any more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import SymInt, Tensor, UntypedStorage

from ..platform.storages import exchange
from ..retag import bytes_of, cpu_alias, forget, remember_no_more
from .boxed import set_layout

_ALONE = 2  # references to a storage: by its only tensor, and by its Python object


def resize_storage(storage: UntypedStorage, nbytes: int | SymInt) -> None:
    """Change the size of a card's storage. Its content is kept as far as it fits."""
    if nbytes < 0:
        raise RuntimeError(f"Storage size must not be negative, but got {nbytes}")
    if nbytes != storage.nbytes():
        remember_no_more()
        _change_memory(storage, nbytes)


def _change_memory(storage: UntypedStorage, nbytes: int | SymInt) -> None:
    new = torch.empty(nbytes, dtype=torch.uint8, device=storage.device)
    kept = min(nbytes, storage.nbytes())
    if kept:
        cpu_alias(new)[:kept].copy_(cpu_alias(bytes_of(storage))[:kept])
    exchange(storage, new.untyped_storage())


def resize_tensor(
    self: Tensor, size: Sequence[int], memory_format: torch.memory_format | None = None
) -> Tensor:
    """``Tensor.resize_``: existing elements keep their memory; new ones are not initialised."""
    if memory_format is torch.preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    if tuple(size) == tuple(self.shape) and memory_format is None:
        return self
    storage, elements = self.untyped_storage(), math.prod(size)
    needed = (self.storage_offset() + elements) * self.element_size() if elements else 0
    forget(self)
    before = storage.nbytes()
    if needed > before:
        if torch._C._storage_Use_Count(storage._cdata) > _ALONE:
            resize_storage(storage, needed)
        else:
            _change_memory(storage, needed)
    strides = torch.empty(
        size, device="meta", memory_format=memory_format or torch.contiguous_format
    ).stride()
    set_layout(self, storage, self.storage_offset(), size, strides)
    if storage.nbytes() > before and _fills_new_memory():
        fresh = torch.empty(0, dtype=self.dtype, device=self.device).set_(storage)
        fresh[-(-before // self.element_size()) :] = _filling(self.dtype)
    return self


def _fills_new_memory() -> bool:
    return torch.are_deterministic_algorithms_enabled() and (
        torch.utils.deterministic.fill_uninitialized_memory  # type: ignore[attr-defined]
    )


def _filling(dtype: torch.dtype) -> float | bool:
    """The value with which deterministic algorithms fill new memory."""
    if dtype.is_floating_point or dtype.is_complex:
        return float("nan")
    return True if dtype is torch.bool else torch.iinfo(dtype).max
