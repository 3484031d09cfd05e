"""torch.accelerator: the same questions without the word CUDA."""

from __future__ import annotations

import torch

from ..registry import Devices, Facts, program, refused

ACCELERATOR = "torch/accelerator/__init__.py; ERRATA I"


@program({"available": True, "type": "cuda", "index": None, "count": True}, source=ACCELERATOR)
def which_one(devices: Devices) -> Facts:
    """The accelerator is CUDA, named without a number."""
    here = torch.accelerator.current_accelerator()
    return {
        "available": torch.accelerator.is_available(),
        "type": here.type,
        "index": here.index,
        "count": torch.accelerator.device_count() == torch.cuda.device_count(),
    }


@program({"start": 0, "set": [1, 1], "landing": "cuda:1"}, devices=2, source=ACCELERATOR)
def current_index(devices: Devices) -> Facts:
    """Its current device is CUDA's."""
    start = torch.accelerator.current_device_index()
    torch.accelerator.set_device_index(1)
    return {
        "start": start,
        "set": [torch.accelerator.current_device_index(), torch.cuda.current_device()],
        "landing": torch.ones(1, device="cuda").device,
    }


@program({"inside": 1, "after": 0, "none": 0}, devices=2, source=ACCELERATOR)
def index_as_context(devices: Devices) -> Facts:
    """``device_index`` chooses for a block; None changes nothing."""
    with torch.accelerator.device_index(1):
        inside = torch.cuda.current_device()
    with torch.accelerator.device_index(None):
        none = torch.cuda.current_device()
    return {"inside": inside, "after": torch.cuda.current_device(), "none": none}


@program({"stream": True, "set": True, "synchronize": None}, source=ACCELERATOR)
def streams(devices: Devices) -> Facts:
    """Streams are the same streams."""
    before = torch.accelerator.current_stream()
    side = torch.cuda.Stream()
    torch.accelerator.set_stream(side)
    chosen = torch.cuda.current_stream() == side
    torch.accelerator.set_stream(before)
    return {
        "stream": before == torch.cuda.current_stream(),
        "set": chosen,
        "synchronize": torch.accelerator.synchronize(),
    }


@program({"allocated": True, "reserved": True, "info": True, "peak": True}, source=ACCELERATOR)
def memory(devices: Devices) -> Facts:
    """Memory numbers are the same numbers."""
    x, index = torch.ones(1000, device=devices[0]), devices[0].index
    generic = torch.accelerator
    return {
        "allocated": generic.memory_allocated(index) == torch.cuda.memory_allocated(index) > 0,
        "reserved": generic.memory_reserved(index) == torch.cuda.memory_reserved(index),
        "info": generic.get_memory_info(index)[1] == torch.cuda.mem_get_info(index)[1],
        "peak": generic.max_memory_allocated(index) >= x.nbytes,
    }


@program({"device": "cuda:0", "tensor": "cuda:0"}, source=ACCELERATOR)
def device_agnostic_code(devices: Devices) -> Facts:
    """The idiom of device-agnostic code."""
    device = torch.accelerator.current_accelerator() or torch.device("cpu")
    x = torch.ones(1, device=device)
    return {"device": x.device, "tensor": torch.zeros(1).to(device).device}


@refused(
    "cpu doesn't match the current accelerator cuda.",
    kind="ValueError",
    source="torch/accelerator/_utils.py _get_device_index",
)
def another_type(devices: Devices) -> None:
    """A device of another type is refused."""
    torch.accelerator.set_device_index("cpu")
