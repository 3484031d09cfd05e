"""Sparse tensors on virtual GPUs.

A sparse tensor consists of dense tensors (indices and values) and a layout. Operators that only
arrange these parts use torch's CPU code, which ignores the device. Operators that compute get CPU
tensors from CPU aliases of the parts, and the parts of their results are placed on the card.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload

from .. import runtime
from ..retag import cpu_alias
from . import deterministic, dtypes
from .boxed import Kernel, adopt, operator, place
from .device_rules import check_devices, named_tensors
from .registration import add_kernel, refuse_as_dispatcher, take_away
from .specialise import operators_of

# Dispatch key of the cards -> the CPU's key for the same layouts.
_KEYS = {"SparseCUDA": DispatchKey.SparseCPU, "SparseCsrCUDA": DispatchKey.SparseCsrCPU}

# Operators that arrange parts: names without overloads.
_ARRANGING = {
    "_coalesced_",
    "_dimI",
    "_dimV",
    "_indices",
    "_nnz",
    "_sparse_compressed_tensor_unsafe",
    "_sparse_compressed_tensor_with_dims",
    "_sparse_coo_tensor_with_dims",
    "_sparse_coo_tensor_with_dims_and_tensors",
    "_to_copy",
    "_values",
    "ccol_indices",
    "clone",
    "col_indices",
    "copy_",
    "copy_sparse_to_sparse_",
    "crow_indices",
    "dense_dim",
    "empty",
    "empty_like",
    "indices",
    "is_coalesced",
    "resize_as_sparse_",
    "row_indices",
    "sparse_dim",
    "sparse_resize_",
    "sparse_resize_and_clear_",
    "values",
}

# Operators that CUDA has for two sparse half-precision tensors, and the CPU does not.
_ADDING = {"add", "add_", "sub", "sub_"}

# This operator prepares its backward pass only for sparse matrices that require gradients.
_PREPARES_BACKWARD = "_sparse_mm_reduce_impl"

_ROWS_FIRST = (torch.sparse_csr, torch.sparse_bsr)


def _parts(tensor: Tensor) -> tuple[Tensor, ...]:
    """The dense tensors of a sparse one: indices, then values."""
    if tensor.layout is torch.sparse_coo:
        return tensor._indices(), tensor._values()
    if tensor.layout in _ROWS_FIRST:
        return tensor.crow_indices(), tensor.col_indices(), tensor.values()
    return tensor.ccol_indices(), tensor.row_indices(), tensor.values()


def _map_parts(tensor: Tensor, change: Callable[[Tensor], Tensor]) -> Tensor:
    """The sparse tensor with changed parts."""
    *places, values = map(change, _parts(tensor))
    if tensor.layout is torch.sparse_coo:
        return torch.ops.aten._sparse_coo_tensor_with_dims_and_tensors(
            tensor.sparse_dim(),
            tensor.dense_dim(),
            tensor.shape,
            *places,
            values,
            dtype=tensor.dtype,
            layout=tensor.layout,
            device=values.device,
            is_coalesced=tensor.is_coalesced(),
        )
    return torch.ops.aten._sparse_compressed_tensor_unsafe(
        *places,
        values,
        tensor.shape,
        dtype=tensor.dtype,
        layout=tensor.layout,
        device=values.device,
    )


def _is_dense(tensor: Tensor) -> bool:
    return tensor.layout is torch.strided


def place_any(tensor: Tensor, index: int) -> Tensor:
    """A fresh CPU tensor of any layout as a tensor on ``cuda:index``."""
    if _is_dense(tensor):
        return place(tensor, index)
    return _map_parts(tensor, lambda part: place(part, index))


def alias_any(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of a tensor of any layout."""
    if not tensor.is_cuda:
        return tensor
    return cpu_alias(tensor) if _is_dense(tensor) else _map_parts(tensor, cpu_alias)


def overwrite(tensor: Tensor, content: Tensor) -> None:
    """Copy the CPU's result into a tensor of a card."""
    if not _is_dense(tensor):
        fresh = place_any(content, tensor.get_device())
        tensor.copy_(fresh)
    elif content.shape != tensor.shape:
        adopt(tensor, content)


def _card_of(args: Sequence[Any], kwargs: dict[str, Any]) -> int:
    device = kwargs.get("device")
    if device is not None and device.type == "cuda":
        return runtime.resolve(device).index
    tensors = (a for a in (*args, *kwargs.values()) if isinstance(a, Tensor) and a.is_cuda)
    return next((tensor.get_device() for tensor in tensors), runtime.current_device())


def _arranging(op: OpOverload, key: DispatchKey) -> Kernel:
    keys = DispatchKeySet(key)

    def arrange(*args: Any, **kwargs: Any) -> Any:
        runtime.ready()
        # New sparse tensors start on the current device.
        previous = runtime.exchange_device(_card_of(args, kwargs))
        try:
            return op.redispatch(keys, *args, **kwargs)
        finally:
            runtime.exchange_device(previous)

    return arrange


