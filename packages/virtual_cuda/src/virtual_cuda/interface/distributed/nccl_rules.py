"""The arguments that NCCL accepts, and torch's errors for others: ``RULES`` by operation.

The rules, their order and their texts are those of ``ProcessGroupNCCL`` in torch 2.13: tensors
first, then the communicator, then types. The supported reductions are in ``reductions``. If torch
does not check the arguments and NCCL would write outside a tensor, the error text is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import torch
from torch import Tensor

from ... import runtime
from .communicators import Communicators
from .nccl_tensors import (
    ONE_TENSOR,
    is_dense,
    moved,
    on_card,
    only,
    options,
    raw,
    reduced,
    reducible,
    same_card,
    sendable,
    sent,
    single,
    undefined,
)

Tensors = Sequence[Tensor]


@dataclass(frozen=True)
class Call:
    """The facts about a call of an operation in addition to its tensors."""

    made: Communicators
    peer: int | None = None  # None in a batch of sends and receives, which needs all ranks
    bound: torch.device | None = None  # the card that the group was made for

    def connect(self, device: torch.device) -> None:
        """Make sure that there is a communicator for a card."""
        self.made.connect(device, self.bound)


def _same_sizes(tensors: Tensors) -> bool:
    if not tensors:
        raise RuntimeError("Received an empty list")
    return all(tensor.shape == tensors[0].shape for tensor in tensors)


def _parts(call: Call, parts: Tensors, whole: Tensor, what: str) -> None:
    """Check a list with a part for each rank, of equal or different sizes."""
    if _same_sizes(parts):
        call.connect(whole.device if what == "all_gather" else parts[0].device)
        moved(whole)
        same_card(parts[0], whole.device)
        if len(parts) != call.made.size or parts[0].numel() != whole.numel():
            raise undefined(
                f"{what}: {len(parts)} tensors of {parts[0].numel()} elements do not fit "
                f"{call.made.size} ranks with {whole.numel()} each"
            )
        return
    own = parts[call.made.rank] if call.made.rank < len(parts) else whole
    if own.numel() != whole.numel():
        oop = "_broadcast_oop" if what == "all_gather" else "_reduce_oop"
        raise ValueError(f"Tensor input and output of {oop} must have the same number of elements ")
    if len({part.device for part in parts}) > 1:
        raise RuntimeError(ONE_TENSOR)
    call.connect(parts[0].device)
    moved(whole)
    if len(parts) != call.made.size:
        raise undefined(f"{what}: {len(parts)} tensors do not fit {call.made.size} ranks")


def _allreduce(call: Call, tensor: Tensor) -> None:
    if tensor.is_sparse:
        raise RuntimeError(
            "NCCL does not support all_reduce with sparse tensors. Please use dense tensors "
            "instead."
        )
    single(tensor)
    reducible(tensor)
    call.connect(tensor.device)
    reduced(tensor)


def _allreduce_coalesced(call: Call, tensors: Tensors) -> None:
    if not tensors:
        raise ValueError("Tensor list must be nonempty")
    for tensor in tensors:
        on_card(tensor)
        if tensor.dtype != tensors[0].dtype:
            raise TypeError("Tensors must have identical type")
        if not is_dense(tensor):
            raise ValueError("Tensors must be non-overlapping and dense")
        if tensor.device != tensors[0].device:
            raise ValueError("Expected list of tensors on the same device")
    reducible(tensors[-1])
    call.connect(tensors[0].device)
    for tensor in tensors:
        reduced(tensor)


def _broadcast(call: Call, tensor: Tensor) -> None:
    single(tensor)
    call.connect(tensor.device)
    moved(tensor)


def _reduce(call: Call, tensor: Tensor) -> None:
    _broadcast(call, tensor)
    reduced(tensor)


def _allgather(call: Call, outputs: Sequence[Tensors], tensor: Tensor) -> None:
    single(tensor)
    _parts(call, outputs[-1], tensor, "all_gather")


def _reduce_scatter(call: Call, tensor: Tensor, inputs: Sequence[Tensors]) -> None:
    single(tensor)
    reducible(tensor)
    _parts(call, inputs[-1], tensor, "reduce_scatter")
    reduced(tensor)


def _allgather_base(call: Call, output: Tensor, input: Tensor) -> None:
    single(input)
    single(output)
    if input.dtype != output.dtype:
        raise TypeError("output tensor must have the same type as input tensor")
    if input.numel() * call.made.size != output.numel():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    call.connect(input.device)
    moved(input)
    same_card(output, input.device)


def _reduce_scatter_base(call: Call, output: Tensor, input: Tensor) -> None:
    if input.dtype != output.dtype:
        raise TypeError("input tensor must be the same type as the output tensor.")
    if input.numel() != output.numel() * call.made.size:
        raise ValueError("input tensor must be the same size as output size times world size")
    reducible(output)
    call.connect(input.device)
    reduced(input)
    same_card(output, input.device)
    raw((output, input), "reduce_scatter_tensor")


def _allgather_into_many(call: Call, outputs: Tensors, inputs: Tensors) -> None:
    _many(call, "all_gather_into_tensor_coalesced", inputs[0].device, outputs, inputs)
    for tensor in inputs:
        moved(tensor)


def _reduce_scatter_many(call: Call, outputs: Tensors, inputs: Tensors) -> None:
    reducible(inputs[-1])
    _many(call, "reduce_scatter_tensor_coalesced", inputs[0].device, inputs, outputs)
    for tensor in inputs:
        reduced(tensor)


def _many(call: Call, what: str, device: torch.device, large: Tensors, small: Tensors) -> None:
    call.connect(device)
    for whole, part in zip(large, small, strict=True):
        same_card(whole, device)
        same_card(part, device)
        if whole.numel() != part.numel() * call.made.size or whole.dtype != part.dtype:
            raise undefined(
                f"{what}: {whole.numel()} elements of {whole.dtype} do not fit "
                f"{call.made.size} times {part.numel()} of {part.dtype}"
            )
    raw((*large, *small), what)


def _alltoall_base(call: Call, output: Tensor, input: Tensor) -> None:
    single(output)
    single(input)
    call.connect(input.device)
    sent(input)
    same_card(output, input.device)
    if output.dtype != input.dtype:
        raise undefined(f"all_to_all_single: {input.dtype} into {output.dtype}")


def _alltoall(call: Call, outputs: Tensors, inputs: Tensors) -> None:
    for tensor in (*outputs, *inputs):
        single(tensor)
        if tensor.device != outputs[0].device:
            raise RuntimeError("Tensors must be on the same device")
    if not len(outputs) == len(inputs) == call.made.size:
        raise undefined(
            f"all_to_all: {len(inputs)} tensors into {len(outputs)} do not fit "
            f"{call.made.size} ranks"
        )
    call.connect(inputs[0].device)
    for tensor in (*outputs, *inputs):
        sent(tensor)


def _gather(call: Call, outputs: Sequence[Tensors], tensor: Tensor) -> None:
    single(tensor)
    _roots_list(call, "gather", "output", outputs, tensor)


def _scatter(call: Call, tensor: Tensor, inputs: Sequence[Tensors]) -> None:
    _roots_list(call, "scatter", "input", inputs, tensor)


def _roots_list(call: Call, what: str, which: str, lists: Sequence[Tensors], one: Tensor) -> None:
    """Check the list that only the root passes, with a tensor for each rank."""
    where = f"ProcessGroupNCCL::{what}:"
    tensors = lists[0] if lists else ()
    if lists and len(tensors) != call.made.size:
        raise ValueError(
            f"{where} Incorrect {which} list size {len(tensors)}. {which.capitalize()} list size "
            f"should be {call.made.size}, same as size of the process group."
        )
    for index, tensor in enumerate(tensors):
        if (tensor.dtype, tensor.device.type) != (one.dtype, one.device.type):
            raise ValueError(
                f"{where} invalid tensor type at index {index} (expected {options(one)}, got "
                f"{options(tensor)})"
            )
        if tensor.shape != one.shape:
            raise ValueError(
                f"{where} invalid tensor size at index {index} (expected {list(one.shape)}, got "
                f"{list(tensor.shape)})"
            )
    call.connect(one.device)
    sent(one)
    for tensor in tensors:
        same_card(tensor, one.device)
    raw((one, *tensors), what)


def _point_to_point(call: Call, tensor: Tensor) -> None:
    sendable(tensor)
    if call.peer is None:
        call.connect(tensor.device)
    else:
        call.made.connect_pair(call.peer, tensor.device, call.bound)
    moved(tensor)


def _barrier(call: Call, tensor: Tensor, named: Sequence[int] = ()) -> None:
    """Check a barrier: on the named card, else on a used card, else on the card of this rank."""
    if named:
        index = named[0]
    elif call.bound is not None:
        index = call.bound.index
    elif call.made.used:
        index = min(call.made.used)
    else:
        index = torch.distributed.get_rank() % runtime.ready().device_count
    call.connect(torch.device("cuda", index))


def _never(name: str) -> Callable[..., NoReturn]:
    def refuse(call: Call, *tensors: Any) -> NoReturn:
        raise NotImplementedError(f"ProcessGroupNCCL does not support {name}")

    return refuse


def _as_it_is(value: Any) -> Any:
    return value


def _one(value: Tensor | Tensors) -> Tensor:
    """The only tensor of a list; a backend's methods also accept the tensor itself."""
    return only(_list(value))


