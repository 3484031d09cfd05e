"""The boxed kernel of an operator for the CUDA dispatch key, which calls the CPU's kernel.

Every operator with a CPU kernel gets one (``registration``). A view is called unchanged, because it
only computes sizes and strides. Otherwise: tensors become CPU aliases, devices are checked, the
card's generator is inserted, the CPU operator runs, its new results are retagged and counted, and
its time is booked. ``specialise`` makes shorter kernels for the usual calls of common operators.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import torch
from torch import SymInt, Tensor
from torch._ops import OpOverload

from .. import errors, random, runtime
from ..cards import open_cards, open_to_all
from ..retag import OverlappingAliases, cpu_alias, forget, is_lazy, tensors_in
from ..timing import costs
from . import copy_on_write, deterministic, division, dtypes, tf32
from .device_rules import check_devices, named_tensors
from .specialise import (
    CPU_KEYS,
    TAKES_NUMBERS,
    operator,
    specialise,
    view_kernel,
)

Kernel = Callable[..., Any]

_CPU = torch.device("cpu")

# Errors of the CPU for which a CUDA kernel has a device-side assertion.
_ASSERTED = re.compile(
    r"(?i)\bindex -?\d+ is out of bounds|^index out of range in self|tried to access index|"
    r"^target.* out of (bounds|range)|not in the valid range|^Found an invalid max index|"
    r"^invalid (multinomial distribution|Poisson rate)|^repeats can not be negative|"
    r"^all elements of (input|target) should be between 0 and 1|"
    r"^Expected Tensor with single nonzero value"
)
_CANNOT_GROW = "resize storage that is not resizable"


def place(result: Tensor, index: int) -> Tensor:
    """A fresh CPU tensor as a tensor on ``cuda:index``, with its memory counted."""
    state = runtime.ready()
    return state.card(index).place(result)


def set_layout(tensor: Tensor, storage: Any, offset: int | SymInt, size: Any, stride: Any) -> None:
    """Set storage, offset, sizes and strides of a virtual tensor, without checks."""
    forget(tensor)
    torch.ops.aten.set_.source_Storage_storage_offset.redispatch(
        CPU_KEYS, tensor, storage, offset, size, stride
    )


def adopt(tensor: Tensor, content: Tensor) -> None:
    """Give a virtual tensor the shape and bytes of a fresh CPU tensor."""
    new = place(content, tensor.get_device())
    set_layout(tensor, new.untyped_storage(), new.storage_offset(), new.size(), new.stride())


class _Conversion:
    """The conversion of a call's arguments for the CPU, with facts found on the way."""

    __slots__ = ("alias", "index", "lazy", "mixed", "tensors")

    def __init__(self, alias: Callable[[Tensor], Tensor]) -> None:
        self.alias = alias
        self.index = -1
        self.mixed = False
        self.lazy = False
        self.tensors: list[Tensor] = []  # tensors of cards

    def to_cpu(self, value: Any) -> Any:
        """An argument for the CPU's kernel, with CPU aliases for tensors of cards."""
        if isinstance(value, Tensor):
            self.lazy = self.lazy or is_lazy(value)
            if not value.is_cuda:
                self.mixed = True
                return value
            self.tensors.append(value)
            index = value.get_device()
            if self.index < 0:
                self.index = index
            elif self.index != index:
                self.mixed = True
            return self.alias(value)
        if isinstance(value, (list, tuple)):
            if value and not isinstance(value[0], (int, float)):
                return [self.to_cpu(item) for item in value]
            return value
        if isinstance(value, torch.device) and value.type == "cuda":
            self.index = runtime.ready().check(runtime.resolve(value).index)
            return _CPU
        return value


