"""The same-device rule: which operator accepts tensors of several devices, and what it says.

ATen knows two general rules. Operators marked ``device_check: NoCheck`` check inside
TensorIterator, where 0-dimensional CPU tensors may join. All others are checked by generated code
before the kernel, which names the argument. Which operator follows which rule is read from
``native_functions.yaml``, which torch ships with torchgen. Indexing and convolution have rules of
their own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

import torch
from torch import Tensor

NamedTensor = tuple[str, Tensor]

_INDEXING = {
    "index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index", "_unsafe_index_put",
}  # fmt: skip
_CONVOLUTION = {"convolution", "_convolution", "convolution_overrideable"}
# CTC loss wants its lengths on the CPU, whatever the device of the rest.
_ANY_DEVICE = {"copy_", "_copy_from", "_to_copy", "_ctc_loss", "_ctc_loss_backward"}


@dataclass(frozen=True)
class _CheckTable:
    """Operator names (with overload) of native_functions.yaml, by how they are checked."""

    without_check: frozenset[str]
    structured: frozenset[str]


@functools.cache
def _check_table() -> _CheckTable:
    source = resources.files("torchgen") / "packaged/ATen/native/native_functions.yaml"
    without_check, structured = set(), set()
    for entry in source.read_text(encoding="utf-8").split("\n- func: ")[1:]:
        name = entry.split("(", 1)[0].strip()
        if re.search(r"^  device_check: *NoCheck", entry, re.MULTILINE):
            without_check.add(name)
        if re.search(r"^  structured(_delegate)?:", entry, re.MULTILINE):
            structured.add(name)
    return _CheckTable(frozenset(without_check), frozenset(structured))


def _method_name(name: str, overload: str) -> str:
    """What the generated wrapper of an operator is called (torchgen's register_dispatch_key.py)."""
    full = f"{name}.{overload}" if overload else name
    if full not in _check_table().structured:
        return f"wrapper_CUDA_{overload}_{name}"
    if overload in ("", "out"):
        return f"wrapper_CUDA_{name}"
    return f"wrapper_CUDA_{name}_{overload}"


def _named_argument_error(name: str, tensor: Tensor, others: torch.device, method: str) -> None:
    raise RuntimeError(
        f"Expected all tensors to be on the same device, but got {name} is on {tensor.device}, "
        f"different from other tensors on {others} "
        f"(when checking argument in method {method})"
    )


def _check_tensor_iterator(outputs: Sequence[NamedTensor], inputs: Sequence[NamedTensor]) -> None:
    common = next(t.device for _, t in [*outputs, *inputs] if t.device.type != "cpu")
    for is_output, group in ((True, outputs), (False, inputs)):
        for _, tensor in group:
            joins = tensor.device.type == "cpu" and tensor.dim() == 0 and not is_output
            if tensor.device != common and not joins:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two "
                    f"devices, {common} and {tensor.device}!"
                )


def _check_arguments(tensors: Iterable[NamedTensor], method: str) -> None:
    common: torch.device | None = None
    for name, tensor in tensors:
        common = common or tensor.device
        if tensor.device != common:
            _named_argument_error(name, tensor, common, method)


def _check_indexing(tensors: Sequence[NamedTensor], method: str) -> None:
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
            _named_argument_error(name, tensor, device, method)


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
    name: str, overload: str, tensors: Sequence[NamedTensor], written: Iterable[str]
) -> None:
    """Raise what CUDA's build raises if an operator may not mix the devices of its tensors.

    Args:
        name: operator name without namespace, such as ``addmm``.
        overload: overload name, may be empty.
        tensors: all tensor arguments with their schema names, lists flattened, in order.
        written: names of the arguments the operator writes to.
    """
    if name in _ANY_DEVICE or name.startswith("_foreach_"):
        return
    method = _method_name(name, overload)
    written = set(written)
    if name in _INDEXING:
        _check_indexing(tensors, method)
    elif name in _CONVOLUTION:
        _check_convolution(tensors)
    elif (f"{name}.{overload}" if overload else name) in _check_table().without_check:
        outputs = [pair for pair in tensors if pair[0] in written]
        _check_tensor_iterator(outputs, [pair for pair in tensors if pair[0] not in written])
    else:
        out = written - {"self"}  # the generated code looks at out= arguments first
        _check_arguments(sorted(tensors, key=lambda pair: pair[0] not in out), method)
