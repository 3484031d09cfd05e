"""Process groups on cards: splits, coalesced calls, and direct calls of their backends.

``split_group`` (also used by 2-D device meshes) makes the backends of the parts in C++, as plain
gloo. Here each part gets the same backends as the whole group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from weakref import WeakKeyDictionary

import torch

from ...patches import Patches
from ...retag import tensors_in
from . import nccl
from .collectives import begun, to_cpu
from .works import done

# Python attributes of a backend are lost with its Python object, so these references keep it.
_backends: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
# Methods of a backend that take tensors.
_COLLECTIVES = (
    "_allgather_base",
    "_reduce_scatter_base",
    "allgather",
    "allgather_coalesced",
    "allreduce",
    "allreduce_coalesced",
    "alltoall",
    "alltoall_base",
    "broadcast",
    "gather",
    "recv",
    "recv_anysource",
    "reduce",
    "reduce_scatter",
    "scatter",
    "send",
)


def _register_backend(register: Callable[..., None]) -> Callable[..., None]:
    def register_backend(self: Any, device: torch.device, kind: Any, backend: Any = None) -> None:
        register(self, device, kind, backend)
        _backends.setdefault(self, []).append(backend)

    return register_backend


def _split(
    self: Any,
    ranks: Sequence[int],
    timeout: timedelta | None = None,
    opts: Any = None,
    group_name: str | None = None,
    group_desc: str | None = None,
    device_types: Sequence[torch.device] | None = None,
) -> Any:
    """``ProcessGroup.split_group``: the part of this rank; None if it is in no part."""
    c10d: Any = torch.distributed.distributed_c10d
    devices = [d for d in self._device_types if device_types is None or d in device_types]
    backends = {device: self._get_backend(device) for device in devices}
    for backend in backends.values():
        if isinstance(backend, c10d.ProcessGroupNCCL):
            backend.perform_nocolor_split(self.bound_device_id)
    if self.rank() not in ranks:
        return None
    store = torch.distributed.PrefixStore(f"{group_name}/", self.get_group_store())
    place = sorted(ranks).index(self.rank()), len(ranks)
    part: Any = torch.distributed.ProcessGroup(store, *place)
    kinds = torch.distributed.ProcessGroup.BackendType
    for device, backend in backends.items():
        own_store = torch.distributed.PrefixStore(f"{device.type}/", store)
        if isinstance(backend, c10d.ProcessGroupNCCL):
            options = backend.options if opts is None else opts
            kind, made = kinds.NCCL, c10d.ProcessGroupNCCL(own_store, *place, options)
        else:
            kind, made = kinds.GLOO, c10d.ProcessGroupGloo(own_store, *place, timeout=timeout)
        part._set_default_backend(kind)
        part._register_backend(device, kind, made)
    part._set_group_name(group_name)
    part._set_group_desc(group_desc or "")
    return part


def _end_coalescing(self: Any, device: torch.device) -> Any:
    begun.wait()
    return done([])


def _on_cpu(name: str, collective: Callable[..., Any]) -> Callable[..., Any]:
    """A backend's method that a program calls directly, without its group."""
    rule = name.replace("anysource", "any_source")

    def call(self: Any, *args: Any, **named: Any) -> Any:
        if any(tensor.is_cuda for tensor in tensors_in(args)):
            nccl.check(self, rule, (*args, *named.values()))
        return collective(
            self, *map(to_cpu, args), **{name: to_cpu(value) for name, value in named.items()}
        )

    return call


def patch(patches: Patches) -> None:
    """Make splits and coalesced calls work as in NCCL."""
    if not (torch.distributed.is_available() and torch.distributed.is_gloo_available()):
        return
    group = torch._C._distributed_c10d.ProcessGroup
    patches.set(
        group,
        _register_backend=_register_backend(group._register_backend),
        split_group=_split,
        _start_coalescing=lambda self, device: begun.begin(),
        _end_coalescing=_end_coalescing,
    )
    backend = torch._C._distributed_c10d.Backend
    patches.set(backend, **{name: _on_cpu(name, getattr(backend, name)) for name in _COLLECTIVES})