def _computing(op: OpOverload) -> Kernel:
    schema = op._schema
    name = schema.name.removeprefix("aten::")
    names = [argument.name for argument in schema.arguments]
    infos = {argument.name: argument.alias_info for argument in schema.arguments}
    written = {what for what, info in infos.items() if info is not None and info.is_write}
    is_written = [r.alias_info is not None and r.alias_info.is_write for r in schema.returns]

    def compute(*args: Any, **kwargs: Any) -> Any:
        state = runtime.ready()
        if deterministic.is_on():
            deterministic.check(name, args)
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        tensors = named_tensors(given.items())
        devices = {tensor.device for _, tensor in tensors}
        if len(devices) > 1:
            check_devices(name, schema.overload_name, tensors, written)
        index = next((t.get_device() for _, t in tensors if t.is_cuda), runtime.current_device())

        stand_ins: list[tuple[Tensor, Tensor]] = []

        def to_cpu(value: Any) -> Any:
            if isinstance(value, Tensor):
                content = alias_any(value)
                stand_ins.append((value, content))
                return content
            if isinstance(value, (list, tuple)):
                return [to_cpu(item) for item in value]
            return torch.device("cpu") if isinstance(value, torch.device) else value

        on_cpu = {what: to_cpu(value) for what, value in given.items()}
        for what in written & kwargs.keys():  # out=: memory of a card cannot be resized
            if _is_dense(kwargs[what]) and kwargs[what].is_cuda and not kwargs[what].numel():
                on_cpu[what] = torch.empty(0, dtype=kwargs[what].dtype)
        if name == _PREPARES_BACKWARD:
            on_cpu["self"].requires_grad_(any(tensor.requires_grad for _, tensor in tensors))
        try:
            result = op(**on_cpu)
        except RuntimeError as error:
            raise dtypes.in_words_of_cuda(error) from None
        for what in written:
            overwrite(given[what], on_cpu[what])

        def back(value: Any, is_argument: bool) -> Any:
            if isinstance(value, Tensor):
                if is_argument:
                    return next(given[what] for what in written if on_cpu[what] is value)
                # Some operators return one of their arguments.
                same = next((t for t, content in stand_ins if content is value), None)
                return place_any(value, index) if same is None else same
            if isinstance(value, (list, tuple)):
                return [back(item, is_argument) for item in value]
            return value

        state.card(index).run(name, sum(map(nbytes, (t for _, t in tensors))))
        if len(is_written) == 1:
            return back(result, is_written[0])
        if not is_written:
            return None
        return tuple(back(item, one) for item, one in zip(result, is_written, strict=True))

    return compute


def _with_halves(name: str, add: Kernel) -> Kernel:
    """A sum or difference that also accepts sparse half precision: it appends the values, as CUDA.

    Source: ``add_out_sparse_cuda`` of ``ATen/native/sparse/cuda/SparseCUDATensorMath.cu``.
    """
    sign, in_place = -1 if name.startswith("sub") else 1, name.endswith("_")
    half = torch.float16

    def takes_halves(self: Tensor, other: Any) -> bool:
        return (
            isinstance(other, Tensor)
            and self.layout is other.layout is torch.sparse_coo
            and self.shape == other.shape
            and torch.result_type(self, other) is half
            and not (in_place and self.dtype is not half)
        )

    def compute(self: Tensor, other: Any, alpha: float = 1, **out: Any) -> Tensor:
        if out or not takes_halves(self, other):
            return add(self, other, alpha=alpha, **out)
        indices = torch.cat([self._indices(), other._indices()], 1)
        values = torch.cat([self._values().to(half), other._values().to(half) * (sign * alpha)])
        result = torch.sparse_coo_tensor(indices, values, self.shape, check_invariants=False)
        return self.copy_(result) if in_place else result

    return compute


def nbytes(tensor: Tensor) -> int:
    """Bytes of a tensor of any layout."""
    return sum(part.nbytes for part in ([tensor] if _is_dense(tensor) else _parts(tensor)))


# Operators of dense tensors that can return sparse ones, as kernels for the key CUDA.
CUDA_KERNELS: dict[str, Kernel] = {
    name: _computing(operator(name))
    for name in (
        "_embedding_bag_backward",
        "_to_sparse",
        "_to_sparse.sparse_dim",
        "_to_sparse_bsc",
        "_to_sparse_bsr",
        "_to_sparse_csc",
        "_to_sparse_csr",
    )
}

_libraries: list[torch.library.Library] = []


def register() -> Callable[[], None]:
    """Register the kernels of sparse layouts. Returns the function that removes them."""
    if not _libraries:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns about every kernel that replaces another
            for key, cpu_key in _KEYS.items():
                library = torch.library.Library("aten", "IMPL", key)
                _libraries.append(library)
                known = operators_of(cpu_key.name)
                for name in operators_of(key) - known:  # only in the CUDA build
                    add_kernel(library, name, partial(refuse_as_dispatcher, key, name))
                for name in known:
                    add_kernel(library, name, _Kernel(name, cpu_key))
    return partial(take_away, _libraries)


class _Kernel:
    """A kernel that reads the schema of its operator at the first call."""

    __slots__ = ("_call", "_key", "_name")

    def __init__(self, name: str, key: DispatchKey) -> None:
        self._name = name
        self._key = key
        self._call: Kernel | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._call is None:
            op = operator(self._name)
            base = self._name.partition(".")[0]
            self._call = _arranging(op, self._key) if base in _ARRANGING else _computing(op)
            if base in _ADDING:
                self._call = _with_halves(base, self._call)
        with runtime.ready().clock.at_once(self._name):
            return self._call(*args, **kwargs)
