"""``torch._lazy_clone``: a copy that shares its memory until one of the tensors is written.

While such copies exist, every call uses the general kernel (``boxed``), which gives a tensor its
own memory before it writes to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakSet

import torch
from torch import Tensor, UntypedStorage

from .. import runtime
from ..cards import close_to_all
from ..patches import Patches
from ..platform.storages import exchange
from ..retag import bytes_of, cpu_alias, is_lazy, new_on_card, remember_no_more, same_part_of

_is_on_host = torch._C._is_cow_tensor  # type: ignore[attr-defined]


class _Memory:
    """The shared memory of several storages, each with a reference in its ``_shared``."""

    def __init__(self, storage: UntypedStorage) -> None:
        """Take the memory of a storage, which becomes the first user."""
        self.storages: WeakSet[UntypedStorage] = WeakSet()
        self._own = torch.empty(0, dtype=torch.uint8, device=storage.device).untyped_storage()
        exchange(self._own, storage)
        exchange(storage, self.another())
        self.keep(storage)

    def another(self) -> UntypedStorage:
        """A new storage over this memory."""
        content = cpu_alias(bytes_of(self._own))
        return new_on_card(content, self._own.get_device(), content.nbytes).untyped_storage()

    def keep(self, storage: UntypedStorage) -> None:
        """Add a storage to the users of this memory."""
        self.storages.add(storage)
        storage._shared = self  # type: ignore[attr-defined]


_memories: WeakSet[_Memory] = WeakSet()


def are_alive() -> bool:
    """Whether there are tensors with shared memory."""
    return bool(_memories)


def _memory_of(storage: UntypedStorage) -> _Memory | None:
    return getattr(storage, "_shared", None)


def lazy_clone(self: Tensor) -> Tensor:
    """The kernel of ``_lazy_clone``."""
    runtime.ready()
    storage = self.untyped_storage()
    if is_lazy(self) or not storage.nbytes():
        return self.clone()
    close_to_all()
    memory = _memory_of(storage) or _Memory(storage)
    _memories.add(memory)
    copy = memory.another()
    memory.keep(copy)
    return same_part_of(copy, self)


def materialise(tensors: Iterable[Tensor]) -> None:
    """Give tensors their own memory before they are written."""
    for tensor in tensors:
        storage = tensor.untyped_storage()
        memory = _memory_of(storage)
        if memory is None:
            continue
        memory.storages.discard(storage)
        if memory.storages:  # else it was the last user, and keeps the memory
            remember_no_more()
            exchange(storage, bytes_of(storage).clone().untyped_storage())
        del storage._shared  # type: ignore[attr-defined]


def patch(patches: Patches) -> None:
    """Install torch's test for tensors with shared memory."""
    patches.set(
        torch._C,
        _is_cow_tensor=lambda tensor: (
            _memory_of(tensor.untyped_storage()) is not None
            if tensor.is_cuda
            else _is_on_host(tensor)
        ),
    )
