"""Specialised kernels: Python functions generated from the schemas of operators.

The general kernel (``boxed``) handles every operator and every kind of call. For common operators
it would spend most of its time on inspecting arguments, although the schema describes them. So a
short function is generated for each operator: take the CPU tensors of the arguments, compute, count
results and time. For an unusual call (different devices, a lazy tensor, a number instead of a
tensor, an active trace, a machine that is off), the general kernel does the whole call.

This is what is generated for ``addmm``::

    def addmm(a0, a1, a2, *rest, **named):
        try:
            c0, d0, n0 = getattr(a0, "_on_cpu", None) or alias(a0)
            c1, d1, n1 = getattr(a1, "_on_cpu", None) or alias(a1)
            c2, d2, n2 = getattr(a2, "_on_cpu", None) or alias(a2)
            if d1 != d0: d0 = common(d0, d1)
            if d2 != d0: d0 = common(d0, d2)
            card = cards[d0]
            result = compute(keys, c0, c1, c2, *rest, **named)
        except unusual:
            pass
        else:
            nbytes = n0 + n1 + n2
            return card.new(result, 'addmm', nbytes, flops(c0, c1, c2, *rest))
        return general(a0, a1, a2, *rest, **named)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch._C import DispatchKey, DispatchKeySet, _len_torch_function_stack
from torch._ops import OpOverload

from .. import runtime
from ..cards import open_cards
from ..retag import forget, new_alias, share_memory
from ..timing import costs
from . import dtypes

CPU_KEYS = DispatchKeySet(DispatchKey.CPU)

_MaybeTensor = TypeVar("_MaybeTensor", Tensor, None)

_NO_TENSOR = -1  # the card number of an argument that is on no card
_NUMBER = -2  # and of a Python number instead of a tensor
# Python binding turns numbers into "wrapped number" tensors for these only
# (torch/csrc/utils/python_arg_parser.cpp: should_allow_numbers_as_tensors).
TAKES_NUMBERS = {"add", "sub", "mul", "div", "floor_divide"}
_TENSOR, _OPTIONAL, _LIST = "Tensor", "Optional[Tensor]", "List[Tensor]"
# Operators with arguments or results that only the general kernel handles.
_TOO_SPECIAL = ("Generator", "Device", "Storage", "Stream", "List[Optional[Tensor]]")
_GENERAL_ONLY = {
    "_foreach_add.Tensor",
    "_foreach_add_.Tensor",
    "_foreach_copy_",
    *costs.SYNCHRONISING,
}
_OTHER_LAYOUTS = ("sparse", "mkldnn", "quantize")


def operator(name: str, namespace: str = "aten") -> OpOverload:
    """The operator of a dispatcher name such as ``add.Tensor``."""
    base, _, overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


def operators_of(key: str) -> set[str]:
    """The aten operators with a kernel for a dispatch key."""
    prefix, names = "aten::", torch._C._dispatch_get_registrations_for_dispatch_key(key)
    return {n.removeprefix(prefix) for n in names if n.startswith(prefix)}


class Unusual(Exception):
    """The call needs the general kernel."""


# IndexError and RuntimeError: the CPU refuses the call, but CUDA may accept it or has another text.
# LookupError also covers a card that is not open.
_UNUSUAL = (Unusual, LookupError, RuntimeError)


def _alias(value: _MaybeTensor) -> tuple[_MaybeTensor, int, int]:
    """CPU tensor, card number and bytes of an argument without a stored alias."""
    if isinstance(value, Tensor):
        if value.is_conj() or value.is_neg():
            raise Unusual
        if value.is_cuda:
            alias = new_alias(value)
            return alias, value.get_device(), alias.nbytes
        if value.dim() == 0 and not value._is_zerotensor():
            return value, _NO_TENSOR, 0
    elif value is None:
        return None, _NO_TENSOR, 0
    raise Unusual


def _aliases(values: Sequence[Tensor]) -> tuple[list[Tensor], int, int]:
    found: list[Tensor] = []
    card, total = _NO_TENSOR, 0
    for value in values:
        alias, index, nbytes = getattr(value, "_on_cpu", None) or _alias(value)
        if index != card:
            if card != _NO_TENSOR:
                raise Unusual
            card = index
        elif index == _NO_TENSOR:
            raise Unusual
        found.append(alias)
        total += nbytes
    return found, card, total


def _alias_or_number(value: Any) -> tuple[Any, int, int]:
    return (value, _NUMBER, 0) if isinstance(value, (int, float, complex)) else _alias(value)


def _common(first: int, second: int) -> int:
    if first == _NO_TENSOR:
        return second
    if second < 0:
        return first
    raise Unusual


def view_kernel(op: OpOverload) -> Callable[..., Any]:
    """The kernel of an operator that only computes sizes and strides: it calls the CPU's."""
    redispatch = op._handle.redispatch_boxed

    def view(*args: Any, **kwargs: Any) -> Any:
        if not open_cards:
            runtime.started()
        return redispatch(CPU_KEYS, *args, **kwargs)

    return view


