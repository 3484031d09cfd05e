"""What NCCL takes, and what torch says where it does not.

The rules are those of the methods of ``ProcessGroupNCCL`` in torch 2.13, in their order, with their
texts: tensors first, then the communicator, then types; which operations it has is in
``reductions``. What torch hands to NCCL unseen, which then writes past the memory of a tensor, is
refused here in a sentence of ours.
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


@dataclass(frozen=True)
class Call:
    """One collective: what is written, what is read (or nothing), and the rest that decides."""

    made: Communicators
    first: Any
    second: Any = None
    peer: int | None = None  # nobody in a batch of sends and receives, for which all ranks meet
    bound: torch.device | None = None  # the card that the group was made for

    def connect(self, device: torch.device) -> None:
        """Have a communicator for a card."""
        self.made.connect(device, self.bound)


def _same_sizes(tensors: Sequence[Tensor]) -> bool:
    if not tensors:
        raise RuntimeError("Received an empty list")
    return all(tensor.shape == tensors[0].shape for tensor in tensors)


def _parts(call: Call, parts: Sequence[Tensor], whole: Tensor, what: str) -> None:
    """A list with a part for each rank, whether all have one size or each its own."""
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


def _allreduce(call: Call) -> None:
    tensor = only(call.first)
    if tensor.is_sparse:
        raise RuntimeError(
            "NCCL does not support all_reduce with sparse tensors. Please use dense tensors "
            "instead."
        )
    single(tensor)
    reducible(tensor)
    call.connect(tensor.device)
    reduced(tensor)


def _allreduce_coalesced(call: Call) -> None:
    tensors: Sequence[Tensor] = call.first
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


def _broadcast(call: Call) -> None:
    tensor = only(call.first)
    single(tensor)
    call.connect(tensor.device)
    moved(tensor)


def _reduce(call: Call) -> None:
    _broadcast(call)
    reduced(call.first[0])


def _allgather(call: Call) -> None:
    tensor = only(call.second)
    single(tensor)
    _parts(call, call.first[-1], tensor, "all_gather")


def _reduce_scatter(call: Call) -> None:
    tensor = only(call.first)
    single(tensor)
    reducible(tensor)
    _parts(call, call.second[-1], tensor, "reduce_scatter")
    reduced(tensor)


def _gather_base(call: Call) -> None:
    single(call.second)
    single(call.first)
    if call.second.dtype != call.first.dtype:
        raise TypeError("output tensor must have the same type as input tensor")
    if call.second.numel() * call.made.size != call.first.numel():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    call.connect(call.second.device)
    moved(call.second)
    same_card(call.first, call.second.device)


def _scatter_base(call: Call) -> None:
    if call.second.dtype != call.first.dtype:
        raise TypeError("input tensor must be the same type as the output tensor.")
    if call.second.numel() != call.first.numel() * call.made.size:
        raise ValueError("input tensor must be the same size as output size times world size")
    reducible(call.first)
    call.connect(call.second.device)
    reduced(call.second)
    same_card(call.first, call.second.device)
    raw((call.first, call.second), "reduce_scatter_tensor")


def _gather_many(call: Call) -> None:
    _many(call, "all_gather_into_tensor_coalesced", call.first, call.second)
    for tensor in call.second:
        moved(tensor)


def _scatter_many(call: Call) -> None:
    reducible(call.second[-1])
    _many(call, "reduce_scatter_tensor_coalesced", call.second, call.first)
    for tensor in call.second:
        reduced(tensor)


def _many(call: Call, what: str, large: Sequence[Tensor], small: Sequence[Tensor]) -> None:
    device = call.second[0].device
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


def _alltoall_base(call: Call) -> None:
    single(call.first)
    single(call.second)
    call.connect(call.second.device)
    sent(call.second)
    same_card(call.first, call.second.device)
    if call.first.dtype != call.second.dtype:
        raise undefined(f"all_to_all_single: {call.second.dtype} into {call.first.dtype}")


def _alltoall(call: Call) -> None:
    for tensor in (*call.first, *call.second):
        single(tensor)
        if tensor.device != call.first[0].device:
            raise RuntimeError("Tensors must be on the same device")
    if not len(call.first) == len(call.second) == call.made.size:
        raise undefined(
            f"all_to_all: {len(call.second)} tensors into {len(call.first)} do not fit "
            f"{call.made.size} ranks"
        )
    call.connect(call.second[0].device)
    for tensor in (*call.first, *call.second):
        sent(tensor)


def _gather(call: Call) -> None:
    tensor = only(call.second)
    single(tensor)
    _lists(call, "gather", "output", call.first, tensor)


def _scatter(call: Call) -> None:
    _lists(call, "scatter", "input", call.second, only(call.first))


def _lists(
    call: Call, what: str, which: str, lists: Sequence[Sequence[Tensor]], one: Tensor
) -> None:
    """The list that the root has, with a tensor for each rank."""

    def refuse(text: str) -> NoReturn:
        raise ValueError(f"ProcessGroupNCCL::{what}: {text}")

    tensors = lists[0] if lists else ()
    if lists and len(tensors) != call.made.size:
        refuse(
            f"Incorrect {which} list size {len(tensors)}. {which.capitalize()} list size should be "
            f"{call.made.size}, same as size of the process group."
        )
    for index, tensor in enumerate(tensors):
        if (tensor.dtype, tensor.device.type) != (one.dtype, one.device.type):
            refuse(
                f"invalid tensor type at index {index} (expected {options(one)}, got "
                f"{options(tensor)})"
            )
        if tensor.shape != one.shape:
            refuse(
                f"invalid tensor size at index {index} (expected {list(one.shape)}, got "
                f"{list(tensor.shape)})"
            )
    call.connect(one.device)
    sent(one)
    for tensor in (one, *tensors):
        same_card(tensor, one.device)
    raw((one, *tensors), what)


def _point_to_point(call: Call) -> None:
    tensor = only(call.first)
    sendable(tensor)
    if call.peer is None:
        call.connect(tensor.device)
    else:
        call.made.connect_pair(call.peer, tensor.device, call.bound)
    moved(tensor)


def _barrier(call: Call) -> None:
    """On the card that is named, else on one that was used, else on that of this rank's number."""
    named, made = call.second, call.made
    if named:
        index = named[0]
    elif call.bound is not None:
        index = call.bound.index
    elif made.used:
        index = min(made.used)
    else:
        index = torch.distributed.get_rank() % runtime.ready().device_count
    call.connect(torch.device("cuda", index))


def _never(name: str) -> Callable[[Call], NoReturn]:
    def refuse(call: Call) -> NoReturn:
        raise NotImplementedError(f"ProcessGroupNCCL does not support {name}")

    return refuse


RULES: dict[str, Callable[[Call], None]] = {
    "_allgather_base": _gather_base,
    "_reduce_scatter_base": _scatter_base,
    "allgather": _allgather,
    "allgather_coalesced": _never("allgather_coalesced"),
    "allgather_into_tensor_coalesced": _gather_many,
    "allreduce": _allreduce,
    "allreduce_coalesced": _allreduce_coalesced,
    "alltoall": _alltoall,
    "alltoall_base": _alltoall_base,
    "barrier": _barrier,
    "broadcast": _broadcast,
    "gather": _gather,
    "recv": _point_to_point,
    "recv_any_source": _never("recvAnysource"),
    "reduce": _reduce,
    "reduce_scatter": _reduce_scatter,
    "reduce_scatter_tensor_coalesced": _scatter_many,
    "scatter": _scatter,
    "send": _point_to_point,
}
