"""Collectives of ``torch.distributed`` on virtual GPUs: gloo works on the CPU aliases.

Each rank is a process with its own virtual machine.
"""

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._pytree import tree_leaves

from ... import runtime
from ...kernels.registration import add_kernel, take_away
from ...kernels.sparse import alias_any, overwrite
from ...platform.switches import HAS_CUDA_BUILD
from ...retag import lend, tensors_in
from . import nccl
from .nccl_tensors import is_dense
from .works import done, with_future

_CPU = torch.device("cpu")
_KEYS = ("CUDA", "SparseCUDA")
# NCCL splits these tensors in order of memory, gloo along the first dimension.
_FLAT = {
    "_allgather_base_",
    "_reduce_scatter_base_",
    "allgather_into_tensor_coalesced_",
    "reduce_scatter_tensor_coalesced_",
}


_IN_ANY_ORDER = {"allreduce_coalesced_", "recv_", "send"}
# Collectives that move bytes of any type.
_MOVED = {
    "_allgather_base_",
    "allgather_",
    "allgather_into_tensor_coalesced_",
    "alltoall_",
    "alltoall_base_",
    "broadcast_",
    "gather_",
    "recv_",
    "scatter_",
    "send",
}

_libraries: list[torch.library.Library] = []


class _Begun(threading.local):
    """The collectives of this thread since ``begin``, for a common wait."""

    def __init__(self) -> None:
        self._works: list[torch.ScriptObject] | None = None

    @property
    def batched(self) -> bool:
        """Whether a common wait will follow."""
        return self._works is not None

    def begin(self) -> None:
        self._works = []

    def note(self, work: torch.ScriptObject) -> None:
        if self._works is not None:
            self._works.append(work)

    def wait(self) -> None:
        works, self._works = self._works or [], None
        for work in works:
            torch.distributed.Work.unbox(work).wait()


begun = _Begun()


def to_cpu(value: Any) -> Any:
    """An argument of a collective for gloo, with tensors and groups of the CPU."""
    if isinstance(value, Tensor):
        if not value.is_cuda:
            return value
        return lend(value)
    if isinstance(value, list):
        return [to_cpu(item) for item in value]
    return _with_cpu(value) if isinstance(value, torch.ScriptObject) else value


def _with_cpu(boxed: torch.ScriptObject) -> torch.ScriptObject:
    """A process group for CPU tensors, with the backend that a group has for cards.

    An NCCL group has no backend for the CPU, and raises an error for CPU tensors of programs.
    """
    if boxed._type().name() != "ProcessGroup":  # type: ignore[attr-defined]
        return boxed
    group = torch.distributed.ProcessGroup.unbox(boxed)
    if _CPU in group._device_types:
        return boxed
    twin = torch.distributed.ProcessGroup(group.rank(), group.size())  # type: ignore[call-arg]
    kind = torch.distributed.ProcessGroup.BackendType.GLOO
    twin._set_default_backend(kind)
    twin._register_backend(_CPU, kind, group._get_backend(torch.device("cuda")))
    return twin.boxed()


def _flat(value: Any) -> Any:
    return value.view(-1) if isinstance(value, Tensor) else [_flat(item) for item in value]


def _as_bytes(value: Any) -> Any:
    """Float8 tensors as bytes, because gloo has no float8."""
    if isinstance(value, list):
        return [_as_bytes(item) for item in value]
    is_float8 = isinstance(value, Tensor) and value.is_floating_point() and value.itemsize == 1
    return value.view(torch.uint8) if is_float8 else value


def _in_memory(tensors: list[Tensor]) -> list[Tensor]:
    """Flat views of dense tensors in order of memory, because gloo reads strides."""
    return [
        tensor.as_strided((tensor.numel(),), (1,)) if is_dense(tensor) else tensor
        for tensor in tensors
    ]


def _is_nccls(name: str, args: Sequence[Any]) -> bool:
    """Whether a collective is for NCCL. Raises torch's error if NCCL refuses it."""
    for value in args:
        if isinstance(value, torch.ScriptObject) and value._type().name() == "ProcessGroup":  # type: ignore[attr-defined]
            group: Any = torch.distributed.ProcessGroup.unbox(value)
            backend = group._get_backend(torch.device("cuda"))
            return nccl.check(backend, name, args, group.bound_device_id, begun.batched)
    return False


def _all_gather(
    outputs: Sequence[list[Tensor]], inputs: Sequence[Tensor], group: Any, *rest: Any
) -> Any:
    """All-gather by broadcasts, for different shapes. None if all shapes equal the input's."""
    (parts,), (own,) = outputs, inputs
    if all(part.shape == own.shape for part in parts):
        return None
    rank = torch.distributed.ProcessGroup.unbox(group).rank()
    for root, part in enumerate(parts):
        buffer = own.reshape(part.shape).clone() if root == rank else torch.empty_like(part)
        _wait_for(torch.ops.c10d.broadcast_([buffer], group, root, 0))
        part.copy_(buffer)
    return outputs, done(parts).boxed()


def _reduce_scatter(
    outputs: Sequence[Tensor], inputs: Sequence[list[Tensor]], group: Any, op: Any, *rest: Any
) -> Any:
    """Reduce-scatter by reductions, for different shapes. None if all equal the output's."""
    (own,), (parts,) = outputs, inputs
    if all(part.shape == own.shape for part in parts):
        return None
    rank = torch.distributed.ProcessGroup.unbox(group).rank()
    for root, part in enumerate(parts):
        total = part.clone()
        _wait_for(torch.ops.c10d.reduce_([total], group, op, root, 0))
        if root == rank:
            own.copy_(total.view(own.shape))
    return outputs, done(outputs).boxed()


