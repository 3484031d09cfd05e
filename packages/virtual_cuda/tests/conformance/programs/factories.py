"""Tensors made directly on a device."""

from __future__ import annotations

import torch
from torch import nn

from ..registry import Devices, Facts, places, program, refused
from .current_device import INVALID_ORDINAL, ORDINAL_SOURCE

DOCS = "torch documentation: creation ops"

FACTORIES = {
    "zeros": lambda d: torch.zeros(2, device=d),
    "ones": lambda d: torch.ones(2, device=d),
    "empty": lambda d: torch.empty(2, device=d),
    "full": lambda d: torch.full((2,), 7.0, device=d),
    "arange": lambda d: torch.arange(3, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 3, device=d),
    "eye": lambda d: torch.eye(2, device=d),
    "rand": lambda d: torch.rand(2, device=d),
    "randn": lambda d: torch.randn(2, device=d),
    "randint": lambda d: torch.randint(9, (2,), device=d),
    "randperm": lambda d: torch.randperm(5, device=d),
    "tensor": lambda d: torch.tensor([1, 2], device=d),
    "as_tensor": lambda d: torch.as_tensor([1, 2], device=d),
    "empty_strided": lambda d: torch.empty_strided((2, 2), (1, 2), device=d),
    "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
}


@program(dict.fromkeys(FACTORIES, "cuda:0"), source=DOCS)
def every_factory(devices: Devices) -> Facts:
    """Every factory makes its tensor where it is told."""
    return {name: make(devices[0]).device for name, make in FACTORIES.items()}


@program(
    {
        "arange": [0, 1, 2],
        "full": [7.0, 7.0],
        "linspace": [0.0, 0.5, 1.0],
        "eye": [[1.0, 0.0], [0.0, 1.0]],
        "tensor": [1, 2],
    },
    source=DOCS,
)
def values(devices: Devices) -> Facts:
    """The values are there."""
    names = ("arange", "full", "linspace", "eye", "tensor")
    return {name: FACTORIES[name](devices[0]).tolist() for name in names}


@program({"places": ["cuda:1"] * 6}, devices=2, source=DOCS)
def like_and_new(devices: Devices) -> Facts:
    """``*_like`` and ``new_*`` follow the tensor they are asked of."""
    x = torch.ones(2, device=devices[1])
    made = (
        torch.zeros_like(x),
        torch.empty_like(x),
        torch.rand_like(x),
        x.new_zeros(3),
        x.new_tensor([1.0]),
        x.new_full((1,), 2.0),
    )
    return {"places": places(*made)}


@program({"places": ["cpu", "cuda:0"]}, source=DOCS)
def like_elsewhere(devices: Devices) -> Facts:
    """``device=`` overrides what ``*_like`` would do, both ways."""
    x = torch.ones(2, device=devices[0])
    there = torch.zeros_like(x, device="cpu")
    return {"places": places(there, torch.zeros_like(there, device=devices[0]))}


@program(
    {
        "default": "cpu",
        "chosen": "cuda:0",
        "factory": "cuda:0",
        "module": "cuda:0",
        "explicit": "cpu",
        "from_buffer": "cpu",
        "after": "cpu",
    },
    source="torch.set_default_device documentation; ERRATA I",
)
def default_device(devices: Devices) -> Facts:
    """``set_default_device`` moves factories and modules, not explicit or shared memory."""
    facts = {"default": torch.get_default_device()}
    torch.set_default_device(devices[0])
    facts |= {
        "chosen": torch.get_default_device(),
        "factory": torch.ones(1).device,
        "module": nn.Linear(1, 1).weight.device,
        "explicit": torch.ones(1, device="cpu").device,
        "from_buffer": torch.frombuffer(bytearray(4), dtype=torch.uint8).device,
    }
    torch.set_default_device(None)
    return {**facts, "after": torch.ones(1).device}