class BoxedKernel:
    """The CUDA kernel of one operator. The schema is read at the first call.

    ``compute`` computes an operator that the CPU does not have. Its arguments are a function that
    draws from the card's generator, then the operator's arguments, on the CPU.
    """

    __slots__ = (
        "_arguments",
        "_call",
        "_compute_instead",
        "_generator",
        "_name",
        "_number_positions",
        "_op",
        "_out",
        "_overload",
        "_redispatch",
        "_returns",
        "_written",
        "operator",
    )

    def __init__(self, op: OpOverload | str, compute: Kernel | None = None) -> None:
        self._op = op  # first only its name, because lookups are slower than registrations
        self._compute_instead = compute
        self._call: Kernel = self._first_call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the operator, as the dispatcher does."""
        return self._call(*args, **kwargs)

    def made_to_measure(self) -> Kernel:
        """The fastest function for all calls of this operator."""
        if self._call == self._first_call:
            self._read_schema()
            self._call = self._choose()
        return self._call

    def _first_call(self, *args: Any, **kwargs: Any) -> Any:
        return self.made_to_measure()(*args, **kwargs)

    def _choose(self) -> Kernel:
        returns = self.operator._schema.returns
        if any(r.alias_info is not None and not r.alias_info.is_write for r in returns):
            return view_kernel(self.operator)
        if self._compute_instead is not None:
            return self.general
        if not _can_be_computed(self.operator):
            return self._refuse
        return specialise(self.operator, self.general) or self.general

    def _read_schema(self) -> None:
        self.operator = operator(self._op) if isinstance(self._op, str) else self._op
        schema = self.operator._schema
        arguments, returns = schema.arguments, schema.returns
        self._name, self._overload = schema.name.split("::")[1], schema.overload_name
        self._arguments = [argument.name for argument in arguments]
        self._redispatch = self.operator._handle.redispatch_boxed
        self._generator = next((a.name for a in arguments if "Generator" in str(a.type)), None)
        self._number_positions = (
            ()
            if self._name.rstrip("_") in TAKES_NUMBERS
            else tuple(k for k, a in enumerate(arguments) if str(a.type) == "Tensor")
        )
        written = {
            a.name: a.alias_info
            for a in arguments
            if a.alias_info is not None and a.alias_info.is_write
        }
        self._written = list(written)
        self._out = [a.name for a in arguments if a.kwarg_only and a.name in written]
        # For each result: the name of the argument that it is, or None for a new one.
        self._returns = [
            next(
                (
                    name
                    for name, alias_info in written.items()
                    if r.alias_info is not None and alias_info.before_set == r.alias_info.before_set
                ),
                None,
            )
            for r in returns
        ]

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        runtime.ready()
        raise errors.no_kernel(self.operator.name())

    def general(self, *args: Any, **kwargs: Any) -> Any:
        """The result of a call of the operator, with any arguments."""
        state = runtime.ready()
        if deterministic.is_on():
            deterministic.check(self._name, args)
        elif not (open_cards or state.clock.trace or copy_on_write.are_alive() or tf32.is_on()):
            open_to_all(state.cards)
        named = named_tensors([*zip(self._arguments, args, strict=False), *kwargs.items()])
        if self._written and copy_on_write.are_alive():
            copy_on_write.materialise(t for name, t in named if name in self._written and t.is_cuda)
        conversion = _Conversion(
            OverlappingAliases([t for _, t in named if t.is_cuda]) if self._written else cpu_alias
        )
        cpu_args = [conversion.to_cpu(value) for value in args]
        cpu_kwargs = {name: conversion.to_cpu(value) for name, value in kwargs.items()}
        index = conversion.index if conversion.index >= 0 else runtime.current_device()
        if conversion.mixed:
            adds = "accumulate" in self._arguments and self._argument("accumulate", args, kwargs)
            check_devices(self._name, self._overload, named, self._written, bool(adds))
        dtypes.check(self._name, conversion.tensors)
        card = state.card(index)
        if self._generator is not None:
            tensors = conversion.tensors
            draws = not tensors or any(tensor.numel() for tensor in tensors)
            self._put_generator(state.generators[index], draws, cpu_args, cpu_kwargs)
        outs = {name: kwargs[name] for name in self._out if isinstance(kwargs.get(name), Tensor)}
        result = self._compute(conversion, cpu_args, cpu_kwargs, outs)
        for name, out in outs.items():
            _hand_over(cpu_kwargs[name], out)
        changed = [tensor for name, tensor in named if name in self._written]
        rewritten = changed if not self._out else []
        fresh = list(tensors_in(result)) if None in self._returns else []
        flops = costs.FLOPS.get(self._name)
        card.run(
            self._name,
            sum(tensor.nbytes for tensor in (*conversion.tensors, *rewritten, *fresh)),
            flops(*args) if flops is not None and not kwargs else 0,
        )
        results = self._results(result, index, args, kwargs)
        if state.clock.trace is not None:
            state.clock.trace.touch(
                card.clock.lane, conversion.tensors, [*changed, *tensors_in(results)]
            )
        if self._name in costs.SYNCHRONISING:
            state.clock.wait_for(card.clock.lane)
        return results

    def _compute(
        self, conversion: _Conversion, args: list[Any], kwargs: Any, outs: dict[str, Tensor]
    ) -> Any:
        """The result of the CPU. Its errors get CUDA's texts."""
        numbers = tuple(
            k
            for k in self._number_positions
            if k < len(args) and isinstance(args[k], (int, float, complex))
        )
        call: Kernel
        if self._compute_instead is not None:
            own = runtime.ready().generators[max(conversion.index, 0)]
            call = functools.partial(self._compute_instead, functools.partial(random.draw, own))
        elif numbers:
            call = _for_numbers(self.operator, numbers)
        elif conversion.lazy or self._name.rstrip("_") in TAKES_NUMBERS:
            call = self.operator
        else:  # below autocast and the CPU's modes, which do not apply to this call
            call = functools.partial(self._redispatch, CPU_KEYS)
        if self._name in tf32.FACTORS and tf32.is_on():
            card = max(conversion.index, 0)
            if runtime.ready().profile(card).capability >= tf32.FIRST:
                tf32.round_factors(self._name, args)
        if not outs and dtypes.is_better_wider(self._name, conversion.tensors):
            return dtypes.widened(self._name, call, args, kwargs)
        try:
            try:  # into the memory of out= itself, so that overlaps with arguments are detected
                kwargs.update((name, conversion.alias(out).detach()) for name, out in outs.items())
                return call(*args, **kwargs)
            except RuntimeError as error:
                if not outs or _CANNOT_GROW not in str(error):
                    raise
            # DLPack memory cannot grow: compute results separately, then copy them.
            kwargs.update(_apart(outs))
            return call(*args, **kwargs)
        except (IndexError, RuntimeError) as error:
            if _ASSERTED.search(str(error)):
                raise runtime.ready().kernel_asserted() from None
            if division.is_refusal(error):
                return division.divide(call, args, kwargs)
            if not dtypes.is_refusal(error):
                raise
            result = None
            if outs or not self._written:
                kwargs.update(_apart(outs))
                result = dtypes.widened(self._name, call, args, kwargs)
            if result is None:
                raise dtypes.in_words_of_cuda(error) from None
            if outs:
                kwargs.update(zip(outs, result if len(outs) > 1 else [result], strict=True))
            return result

    def _argument(self, name: str, args: Sequence[Any], kwargs: Any) -> Any:
        """An argument of a call; None if missing."""
        position = self._arguments.index(name)
        return args[position] if position < len(args) else kwargs.get(name)

    def _put_generator(
        self, own: random.CudaGenerator, draws: bool, args: list[Any], kwargs: Any
    ) -> None:
        assert self._generator is not None
        position = self._arguments.index(self._generator)
        given = self._argument(self._generator, args, kwargs)
        if given is None:
            given = own
        elif not random.is_virtual(given):
            raise RuntimeError("Expected a 'cuda' device type for generator but found 'cpu'")
        given = random.draw(given, draws)
        if position < len(args):
            args[position] = given
        else:
            kwargs[self._generator] = given

    def _results(self, result: Any, index: int, args: Any, kwargs: Any) -> Any:
        if not self._returns:
            return None
        if len(self._returns) == 1:
            return self._result(result, self._returns[0], index, args, kwargs)
        return tuple(
            self._result(item, name, index, args, kwargs)
            for item, name in zip(result, self._returns, strict=True)
        )

    def _result(self, item: Any, name: str | None, index: int, args: Any, kwargs: Any) -> Any:
        if name is not None:
            return kwargs[name] if name in kwargs else args[self._arguments.index(name)]
        if isinstance(item, Tensor):
            return place(item, index)
        if isinstance(item, (list, tuple)):
            if self._name.startswith("_foreach_"):  # each result is on the card of its operand
                operands = next(value for value in args if isinstance(value, (list, tuple)))
                return [
                    place(one, operand.get_device()) if operand.is_cuda else one
                    for one, operand in zip(item, operands, strict=True)
                ]
            return [place(one, index) if isinstance(one, Tensor) else one for one in item]
        return item