def _wait_for(result: Any) -> None:
    work = result[-1] if isinstance(result, tuple) else result
    torch.distributed.Work.unbox(work).wait()


_UNEVEN: dict[str, Callable[..., Any]] = {
    "allgather_": _all_gather,
    "reduce_scatter_": _reduce_scatter,
}
"""For lists of tensors with different sizes, which gloo refuses: rank by rank, as in torch."""


def _kernel(op: OpOverload) -> Callable[..., Any]:
    arguments, returns = op._schema.arguments, op._schema.returns

    def owner(position: int, args: tuple[Any, ...], result: Any) -> Any:
        """The argument that a result is: collectives return the tensors that they wrote."""
        alias = returns[position].alias_info
        if alias is not None:
            for argument, value in zip(arguments, args, strict=False):
                info = argument.alias_info
                if info is not None and info.before_set == alias.before_set:
                    return value
        holds_tensors = isinstance(result, list) and result and isinstance(result[0], Tensor)
        return args[0] if holds_tensors else result

    name = op._schema.name.removeprefix("c10d::")
    names = [argument.name for argument in arguments]
    no_wait = names.index("async_op") if "async_op" in names else len(names)

    def collective(*args: Any) -> Any:
        clock = runtime.ready().clock
        if clock.trace is not None:
            clock.trace.add_collective(name)
        with clock.at_once(name, tensors_in(args)):
            is_nccls = _is_nccls(name, args)
            on_cpu = [to_cpu(value) for value in args]
            if is_nccls and name in _MOVED:
                on_cpu[:2] = map(_as_bytes, on_cpu[:2])
            if is_nccls and name in _IN_ANY_ORDER:
                on_cpu[0] = _in_memory(on_cpu[0])
            if name in _FLAT:
                on_cpu[:2] = map(_flat, on_cpu[:2])
            call = _UNEVEN.get(name) if is_nccls else None
            result = (call and call(*on_cpu)) or op(*on_cpu)
        *written, work = result if len(returns) > 1 else [result]
        # Gloo composes these from other collectives; a blocking call needs no future.
        if "reduce_scatter" in name and (no_wait >= len(args) or args[no_wait]):
            unboxed = torch.distributed.Work.unbox(work)
            work = with_future(unboxed, tree_leaves(args[0])).boxed()
        begun.note(work)
        if not written:
            return work
        return (*(owner(k, args, item) for k, item in enumerate(written)), work)

    return collective


def _add_sparse(tensors: list[Tensor], *rest: Any) -> tuple[list[Tensor], Any]:
    """``all_reduce`` of sparse tensors. Their parts grow, so they are not shared with gloo.

    The host waits for it. Its ``Future`` has sparse CPU tensors.
    """
    runtime.ready()
    _is_nccls("allreduce_", (tensors, *rest))
    on_cpu = [alias_any(tensor) for tensor in tensors]
    _, work = torch.ops.c10d.allreduce_(on_cpu, *map(to_cpu, rest))
    torch.distributed.Work.unbox(work).wait()
    for tensor, content in zip(tensors, on_cpu, strict=True):
        overwrite(tensor, content)
    return tensors, work


def register() -> Callable[[], None]:
    """Register the collectives for the CUDA key. Returns the function that removes them."""
    if not torch.distributed.is_available():
        return lambda: None
    if not _libraries:
        dense, sparse = (torch.library.Library("c10d", "IMPL", key) for key in _KEYS)
        _libraries.extend((dense, sparse))
        names = torch._C._dispatch_get_registrations_for_dispatch_key("CUDA")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns about every kernel that replaces another
            for name in names:
                if name.startswith("c10d::"):
                    base, _, overload = name.removeprefix("c10d::").partition(".")
                    op = getattr(getattr(torch.ops.c10d, base), overload or "default")
                    add_kernel(dense, name.removeprefix("c10d::"), _kernel(op))
            add_kernel(sparse, "allreduce_", _add_sparse)
    if HAS_CUDA_BUILD:
        _rename_timer(_CUDA, _HIDDEN)

    def unregister() -> None:
        if HAS_CUDA_BUILD:
            _rename_timer(_HIDDEN, _CUDA)
        take_away(_libraries)

    return unregister


_CUDA, _HIDDEN = 1, 101  # c10::DeviceType::CUDA, and a number that is not a device type


def _rename_timer(key: int, new_key: int) -> None:
    """Change a key of ``c10d::TimerRegistry``, because DDP's CUDA timer calls the CUDA runtime.

    The registry is a ``std::unordered_map<int8_t, ...>``; its nodes are a linked list.
    """
    libraries = Path(torch.__file__).parent / "lib"
    for file in ("libtorch_cpu.so", "libtorch_cuda.so", "libtorch_python.so"):
        library = ctypes.CDLL(str(libraries / file))
        for symbol in ("_ZN4c10d13TimerRegistryB5cxx11Ev", "_ZN4c10d13TimerRegistryEv"):
            registry = getattr(library, symbol, None)
            if registry is None:
                continue
            registry.restype = ctypes.c_void_p
            node = (ctypes.c_uint64 * 3).from_address(registry())[2]
            while node:
                entry = ctypes.c_int8.from_address(node + 8)
                if entry.value == key:
                    entry.value = new_key
                node = ctypes.c_uint64.from_address(node).value
            return
