"""Devices as names."""

from __future__ import annotations

import torch

from ..registry import Devices, Facts, program, refused

DEVICE = "c10/core/Device.cpp"


@program(
    {"text": "cuda:1", "repr": "device(type='cuda', index=1)", "type": "cuda", "index": 1},
    source="torch.device documentation",
)
def text_and_repr(devices: Devices) -> Facts:
    """A device prints as type and number."""
    name = torch.device("cuda:1")
    return {"text": str(name), "repr": repr(name), "type": name.type, "index": name.index}


@program({"equal": False, "index": None}, source="ERRATA E16")
def without_a_number(devices: Devices) -> Facts:
    """``cuda`` is another name than ``cuda:0``."""
    name = torch.device("cuda")
    return {"equal": name == torch.device("cuda:0"), "index": name.index}


@program({"device": "cuda:0"}, source="torch.device documentation: an int is an accelerator")
def a_number_alone(devices: Devices) -> Facts:
    """A bare number names a device of the current accelerator."""
    return {"device": torch.device(0)}


@program({"device": "cuda:77"}, source="ERRATA E20")
def a_missing_device_can_be_named(devices: Devices) -> Facts:
    """Naming a device does not look for it."""
    return {"device": torch.device("cuda:77")}


@program({"same": True, "found": "here"}, source="torch.device documentation")
def devices_are_values(devices: Devices) -> Facts:
    """Devices compare and hash by type and number."""
    table = {torch.device("cuda", 0): "here"}
    x = torch.ones(1, device=devices[0])
    return {"same": x.device == torch.device("cuda:0"), "found": table.get(x.device)}


@refused("Invalid device string: 'cuda:[0,1]'", source="ERRATA E18")
def several_at_once(devices: Devices) -> None:
    """One device, one name."""
    torch.device("cuda:[0,1]")


@refused(
    "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, "
    "lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: gpu",
    source="ERRATA J",
)
def gpu_is_no_type(devices: Devices) -> None:
    """There is no type called gpu."""
    torch.ones(1, device=devices[0]).to("gpu")


@refused("Invalid device string: 'cuda:-1'", source=DEVICE + "; a run on torch 2.13")
def negative_number_in_text(devices: Devices) -> None:
    """A negative number in a text is no device."""
    torch.device("cuda:-1")


@refused(
    "type (string) must not include an index because index was passed explicitly: cuda:0",
    source="ERRATA J",
)
def two_numbers(devices: Devices) -> None:
    """The number is given once."""
    torch.device("cuda:0", 0)


@refused(
    "ones(): argument 'device' must be torch.device, not device",
    kind="TypeError",
    source="ERRATA E15",
)
def the_context_manager_is_no_device(devices: Devices) -> None:
    """``torch.cuda.device`` is a context manager, not a device."""
    torch.ones(1, device=torch.cuda.device(devices[0]))


@refused("Expected a cuda device, but got: cpu", kind="ValueError", source="ERRATA J")
def cpu_is_no_cuda_device(devices: Devices) -> None:
    """``torch.cuda.device`` takes CUDA devices only."""
    torch.cuda.device("cpu")