def _list(value: Tensor | Tensors) -> Tensors:
    return [value] if isinstance(value, Tensor) else value


def _lists(value: Tensors | Sequence[Tensors]) -> Any:
    """A list for each tensor; a backend's methods also accept the only list itself."""
    return [value] if value and isinstance(value[0], Tensor) else value


@dataclass(frozen=True)
class Rule:
    """The check of an operation, and how to read its arguments: first the written ones."""

    check: Callable[..., None]
    read: tuple[Callable[[Any], Any], ...]

    def apply(self, call: Call, values: Sequence[Any]) -> None:
        """Raise torch's error if NCCL refuses the tensors and lists of a call."""
        read = zip(self.read, values, strict=False)
        self.check(call, *(as_asked(value) for as_asked, value in read))


RULES: dict[str, Rule] = {
    "_allgather_base": Rule(_allgather_base, (_as_it_is, _as_it_is)),
    "_reduce_scatter_base": Rule(_reduce_scatter_base, (_as_it_is, _as_it_is)),
    "allgather": Rule(_allgather, (_lists, _one)),
    "allgather_coalesced": Rule(_never("allgather_coalesced"), ()),
    "allgather_into_tensor_coalesced": Rule(_allgather_into_many, (_list, _list)),
    "allreduce": Rule(_allreduce, (_one,)),
    "allreduce_coalesced": Rule(_allreduce_coalesced, (_list,)),
    "alltoall": Rule(_alltoall, (_list, _list)),
    "alltoall_base": Rule(_alltoall_base, (_as_it_is, _as_it_is)),
    "barrier": Rule(_barrier, (_as_it_is, _as_it_is)),
    "broadcast": Rule(_broadcast, (_one,)),
    "gather": Rule(_gather, (_lists, _one)),
    "recv": Rule(_point_to_point, (_one,)),
    "recv_any_source": Rule(_never("recvAnysource"), ()),
    "reduce": Rule(_reduce, (_one,)),
    "reduce_scatter": Rule(_reduce_scatter, (_one, _lists)),
    "reduce_scatter_tensor_coalesced": Rule(_reduce_scatter_many, (_list, _list)),
    "scatter": Rule(_scatter, (_one, _lists)),
    "send": Rule(_point_to_point, (_one,)),
}
