"""Tensors of virtual cards on their way to another process (``torch.multiprocessing``).

CUDA hands a process the sender's own memory (IPC). Here the bytes travel through a piece of the
shared memory that torch uses for CPU tensors; each storage has one, which is written anew whenever
the storage is sent. So the receiver sees what the sender writes when it sends again, and the sender
never sees what the receiver writes. torch's own Python code does the rest
(``torch.multiprocessing.reductions``).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from torch import UntypedStorage

from .. import runtime
from ..kernels.boxed import place
from ..patches import Patches
from ..retag import bytes_of, cpu_alias


@dataclass(frozen=True)
class _Handle:
    """Stands for CUDA's handle of a piece of memory."""

    name: str
    content: UntypedStorage = field(compare=False)


def _share(self: UntypedStorage) -> tuple[Any, ...]:
    if not self.is_cuda:
        raise RuntimeError("_share_cuda_: only available on CUDA")
    nbytes = self.nbytes()
    handle = getattr(self, "_handle", None)
    if handle is None:
        handle = _Handle(uuid.uuid4().hex, UntypedStorage._new_shared(nbytes))
        # The shared memory lives as long as what it is a copy of.
        self._handle = handle  # type: ignore[attr-defined]
    bytes_of(handle.content).copy_(cpu_alias(bytes_of(self)))
    # (card, handle, bytes, offset, and what CUDA needs to know who still uses the memory)
    return self.get_device(), handle, nbytes, 0, b"", 0, b"", False


def _receive(cls: type, device: int, handle: _Handle, *rest: Any) -> UntypedStorage:
    content = bytes_of(handle.content)
    return place(content, runtime.ready().check(device)).untyped_storage()


def patch(patches: Patches) -> None:
    """Let storages of virtual cards travel."""
    patches.set(
        UntypedStorage,
        _share_cuda_=_share,
        _new_shared_cuda=classmethod(_receive),
        _release_ipc_counter_cuda=classmethod(lambda cls, *args, **kwargs: None),
    )
