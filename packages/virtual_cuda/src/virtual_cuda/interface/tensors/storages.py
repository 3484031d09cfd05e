"""Storages on virtual GPUs, for ``torch.load``, ``copy`` and ``pickle``.

``UntypedStorage(n, device="cuda")`` needs CUDA's allocator, which the CPU build does not have. The
storage of a new tensor replaces it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import UntypedStorage

from ... import runtime
from ...kernels.resizing import resize_storage
from ...patches import Patches
from ...retag import bytes_of

_Base = torch.storage._StorageBase
_clone = _Base.clone
_resize_on_host = UntypedStorage.resize_


def _new(cls: type, *args: Any, device: Any = None, **kwargs: Any) -> UntypedStorage:
    if device is None or torch.device(device).type != "cuda":
        if device is not None:
            kwargs["device"] = device
        return torch._C.StorageBase.__new__(cls, *args, **kwargs)
    content = args[0] if args else kwargs.get("size", 0)
    if isinstance(content, int):
        return torch.empty(content, dtype=torch.uint8, device=device).untyped_storage()
    return torch.tensor(list(content), dtype=torch.uint8, device=device).untyped_storage()


def _to(self: UntypedStorage, *, device: Any, non_blocking: bool = False) -> UntypedStorage:
    target = runtime.resolve(device)
    if self.device == target:
        return self
    return bytes_of(self).to(target, non_blocking=non_blocking).untyped_storage()


def _cuda(self: UntypedStorage, device: Any = None, non_blocking: bool = False) -> UntypedStorage:
    return _to(self, device=runtime.resolve(device), non_blocking=non_blocking)


def _clone_on_device(self: UntypedStorage) -> UntypedStorage:
    if self.device.type != "cuda":
        return _clone(self)
    return bytes_of(self).clone().untyped_storage()


def _resize(self: UntypedStorage, size: int) -> UntypedStorage:
    if self.device.type != "cuda":
        return _resize_on_host(self, size)
    resize_storage(self, size)
    return self


def patch(patches: Patches) -> None:
    """Replace the methods of storages that allocate memory on a device."""
    patches.set(_Base, to=_to, cuda=_cuda, clone=_clone_on_device)
    patches.set(UntypedStorage, __new__=_new, resize_=_resize)