@program(
    {"inside": "cuda:1", "module": "cuda:1", "explicit": "cuda:0", "after": "cpu"},
    devices=2,
    source="ERRATA I: with torch.device(d)",
)
def device_as_context(devices: Devices) -> Facts:
    """``with torch.device(d)`` is the same for a block."""
    with devices[1]:
        inside, module = torch.ones(1), nn.Linear(1, 1).weight
        explicit = torch.ones(1, device=devices[0])
    return {
        "inside": inside.device,
        "module": module.device,
        "explicit": explicit.device,
        "after": torch.ones(1).device,
    }


@program({"same_object": True, "copied": "cuda:0", "fresh": True}, source="torch.as_tensor docs")
def as_tensor_and_tensor(devices: Devices) -> Facts:
    """``as_tensor`` keeps what fits, ``tensor`` always copies."""
    x = torch.ones(2, device=devices[0])
    return {
        "same_object": torch.as_tensor(x, device=devices[0]) is x,
        "copied": torch.as_tensor(torch.ones(2), device=devices[0]).device,
        "fresh": torch.tensor(x).data_ptr() != x.data_ptr(),
    }


@program({"place": "cpu", "values": [1.0, 2.0]}, source="torch/csrc/utils/tensor_new.cpp")
def tensor_of_tensors(devices: Devices) -> Facts:
    """A list of 0-dimensional tensors of a card makes a CPU tensor."""
    x = torch.tensor([1.0, 2.0], device=devices[0])
    made = torch.tensor([x[0], x[1]])
    return {"place": made.device, "values": made.tolist()}


@program(
    {
        "dtypes": [
            "torch.bool",
            "torch.uint8",
            "torch.int64",
            "torch.float16",
            "torch.bfloat16",
            "torch.float64",
            "torch.complex64",
        ],
        "types": [
            "torch.cuda.BoolTensor",
            "torch.cuda.ByteTensor",
            "torch.cuda.LongTensor",
            "torch.cuda.HalfTensor",
            "torch.cuda.BFloat16Tensor",
            "torch.cuda.DoubleTensor",
            "torch.cuda.ComplexFloatTensor",
        ],
    },
    source="torch documentation: tensor attributes",
)
def dtypes(devices: Devices) -> Facts:
    """All dtypes exist on a card, with type names of their own."""
    kinds = (
        torch.bool,
        torch.uint8,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float64,
        torch.complex64,
    )
    made = [torch.zeros(1, dtype=kind, device=devices[0]) for kind in kinds]
    return {"dtypes": [x.dtype for x in made], "types": [x.type() for x in made]}


@program({"dtype": "torch.float64"}, source="torch.set_default_dtype docs")
def default_dtype(devices: Devices) -> Facts:
    """The default dtype is the same on every device."""
    torch.set_default_dtype(torch.float64)
    return {"dtype": torch.ones(1, device=devices[0]).dtype}


@program({"like": [1, 3], "channels_last": [48, 1, 12, 3]}, source="torch.empty_like docs")
def strides(devices: Devices) -> Facts:
    """Layouts are kept on the card."""
    x = torch.ones(2, 3, device=devices[0])
    image = torch.empty(1, 3, 4, 4, device=devices[0], memory_format=torch.channels_last)
    return {"like": torch.empty_like(x.t()).stride(), "channels_last": image.stride()}


@program({"type": "torch.FloatTensor", "device": "cpu"}, source="torch.Tensor.type docs")
def legacy_types(devices: Devices) -> Facts:
    """``type()`` with a name converts, back to the CPU as well."""
    x = torch.ones(1, device=devices[0]).type("torch.FloatTensor")
    return {"type": x.type(), "device": x.device}


@refused(INVALID_ORDINAL, kind="AcceleratorError", source=ORDINAL_SOURCE)
def on_a_missing_device(devices: Devices) -> None:
    """A device that does not exist fails at its first use."""
    torch.ones(1, device="cuda:77")
