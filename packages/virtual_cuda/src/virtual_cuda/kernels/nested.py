"""Nested tensors of the strided layout: tensors of several sizes over one buffer on a card.

The CPU's kernels use that buffer through other operators, which cards have, or by its address in
host memory. So they also work for a card. A few select a C++ kernel by the buffer's device, and the
CUDA build has one for real GPUs. These kernels never get a tensor of a card.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload

from .. import runtime
from ..retag import cpu_alias
from . import dtypes
from .specialise import CPU_KEYS, operator

KEY = DispatchKey.NestedTensorCPU.name
"""The CPU's dispatch key. Its operators need a kernel for cards, or a general one would be used."""
_KEYS = DispatchKeySet(DispatchKey.NestedTensorCPU)
_WITH_ROWS = {"add", "mul"}  # have their own C++ table for a nested and a dense tensor
_THROUGH_TWINS = {"native_layer_norm", "native_layer_norm_backward"}


def call(op: OpOverload, *args: Any, **kwargs: Any) -> Any:
    """The result of any operator with a nested tensor of a card."""
    given = [
        torch.tensor(value)
        if isinstance(value, (int, float, complex)) and str(argument.type) == "Tensor"
        else value
        for value, argument in zip(args, op._schema.arguments, strict=False)
    ]
    name = op._schema.name.removeprefix("aten::")
    with runtime.ready().clock.at_once(name):
        return _call(op, name, given, kwargs)


def _call(op: OpOverload, name: str, given: Sequence[Any], kwargs: Any) -> Any:
    if name in _WITH_ROWS and _has_rows(*given[:2]):
        return _by_parts(op, *given, **kwargs)
    compute = functools.partial(op._handle.redispatch_boxed, _KEYS)
    if dtypes.is_better_wider(name, (value for value in given if isinstance(value, Tensor))):
        return dtypes.widened(name, compute, given, kwargs)
    try:
        return compute(*given, **kwargs)
    except NotImplementedError as error:
        sentence = str(error).partition("\n")[0]
        raise NotImplementedError(sentence.replace(KEY, "NestedTensorCUDA")) from None


def kernel(name: str) -> Callable[..., Any]:
    """The kernel of one operator."""
    if name == "_fused_sdp_choice":  # as for other tensors: no kernel of CUDA's libraries
        return lambda *args, **kwargs: 0
    if name in _THROUGH_TWINS:
        return lambda *args: _through_twins(operator(name), *args)
    return lambda *args, **kwargs: call(operator(name), *args, **kwargs)


def _has_rows(one: Tensor, other: Tensor) -> bool:
    """Whether one tensor is nested, and the other one has a row for each of its parts."""
    nested, dense = (one, other) if one.is_nested else (other, one)
    return (
        not dense.is_nested
        and nested.dim() == dense.dim() in (2, 3)
        and dense.size()[:2] == (nested.size(0), 1)
        and bool((nested._nested_tensor_size()[:, 1:] == dense.size(-1)).all())
    )


def _by_parts(op: OpOverload, one: Tensor, other: Tensor, **kwargs: Any) -> Tensor:
    nested = (one if one.is_nested else other).contiguous()
    parts = zip(one.unbind(), other.unbind(), strict=True)
    results = [op(*pair, **kwargs).flatten() for pair in parts]
    return _with_buffer(lambda _: torch.cat(results), nested)


def _through_twins(op: OpOverload, *args: Any) -> Any:
    card = runtime.ready().card(next(a.get_device() for a in args if isinstance(a, Tensor)))

    def on_card(result: Tensor | None) -> Tensor | None:
        return None if result is None else _with_buffer(card.place, result)

    twins = (_with_buffer(cpu_alias, a) if isinstance(a, Tensor) else a for a in args)
    return tuple(map(on_card, op._handle.redispatch_boxed(_KEYS, *twins)))


def _with_buffer(change: Callable[[Tensor], Tensor], tensor: Tensor) -> Tensor:
    """A tensor, nested or not, with a changed buffer."""
    if not tensor.is_nested:
        return change(tensor)
    return torch._nested_view_from_buffer(
        change(tensor.values()),
        tensor._nested_tensor_size(),
        tensor._nested_tensor_strides(),
        tensor._nested_tensor_storage_offsets(),
    )


def _of_the_cpu(name: str) -> Callable[..., Any]:
    """The CPU's kernel of an operator, called with unchanged tensors of a card."""

    def make(*args: Any, **kwargs: Any) -> Any:
        runtime.ready()
        return operator(name)._handle.redispatch_boxed(CPU_KEYS, *args, **kwargs)

    return make


# Operators that make nested tensors from others.
NESTED_KERNELS = {
    name: _of_the_cpu(name)
    for name in (
        "_nested_from_padded",
        "_nested_tensor_from_mask",
        "_nested_tensor_from_mask_left_aligned",
        "_nested_view_from_buffer",
    )
}
