"""The current device: what ``cuda`` without a number means."""

from __future__ import annotations

import threading

import torch

from ..registry import Devices, Facts, caught, program, refused

CUDA = "torch/cuda/__init__.py"
NOTES = "docs: notes/cuda"
INVALID_ORDINAL = (
    "CUDA error: invalid device ordinal\n"
    "GPU device may be out of range, do you have enough GPUs?\n"
    "For more detailed error information, run with CUDA_LOG_FILE=stderr\n"
    "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
)
# The third line: a public log of torch 2.13 (ROCm, the same C++) and the function
# get_cuda_async_error_suffix, which the headers of the 2.13 wheel declare.
ORDINAL_SOURCE = "c10/cuda/CUDAException.cpp, CUDAMiscFunctions.cpp of 2.13; a log of 2.13"


def landing() -> str:
    """Where a tensor lands that is made on ``cuda``."""
    return str(torch.ones(1, device="cuda").device)


@program({"current": 0, "lands_on": "cuda:0"}, source=NOTES)
def starts_at_zero(devices: Devices) -> Facts:
    """Device 0 is current at the start."""
    return {"current": torch.cuda.current_device(), "lands_on": landing()}


@program({"inside": ["cuda:1", 1], "after": ["cuda:0", 0]}, devices=2, source=NOTES)
def context_switches(devices: Devices) -> Facts:
    """``with torch.cuda.device(1)`` makes device 1 current, and gives the old one back."""
    with torch.cuda.device(1):
        inside = [landing(), torch.cuda.current_device()]
    return {"inside": inside, "after": [landing(), torch.cuda.current_device()]}


@program({"seen": [1, 3, 1, 0]}, devices=4, source=CUDA + " class device")
def contexts_nest(devices: Devices) -> Facts:
    """Contexts inside contexts."""
    seen = []
    with torch.cuda.device(1):
        seen.append(torch.cuda.current_device())
        with torch.cuda.device(devices[3]):
            seen.append(torch.cuda.current_device())
        seen.append(torch.cuda.current_device())
    return {"seen": [*seen, torch.cuda.current_device()]}


@program({"type": "KeyError", "after": 0}, devices=2, source=CUDA + " class device")
def an_exception_leaves_the_context(devices: Devices) -> Facts:
    """The old device comes back after an exception, too."""

    def fail() -> None:
        with torch.cuda.device(1):
            raise KeyError

    return {"type": caught(fail)["type"], "after": torch.cuda.current_device()}


@program(
    {"lands_on": "cuda:1", "moved_to": "cuda:1", "explicit": "cuda:0"},
    devices=2,
    source="ERRATA E16, E31",
)
def set_device_moves_the_default(devices: Devices) -> Facts:
    """``set_device`` changes where ``cuda`` is; an explicit number wins."""
    torch.cuda.set_device(1)
    x = torch.ones(1)
    return {
        "lands_on": landing(),
        "moved_to": x.cuda().device,
        "explicit": x.to(devices[0]).device,
    }


@program({"after": 0}, source=CUDA + " set_device")
def negative_numbers_change_nothing(devices: Devices) -> Facts:
    """``set_device(-1)`` is a no-op."""
    torch.cuda.set_device(-1)
    return {"after": torch.cuda.current_device()}


@program({"inside": 0, "after": 0}, devices=2, source=CUDA + " class device")
def set_device_inside_a_context(devices: Devices) -> Facts:
    """The context restores the device it found, whatever happened inside."""
    with torch.cuda.device(1):
        torch.cuda.set_device(0)
        inside = torch.cuda.current_device()
    return {"inside": inside, "after": torch.cuda.current_device()}


@program({"accepted": [1, 1, 1, 1], "after_none": 0}, devices=2, source=CUDA)
def forms_of_the_argument(devices: Devices) -> Facts:
    """Number, text, device: all forms mean the same; None changes nothing."""
    accepted = []
    for form in (1, "cuda:1", torch.device("cuda:1"), torch.device("cuda", 1)):
        with torch.cuda.device(form):
            accepted.append(torch.cuda.current_device())
    with torch.cuda.device(None):
        after_none = torch.cuda.current_device()
    return {"accepted": accepted, "after_none": after_none}


@program({"on_card": 1, "on_cpu": 0}, devices=2, source=CUDA + " device_of")
def device_of_a_tensor(devices: Devices) -> Facts:
    """``device_of`` follows a CUDA tensor and ignores a CPU tensor."""
    with torch.cuda.device_of(torch.ones(1, device=devices[1])):
        on_card = torch.cuda.current_device()
    with torch.cuda.device_of(torch.ones(1)):
        on_cpu = torch.cuda.current_device()
    return {"on_card": on_card, "on_cpu": on_cpu}


@program({"sum": "cuda:1", "like": "cuda:1", "current": 0}, devices=2, source=NOTES)
def operators_follow_their_tensors(devices: Devices) -> Facts:
    """Results live where the operands live, whatever the current device."""
    x = torch.ones(3, device=devices[1])
    return {
        "sum": (x + x).device,
        "like": torch.zeros_like(x).device,
        "current": torch.cuda.current_device(),
    }


@program({"main": 1, "new_thread": 0}, devices=2, source="CUDA: the device is a thread's own")
def threads_start_at_zero(devices: Devices) -> Facts:
    """Every thread has its own current device, 0 at first."""
    torch.cuda.set_device(1)
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(torch.cuda.current_device()))
    thread.start()
    thread.join()
    return {"main": torch.cuda.current_device(), "new_thread": seen[0]}


@refused(INVALID_ORDINAL, kind="AcceleratorError", source=ORDINAL_SOURCE)
def no_such_device(devices: Devices) -> None:
    """A device that does not exist cannot be made current."""
    torch.cuda.set_device(77)


@program(
    {"prefix": "CUDA error: invalid device ordinal", "is_runtime_error": True}, source="ERRATA J"
)
def kind_of_the_error(devices: Devices) -> Facts:
    """The error for a missing device is an AcceleratorError, which is a RuntimeError."""
    error = caught(lambda: torch.ones(1).to("cuda:77"))
    is_runtime_error = issubclass(torch.AcceleratorError, RuntimeError)
    return {"prefix": (error["text"] or "").split("\n")[0], "is_runtime_error": is_runtime_error}
