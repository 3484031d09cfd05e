"""The same-device rule: which operators accept tensors of several devices, and their errors.

ATen has two general rules. Operators marked ``device_check: NoCheck`` check inside TensorIterator,
which allows 0-dimensional CPU tensors. Generated code checks all others before the kernel, and
names the argument. The rule of an operator is read from ``native_functions.yaml``, which torch
ships with torchgen. Indexing, convolution and operators on lists have their own rules.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import torch
from torch import Tensor

NamedTensor = tuple[str, Tensor]


def named_tensors(values: Iterable[tuple[str, Any]]) -> list[NamedTensor]:
    """The tensors among named arguments, lists flattened, in order."""
    return [
        (name, item)
        for name, value in values
        for item in (value if isinstance(value, (list, tuple)) else (value,))
        if isinstance(item, Tensor)
    ]


_INDEXING = {
    "index",
    "index_put",
    "index_put_",
    "_index_put_impl_",
    "_unsafe_index",
    "_unsafe_index_put",
}
_CONVOLUTION = {"convolution", "_convolution", "convolution_overrideable"}
# CTC loss needs its lengths on the CPU, for any device of the other tensors.
_ANY_DEVICE = {
    "copy_",
    "_copy_from",
    "_foreach_copy_",
    "_to_copy",
    "_ctc_loss",
    "_ctc_loss_backward",
}


@dataclass(frozen=True)
class _CheckTable:
    """Operator names (with overload) of native_functions.yaml, by how they are checked."""

    without_check: frozenset[str]
    structured: frozenset[str]
    iterating: frozenset[str]  # by a TensorIterator, from the start


@functools.cache
def _check_table() -> _CheckTable:
    source = resources.files("torchgen") / "packaged/ATen/native/native_functions.yaml"
    without_check, structured, iterating = set(), set(), set()
    for entry in source.read_text(encoding="utf-8").split("\n- func: ")[1:]:
        name = entry.split("(", 1)[0].strip()
        if re.search(r"^  device_check: *NoCheck", entry, re.MULTILINE):
            without_check.add(name)
        if re.search(r"^  structured(_delegate)?:", entry, re.MULTILINE):
            structured.add(name)
        if re.search(r"^  structured_inherits: *TensorIteratorBase", entry, re.MULTILINE):
            iterating.add(name)
    return _CheckTable(frozenset(without_check), frozenset(structured), frozenset(iterating))


def _method_name(name: str, overload: str, has_out: bool) -> str:
    """The name of an operator's generated wrapper.

    Source: torchgen's ``register_dispatch_key.py`` with ``api/cpp.py`` and ``api/native.py``.
    """
    function = f"{name}_out" if has_out else name
    if _full_name(name, overload) not in _check_table().structured:
        return f"wrapper_CUDA_{overload}_{function}"
    return f"wrapper_CUDA_{function}_{overload}" if overload else f"wrapper_CUDA_{function}"


def _full_name(name: str, overload: str) -> str:
    return f"{name}.{overload}" if overload else name


def _named_argument_error(name: str, tensor: Tensor, others: torch.device, method: str) -> None:
    raise RuntimeError(
        f"Expected all tensors to be on the same device, but got {name} is on {tensor.device}, "
        f"different from other tensors on {others} "
        f"(when checking argument in method {method})"
    )


def _check_tensor_iterator(tensors: Sequence[NamedTensor], written: Container[str]) -> None:
    outputs = [pair for pair in tensors if pair[0] in written]
    inputs = [pair for pair in tensors if pair[0] not in written]
    common = next((t.device for _, t in [*outputs, *inputs] if t.device.type != "cpu"), None)
    for is_output, group in ((True, outputs), (False, inputs)):
        for _, tensor in group:
            joins = tensor.device.type == "cpu" and tensor.dim() == 0 and not is_output
            if common is not None and tensor.device != common and not joins:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two "
                    f"devices, {common} and {tensor.device}!"
                )


def _check_out(tensors: Sequence[NamedTensor], out: Container[str]) -> None:
    """Check as ``resize_out`` of the generated code, which sets the shape of ``out=``."""
    device = next(tensor.device for name, tensor in tensors if name not in out)
    for name, tensor in tensors:
        if name in out and tensor.device != device:
            raise RuntimeError(
                f"Expected out tensor to have device {device}, but got {tensor.device} instead"
            )


def _check_arguments(tensors: Iterable[NamedTensor], method: str) -> None:
    common: torch.device | None = None
    for name, tensor in tensors:
        common = common or tensor.device
        if tensor.device != common:
            _named_argument_error(name, tensor, common, method)


def _check_lists(tensors: Iterable[NamedTensor], written: Container[str]) -> None:
    """Check ``_foreach_`` with lists of several devices element by element (the slow path)."""
    columns: dict[str, list[Tensor]] = {}
    for name, tensor in tensors:
        if name != "scalars":  # the host reads these
            columns.setdefault(name, []).append(tensor)
    for row in range(max(map(len, columns.values()), default=0)):
        beside = [(name, column[row % len(column)]) for name, column in columns.items()]
        _check_tensor_iterator(beside, written)


def _check_added_tensor(name: str, tensors: Sequence[NamedTensor]) -> None:
    """Check the tensor of ``_foreach_add``, as in ``ForeachBinaryOpScalarTensor.cu``."""
    (*_, (_, added)), first = tensors, tensors[0][1]
    if added.dtype == first.dtype and added.device != first.device:  # else the slow path
        is_written = name.endswith("_")
        raise RuntimeError(
            f"scalar tensor {'is ' if is_written else ''}expected to be on {first.device} but is "
            f"on {added.device}"
        )


def _check_indexing(tensors: Sequence[NamedTensor], accumulate: bool) -> None:
    device = tensors[0][1].device
    for name, tensor in tensors[1:]:
        if tensor.device == device:
            continue
        if name == "indices" and tensor.device.type != "cpu":
            raise RuntimeError(
                "indices should be either on cpu or on the same device as the indexed tensor "
                f"({device})"
            )
        if name == "values" and tensor.dim():
            if device.type != "cpu" and accumulate:  # then values are sorted by index
                raise RuntimeError(
                    f"expected device {device} but got device {tensor.device} for value tensor"
                )
            _check_tensor_iterator([tensors[0], (name, tensor)], ("self",))


def _check_masked_fill(tensors: Sequence[NamedTensor]) -> None:
    """Check as ``masked_fill__cuda`` of ``ATen/native/cuda/Indexing.cu``; CPU values may join."""
    by_name = dict(tensors)
    self, mask = by_name["self"].device, by_name["mask"].device
    if "value" in by_name and self.type == "cpu":
        raise RuntimeError("masked_fill_: Expected inputs to be on same device")
    if self != mask:
        raise RuntimeError(
            "expected self and mask to be on the same device, but got mask on "
            f"{mask} and self on {self}"
        )


def _check_convolution(tensors: Sequence[NamedTensor]) -> None:
    by_name = dict(tensors)
    x, weight, bias = by_name["input"], by_name["weight"], by_name.get("bias")
    if x.device.type != weight.device.type:
        alternative = " or input should be a MKLDNN tensor and weight is a dense tensor"
        raise RuntimeError(
            f"Input type ({x.type()}) and weight type ({weight.type()}) should be the same"
            + ("" if x.is_cuda else alternative)
        )
    if bias is not None and bias.device.type != x.device.type:
        raise RuntimeError(
            f"Input type ({x.type()}) and bias type ({bias.type()}) should be the same"
        )
    _check_arguments(tensors, "wrapper_CUDA__cudnn_convolution")


def check_devices(
    name: str,
    overload: str,
    tensors: Sequence[NamedTensor],
    written: Iterable[str],
    accumulate: bool = False,
) -> None:
    """Raise the CUDA build's error if an operator must not mix the devices of its tensors.

    Args:
        name: operator name without namespace, such as ``addmm``.
        overload: overload name, may be empty.
        tensors: all tensor arguments with their schema names, lists flattened, in order.
        written: names of the arguments the operator writes to.
        accumulate: whether indexing adds values with the same index, instead of keeping one.

    Raises:
        RuntimeError: the devices differ.
    """
    if name in _ANY_DEVICE:
        return
    written = set(written)
    out = written - {"self"}
    if name.startswith("_foreach_add") and overload == "Tensor":
        _check_added_tensor(name, tensors)
    if name.startswith("_foreach_"):
        _check_lists(tensors, written)
    elif name in _INDEXING:
        _check_indexing(tensors, accumulate)
    elif name in ("masked_fill", "masked_fill_"):
        _check_masked_fill(tensors)
    elif name in _CONVOLUTION:
        _check_convolution(tensors)
    elif (full := _full_name(name, overload)) in (table := _check_table()).without_check:
        if out and full in table.structured - table.iterating:
            _check_out(tensors, out)
        _check_tensor_iterator(tensors, written)
    else:  # the generated code checks out= arguments first
        _check_arguments(
            sorted(tensors, key=lambda pair: pair[0] not in out),
            _method_name(name, overload, bool(out)),
        )
