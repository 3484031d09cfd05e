"""The GPUs of a lesson: real ones if the computer has enough, else virtual ones."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, overload

import torch

from course_utils.errors import CourseError
from course_utils.usage import written
from course_utils.words import counted


@dataclass(frozen=True)
class Lab(Sequence[torch.device]):
    """A sequence of CUDA devices; ``kind`` says whether they are real.

    hidden: the number of real GPUs that virtual ones replace in this process.
    """

    kind: Literal["real", "virtual"]
    devices: tuple[torch.device, ...]
    hidden: int = 0

    @overload
    def __getitem__(self, index: int) -> torch.device: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[torch.device, ...]: ...
    def __getitem__(self, index: int | slice) -> torch.device | tuple[torch.device, ...]:
        return self.devices[index]

    def __len__(self) -> int:
        return len(self.devices)

    def __str__(self) -> str:
        count = len(self)
        names = [str(device) for device in self]
        listed = f"{names[0]} … {names[-1]}" if count > 2 else ", ".join(names)
        head = f"{count} {self.kind} GPU{'s' if count > 1 else ''} ({listed})"
        if self.kind == "real":
            return f"{head}."  # asking for their name would start CUDA
        text = (
            f"{head} on this computer's CPU: results equal CUDA's up to rounding; "
            "random numbers, speed and the moment of some errors differ."
        )
        if not self.hidden:
            return text
        return (
            f"{text} This computer's {counted(self.hidden, 'real GPU')} cannot be used in this "
            f"process: lab() needs {count}, and a process has GPUs of one kind."
        )


_lab: Lab | None = None


def current_lab() -> Lab | None:
    """The active lab of this process, or None."""
    if _lab is not None and _lab.kind == "virtual":
        import virtual_cuda

        return _lab if virtual_cuda.is_enabled() else None
    return _lab


@written("`lab(gpus=4)`")
def lab(gpus: int = 4, memory: str = "2 GiB") -> Lab:
    """Make ``gpus`` CUDA devices available, and print one sentence that says which.

    Real GPUs are used if there are enough of them. Otherwise they are hidden from this process, and
    virtual ones take their place. A second call with another size replaces the virtual GPUs, if no
    tensor is left on them.

    Args:
        gpus: how many devices, 1 to 64 where they are virtual.
        memory: memory of each virtual GPU, such as ``"2 GiB"``; ignored for real ones.

    Raises:
        CourseError: the devices are not possible on this computer, or not in this process any more;
            the text says what to do.
    """
    global _lab
    if type(gpus) is not int or gpus < 1:
        raise CourseError(f"gpus={gpus!r} is not a number of GPUs. Write `lab(gpus=4)`.")
    try:
        _lab = _real_lab(gpus) or _virtual_lab(gpus, memory)
    except ValueError as impossible:  # virtual_cuda's message about the amounts
        raise CourseError(str(impossible)) from None
    print(_lab)
    return _lab


def virtual_lab(gpus: int) -> Lab:
    """Make virtual GPUs the lab of this process, also on a computer with enough real ones."""
    global _lab
    _lab = _virtual_lab(gpus, "2 GiB")
    return _lab


def take_virtual_gpus() -> None:
    """Make the lab of the virtual GPUs, of any kinds, that this process has already."""
    global _lab
    _lab = Lab("virtual", _numbered(torch.cuda.device_count()))


def _real_lab(gpus: int) -> Lab | None:
    import virtual_cuda

    if virtual_cuda.is_enabled():
        return None
    found = torch.cuda.device_count()
    if found >= gpus:
        return Lab("real", _numbered(gpus))
    if torch.cuda.is_initialized():
        raise CourseError(
            f"This process already uses real GPUs, and has {found} of the {gpus} that lab() needs. "
            "Restart it (in a notebook: restart the kernel) and call lab() first."
        )
    return None


def _virtual_lab(gpus: int, memory: str) -> Lab:
    import virtual_cuda

    if virtual_cuda.is_enabled():
        machine = virtual_cuda.machine()
        same = (machine.device_count, machine.memory) == (gpus, virtual_cuda.parse_memory(memory))
        hidden = _lab.hidden if _lab else 0
        if not same:
            gc.collect()
            if virtual_cuda.live_bytes():
                raise CourseError(
                    "Tensors are still on the virtual GPUs of an earlier lab(). Delete them "
                    "or restart the kernel, then call lab() again."
                )
            virtual_cuda.disable()
    else:
        hidden = torch.cuda.device_count()
    try:
        machine = virtual_cuda.enable(gpus, memory, quiet=True, hide_real_gpus=True)
    except virtual_cuda.VirtualCudaUnsupported as problem:
        raise CourseError(
            f"This computer has fewer than {gpus} GPUs, and virtual GPUs do not work on it "
            f"({problem.cause}). {_elsewhere()}. Exercises that need no device are checked here."
        ) from None
    except virtual_cuda.VirtualCudaUnavailable as reason:
        raise CourseError(str(reason)) from None
    visible = len(machine.visible_devices)
    if visible < gpus:
        raise CourseError(
            f"CUDA_VISIBLE_DEVICES leaves {visible} of {gpus} GPUs visible. "
            "Remove it from the environment, restart the kernel and call lab() again."
        )
    return Lab("virtual", _numbered(gpus), hidden)


def _elsewhere() -> str:
    """Where the course works if this computer's own Python cannot have virtual GPUs."""
    windows = "WSL, in " if sys.platform == "win32" else ""
    return f"Use the course in {windows}a container or on Binder"


def _numbered(count: int) -> tuple[torch.device, ...]:
    return tuple(torch.device("cuda", index) for index in range(count))