def _can_be_computed(op: OpOverload) -> bool:
    """Whether the CPU has a kernel for an operator, by torch's own tables."""
    return torch._C._dispatch_has_computed_kernel_for_dispatch_key(op.name(), "CPU")


@functools.cache
def _for_numbers(op: OpOverload, positions: tuple[int, ...]) -> OpOverload:
    """The overload of an operator with numbers instead of tensors at some positions.

    A tensor made from a number does not change the dtype of the other argument. C++ marks it, and
    Python gets it as a number. The overload for numbers makes such a tensor again. The operators in
    ``TAKES_NUMBERS`` do this themselves.
    """
    arguments = op._schema.arguments
    wanted = ["number" if k in positions else str(a.type) for k, a in enumerate(arguments)]
    packet = op.overloadpacket
    for overload in (getattr(packet, name) for name in packet.overloads()):
        if [str(argument.type) for argument in overload._schema.arguments] == wanted:
            return overload
    raise NotImplementedError(f"{op} takes no numbers")


def _apart(outs: dict[str, Tensor]) -> dict[str, Tensor]:
    """New CPU tensors for results, instead of those passed as ``out=``."""
    return {name: torch.empty(0, dtype=out.dtype) for name, out in outs.items()}


def _hand_over(content: Tensor, out: Tensor) -> None:
    """Move the result of a CPU operator to the virtual tensor passed as ``out=``."""
    # Compare addresses of first elements: ``out`` may begin inside a storage.
    if content.numel() and content.data_ptr() != out.data_ptr():
        storage, first = out.untyped_storage(), out.storage_offset()
        if (first + content.numel()) * content.element_size() > storage.nbytes():
            adopt(out, content)
        else:  # a part of a tensor, such as an empty view, that grows within its storage
            set_layout(out, storage, first, content.size(), content.stride())
            cpu_alias(out).copy_(content)
    elif content.shape != out.shape:  # it was resized within its memory
        set_layout(
            out, out.untyped_storage(), out.storage_offset(), content.size(), content.stride()
        )