def in_place_view_kernel(op: OpOverload) -> Callable[..., Any]:
    """The kernel of an operator that changes sizes and strides of its argument in place."""
    redispatch = op._handle.redispatch_boxed

    def view(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        runtime.started()
        forget(self)
        redispatch(CPU_KEYS, self, *args, **kwargs)
        return self

    return view


def specialise(op: OpOverload, general: Callable[..., Any]) -> Callable[..., Any] | None:
    """A kernel for one operator; None if it needs the general one."""
    schema = op._schema
    name = schema.name.removeprefix("aten::")
    types = [str(argument.type) for argument in schema.arguments]
    if {name, f"{name}.{schema.overload_name}"} & _GENERAL_ONLY or any(
        layout in name for layout in _OTHER_LAYOUTS
    ):
        return None
    if any(special in t for t in types for special in _TOO_SPECIAL):
        return None
    positional = [a for a in schema.arguments if not a.kwarg_only]
    if any("Tensor" in t for t in types[len(positional) :]):  # such as out=
        return None
    last = max((k for k, t in enumerate(types) if "Tensor" in t), default=-1)
    ending = _ending(schema, positional)
    if last < 0 or ending is None:
        return None
    required = sum(not a.has_default_value() for a in positional)

    parameters, arguments, lines, tensors = [], [], [], []
    for k in range(last + 1):
        parameters.append(f"a{k}" if k < required else f"a{k}=None")
        if types[k] in (_TENSOR, _OPTIONAL):
            lines.append(f'c{k}, d{k}, n{k} = getattr(a{k}, "_on_cpu", None) or alias(a{k})')
        elif types[k] == _LIST:
            lines.append(f"c{k}, d{k}, n{k} = aliases(a{k})")
        elif "Tensor" in types[k] or k >= required:
            return None
        else:
            arguments.append(f"a{k}")
            continue
        arguments.append(f"c{k}")
        tensors.append(k)
    first, *others = tensors
    writes = types[0] == _TENSOR and positional[0].alias_info is not None
    if writes:
        lines.append(f"if d0 == {_NO_TENSOR}: raise Unusual")  # it is written, but on no card
    lines += [f"if d{k} != d{first}: d{first} = common(d{first}, d{k})" for k in others]
    _, refused = dtypes.REFUSED.get(name.rstrip("_"), ("", frozenset()))
    refused = refused | dtypes.BETTER_WIDER.get(name, frozenset())
    if refused:  # or computed badly
        lines.append("if c0.dtype in refused: raise Unusual")
    if writes:
        lines += [
            f"if d{k} >= 0 and share_memory(a0, a{k}): raise Unusual"
            for k in others
            if types[k] != _LIST
        ]
    passed = ", ".join(arguments)
    flops = f", flops({passed}, *rest)" if name in costs.FLOPS else ""
    same = ", ".join(f"a{k}" for k in range(last + 1))
    body = "\n        ".join(lines)
    # Only torch's own method turns a number into a tensor that does not change the other argument's
    # dtype. It is also faster, if no Python mode is active.
    method = getattr(Tensor, name, None)
    numbers = name.rstrip("_") in TAKES_NUMBERS and last == 1 and method is not None
    calls = f"compute(keys, {passed}, *rest, **named)"
    if numbers:
        calls += f" if d1 != {_NUMBER} and modes() else method({passed}, *rest, **named)"
    source = f"""
def kernel({", ".join(parameters)}, *rest, **named):
    try:
        {body}
        card = cards[d{first}]
        result = {calls}
    except unusual:
        pass  # outside of the handler: an error of the general kernel has nothing to do with it
    else:
        nbytes = {" + ".join(f"n{k}" for k in tensors)}
        {ending.replace("COST", f"{name!r}, nbytes{flops}")}
    return general({same}, *rest, **named)
"""
    names: dict[str, Any] = {
        "alias": _alias_or_number if numbers else _alias,
        "aliases": _aliases,
        "common": _common,
        "cards": open_cards,
        "compute": op._handle.redispatch_boxed,
        "keys": CPU_KEYS,
        "unusual": _UNUSUAL,
        "general": general,
        "flops": costs.FLOPS.get(name),
        "method": method,
        "modes": _len_torch_function_stack,
        "refused": refused,
        "share_memory": share_memory,
        "Unusual": Unusual,
    }
    # With a file name in this package, so that torch.compile skips it.
    exec(compile(source, str(Path(__file__).with_name(f"<{op.name()}>")), "exec"), names)
    return names["kernel"]


def _ending(schema: Any, positional: Sequence[Any]) -> str | None:
    """The last lines of a kernel, for its results; None if it needs the general kernel."""
    types = [str(r.type) for r in schema.returns]
    written = [a.name for a in positional if a.alias_info is not None and a.alias_info.is_write]
    if written:
        if written != [positional[0].name] or types not in ([], [_TENSOR]):
            return None
        # The first argument is read and written.
        answer = "return a0" if types else "return None"
        return f"nbytes += n0; card.run(COST); {answer}"
    if any(r.alias_info is not None for r in schema.returns) or not types:
        return None
    if types == [_TENSOR]:
        return "return card.new(result, COST)"
    if all(t == _TENSOR for t in types):
        return "return tuple(card.new_ones(result, COST))"
    if types == [_LIST]:
        return "return card.new_ones(result, COST)"
    return None
