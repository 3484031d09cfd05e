"""Sending tensors of virtual GPUs to another process (``torch.multiprocessing``).

CUDA gives the receiver the sender's own memory (IPC). So does this module: a sent storage moves
into shared memory, as torch's CPU tensors do, and stays there. Both processes see each other's
writes. torch's own Python code does the rest (``torch.multiprocessing.reductions``).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from typing import Any

import torch
from torch import Tensor, UntypedStorage
from torch.nn import Parameter
from torch.utils._pytree import tree_leaves

from ... import runtime
from ...kernels.boxed import place
from ...kernels.copy_on_write import materialise
from ...patches import Patches
from ...platform.storages import exchange
from ...retag import bytes_of, cpu_alias, new_on_card, remember_no_more


@dataclass(frozen=True)
class _Handle:
    """Replaces CUDA's IPC handle of a storage's memory."""

    name: str
    content: UntypedStorage = field(compare=False)


def _share(self: UntypedStorage) -> tuple[Any, ...]:
    if not self.is_cuda:
        raise RuntimeError("_share_cuda_: only available on CUDA")
    if getattr(self, "_was_received", False):
        raise RuntimeError(
            "Attempted to send CUDA tensor received from another process; this is not currently "
            "supported. Consider cloning before sending."
        )
    # (card, handle, bytes, offset, and CUDA's data for counting the users of the memory)
    return self.get_device(), _handle_of(self), self.nbytes(), 0, b"", 0, b"", False


def _handle_of(storage: UntypedStorage) -> _Handle:
    """The handle of a storage, which moves into shared memory if needed."""
    handle = getattr(storage, "_handle", None)
    # After a resize the storage has other memory.
    if handle is None or handle.content.data_ptr() != storage.data_ptr():
        handle = _Handle(uuid.uuid4().hex, _move_to_shared_memory(storage))
        storage._handle = handle  # type: ignore[attr-defined]
    return handle


def _move_to_shared_memory(storage: UntypedStorage) -> UntypedStorage:
    """The same memory as a storage of the CPU."""
    before = bytes_of(storage)
    materialise([before])
    shared = UntypedStorage._new_shared(storage.nbytes())
    content = bytes_of(shared).copy_(cpu_alias(before))
    if storage.nbytes():
        index = storage.get_device()
        remember_no_more()
        exchange(storage, new_on_card(content, index, content.nbytes).untyped_storage())
        runtime.ready().card(index).lend_to(content, content.nbytes)  # replaces the old memory
    return shared


def _receive(cls: type, device: int, handle: _Handle, *rest: Any) -> UntypedStorage:
    content = bytes_of(handle.content)
    storage = place(content, runtime.ready().check(device)).untyped_storage()
    storage._handle, storage._was_received = handle, True  # type: ignore[attr-defined]
    return storage


def _moving_first(put: Callable[..., None]) -> Callable[..., None]:
    """``Queue.put`` that moves storages first: the queue's thread would move them too late."""

    def put_moved(self: Queue[Any], obj: Any, *args: Any, **kwargs: Any) -> None:
        for leaf in tree_leaves(obj):
            if type(leaf) in (Tensor, Parameter) and leaf.is_cuda and leaf.layout is torch.strided:
                _handle_of(leaf.untyped_storage())
        put(self, obj, *args, **kwargs)

    return put_moved


def patch(patches: Patches) -> None:
    """Allow sending storages of virtual GPUs."""
    patches.set(Queue, put=_moving_first(Queue.put))
    patches.set(
        UntypedStorage,
        _share_cuda_=_share,
        _new_shared_cuda=classmethod(_receive),
        _release_ipc_counter_cuda=classmethod(lambda cls, *args, **kwargs: None),
    )
