"""Moving tensors: every way to say where, and what the moved tensor is."""

from __future__ import annotations

import torch
from torch import nn

from ..registry import Devices, Facts, close, places, program, refused
from .current_device import INVALID_ORDINAL, ORDINAL_SOURCE

TO = "torch/_tensor_docs.py `to`"

FORMS = {
    "text": lambda x, d: x.to(str(d)),
    "device": lambda x, d: x.to(d),
    "keyword": lambda x, d: x.to(device=d),
    "device and dtype": lambda x, d: x.to(d, torch.float32),
    "other tensor": lambda x, d: x.to(torch.empty(0, device=d)),
    "non_blocking": lambda x, d: x.to(d, non_blocking=True),
    "copy": lambda x, d: x.to(d, copy=True),
    "number": lambda x, d: x.to(d.index),
    "cuda()": lambda x, d: x.cuda(),
    "cuda(number)": lambda x, d: x.cuda(d.index),
    "cuda(device=)": lambda x, d: x.cuda(device=d),
}


@program({name: ["cuda:0", "Tensor", True] for name in FORMS}, source=TO)
def every_form(devices: Devices) -> Facts:
    """All ways to move give a plain tensor on the card, with the same values."""
    x = torch.arange(6.0).view(2, 3)
    moved = {name: move(x, devices[0]) for name, move in FORMS.items()}
    return {
        name: [y.device, type(y).__name__, torch.equal(y.cpu(), x)] for name, y in moved.items()
    }


@program(
    {"to": True, "to_text": True, "to_dtype": True, "cuda": True, "cpu": True, "copy": False},
    source="ERRATA E02; " + TO,
)
def nothing_to_do(devices: Devices) -> Facts:
    """Where nothing changes the tensor itself comes back, unless a copy is asked for."""
    x, host = torch.ones(2, device=devices[0]), torch.ones(2)
    return {
        "to": x.to(devices[0]) is x,
        "to_text": x.to(str(devices[0])) is x,
        "to_dtype": x.to(torch.float32) is x,
        "cuda": x.cuda() is x,
        "cpu": host.cpu() is host and host.to("cpu") is host,
        "copy": x.to(devices[0], copy=True) is x,
    }


@program({"same_object": False, "source": "cpu", "source_values": [1.0, 1.0]}, source=TO)
def the_source_stays(devices: Devices) -> Facts:
    """Moving leaves the source where and as it was."""
    x = torch.ones(2)
    y = x.to(devices[0])
    y.add_(1)
    return {"same_object": y is x, "source": x.device, "source_values": x.tolist()}


@program(
    {"place": "cuda:0", "dtype": "torch.float64", "both": ["cuda:0", "torch.int32"]}, source=TO
)
def dtypes_travel_apart(devices: Devices) -> Facts:
    """A dtype alone does not change the device."""
    x = torch.ones(2, device=devices[0])
    double, both = x.to(torch.float64), torch.ones(2).to(devices[0], torch.int32)
    return {"place": double.device, "dtype": double.dtype, "both": [both.device, both.dtype]}


@program({"is_cuda": [True, False], "get_device": [0, -1], "is_cpu": [False, True]}, source=TO)
def attributes(devices: Devices) -> Facts:
    """What a tensor says about its place."""
    both = torch.ones(1, device=devices[0]), torch.ones(1)
    return {
        "is_cuda": [x.is_cuda for x in both],
        "get_device": [x.get_device() for x in both],
        "is_cpu": [x.is_cpu for x in both],
    }


@program({"places": ["cuda:1", "cuda:0"], "equal": True, "same_object": True}, devices=2, source=TO)
def between_cards(devices: Devices) -> Facts:
    """From card to card; ``cuda(1)`` of a tensor on card 1 is the tensor."""
    x = torch.arange(4.0, device=devices[0])
    y = x.cuda(1)
    return {
        "places": places(y, x),
        "equal": torch.equal(x.cpu(), y.cpu()),
        "same_object": y.cuda(1) is y,
    }


@program(
    {"is_leaf": False, "requires_grad": True, "grad_fn": "ToCopyBackward0"}, source="ERRATA E12"
)
def a_moved_leaf_is_no_leaf(devices: Devices) -> Facts:
    """Moving is an operation of autograd."""
    moved = torch.ones(2, requires_grad=True).to(devices[0])
    return {
        "is_leaf": moved.is_leaf,
        "requires_grad": moved.requires_grad,
        "grad_fn": type(moved.grad_fn).__name__,
    }


@program({"type": "Tensor", "is_parameter": False, "is_leaf": False}, source=TO)
def a_moved_parameter_is_a_tensor(devices: Devices) -> Facts:
    """``Parameter.to`` gives a plain tensor."""
    moved = nn.Parameter(torch.ones(1)).to(devices[0])
    return {
        "type": type(moved).__name__,
        "is_parameter": isinstance(moved, nn.Parameter),
        "is_leaf": moved.is_leaf,
    }


