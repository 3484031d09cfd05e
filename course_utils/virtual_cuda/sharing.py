"""Tensors of virtual cards on their way to another process (``torch.multiprocessing``).

CUDA hands a process the sender's own memory (IPC). Here a snapshot of the bytes travels, through
the shared memory that torch uses for CPU tensors: what either side writes afterwards, the other one
does not see. torch's own Python code does the rest (``torch.multiprocessing.reductions``).
"""

from __future__ import annotations

import uuid
from typing import Any

import torch
from torch import UntypedStorage

from . import runtime
from .kernels import place
from .patches import Patches
from .retag import cpu_alias


class _Handle:
    """Stands for CUDA's handle: a name, and the bytes until they are sent."""

    def __init__(self, name: str, content: UntypedStorage | None) -> None:
        self._name = name
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Handle) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __reduce__(self) -> tuple[Any, ...]:
        # torch keeps handles it has sent as keys of a dictionary; the bytes need not stay there.
        content, self.content = self.content, None
        return _Handle, (self._name, content)


def _share(self: UntypedStorage) -> tuple[Any, ...]:
    nbytes = self.nbytes()
    content = UntypedStorage._new_shared(nbytes)
    whole = torch.empty(0, dtype=torch.uint8, device=self.device).set_(self)
    torch.empty(0, dtype=torch.uint8).set_(content).copy_(cpu_alias(whole))
    # (card, handle, bytes, offset, and what CUDA needs to know who still uses the memory)
    return self.get_device(), _Handle(uuid.uuid4().hex, content), nbytes, 0, b"", 0, b"", False


def _receive(cls: type, device: int, handle: _Handle, *rest: Any) -> UntypedStorage:
    assert handle.content is not None
    content = torch.empty(0, dtype=torch.uint8).set_(handle.content)
    return place(content, runtime.ready().check(device)).untyped_storage()


def patch(patches: Patches) -> None:
    """Let storages of virtual cards travel."""
    patches.set(
        UntypedStorage,
        _share_cuda_=_share,
        _new_shared_cuda=classmethod(_receive),
        _release_ipc_counter_cuda=classmethod(lambda cls, *args, **kwargs: None),
    )