@program(
    {
        "transposed": [1, 3],
        "channels_last": [48, 1, 12, 3],
        "contiguous": [2, 1],
        "expanded": [4, 1],
    },
    source="aten/src/ATen/native/TensorConversions.cpp: preserve_format",
)
def strides_travel(devices: Devices) -> Facts:
    """Dense layouts survive the move, overlapping ones become contiguous."""
    image = torch.ones(1, 3, 4, 4).to(memory_format=torch.channels_last)
    x = torch.ones(2, 3)
    return {
        "transposed": x.t().to(devices[0]).stride(),
        "channels_last": image.to(devices[0]).stride(),
        "contiguous": x.t().contiguous().to(devices[0]).stride(),
        "expanded": torch.ones(3, 1).expand(3, 4).to(devices[0]).stride(),
    }


@program({"bytes": 8, "offset": 0, "values": [2.0, 3.0]}, source=TO)
def a_view_travels_alone(devices: Devices) -> Facts:
    """Moving a view moves its elements, not the storage behind it."""
    y = torch.arange(10.0)[2:4].to(devices[0])
    return {
        "bytes": y.untyped_storage().nbytes(),
        "offset": y.storage_offset(),
        "values": y.tolist(),
    }


@program({"close": True, "dtype": "torch.complex64", "is_conj": [False, True]}, source=TO)
def complex_views(devices: Devices) -> Facts:
    """Conjugated views keep their values on the way."""
    z = torch.tensor([1 + 2j, 3 - 1j])
    moved, on_card = z.conj().to(devices[0]), z.to(devices[0]).conj()
    return {
        "close": torch.equal(moved.cpu(), z.conj().resolve_conj())
        and torch.equal(on_card.cpu(), z.conj()),
        "dtype": moved.dtype,
        "is_conj": [z.is_conj(), on_card.is_conj()],
    }


@program({"card": [0.0, 1.0], "cpu": [5.0, 5.0]}, source="torch.Tensor.copy_ docs")
def copy_crosses(devices: Devices) -> Facts:
    """``copy_`` is the operation that may cross devices, both ways."""
    card, host = torch.full((2,), 5.0, device=devices[0]), torch.arange(2.0)
    received = torch.empty(2)
    received.copy_(card)
    card.copy_(host)
    return {"card": card.tolist(), "cpu": received.tolist()}


@program(
    {"values": [0, 1], "dtype": "torch.int64", "broadcast": [[1.0, 1.0], [1.0, 1.0]]},
    source="torch.Tensor.copy_ docs",
)
def copy_converts(devices: Devices) -> Facts:
    """``copy_`` converts dtypes and broadcasts across devices."""
    target = torch.empty(2, dtype=torch.int64, device=devices[0])
    target.copy_(torch.tensor([0.9, 1.9]))
    wide = torch.empty(2, 2, device=devices[0]).copy_(torch.ones(2))
    return {"values": target.tolist(), "dtype": target.dtype, "broadcast": wide.tolist()}


@program({"close": True}, source="tutorial pinmem_nonblock: synchronize before reading")
def non_blocking_and_back(devices: Devices) -> Facts:
    """Asynchronous copies there and back, read after a synchronize."""
    x = torch.arange(1000.0)
    back = x.to(devices[0], non_blocking=True).to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    return {"close": close(back, x)}


@program(
    {
        "half": ["cuda:0", "torch.float16"],
        "double": ["cuda:0", "torch.float64"],
        "long": ["cuda:0", "torch.int64"],
        "bool": [True, False],
    },
    source=TO,
)
def dtype_methods(devices: Devices) -> Facts:
    """``half()`` and its kin stay on the card."""
    x = torch.tensor([1.0, 0.0], device=devices[0])
    made = {"half": x.half(), "double": x.double(), "long": x.long()}
    facts: Facts = {name: [y.device, y.dtype] for name, y in made.items()}
    return {**facts, "bool": x.bool().tolist()}


@refused(INVALID_ORDINAL, kind="AcceleratorError", source=ORDINAL_SOURCE)
def to_a_missing_device(devices: Devices) -> None:
    """A tensor cannot go where no device is."""
    torch.ones(1).cuda(77)


@refused(
    "Cannot copy out of meta tensor; no data!",
    kind="NotImplementedError",
    source="aten/src/ATen/native/Copy.cpp; run on torch 2.13",
)
def from_meta(devices: Devices) -> None:
    """A meta tensor has nothing to move."""
    torch.ones(1, device="meta").to(devices[0])
