"""Writing into memory that is read in the same call."""

from __future__ import annotations

import torch

from ..registry import Devices, Facts, program, refused

CHECK = "aten/src/ATen/MemoryOverlap.cpp"
SOME = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)


def numbers(device: torch.device) -> torch.Tensor:
    return torch.arange(5.0, device=device)


@refused(SOME, source=CHECK)
def in_place_on_a_shifted_view(devices: Devices) -> None:
    """x[1:] += x[:-1] has no defined result."""
    x = numbers(devices[0])
    x[1:].add_(x[:-1])


@refused(SOME, source=CHECK)
def out_into_a_shifted_view(devices: Devices) -> None:
    """The same by out=."""
    x = numbers(devices[0])
    torch.add(x[1:], 1, out=x[:-1])


@refused(SOME, source=CHECK)
def copying_within_a_tensor(devices: Devices) -> None:
    """The same by copy_."""
    x = numbers(devices[0])
    x[:2].copy_(x[1:3])


@refused(
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation.",
    source=CHECK,
)
def in_place_on_an_expanded_tensor(devices: Devices) -> None:
    """An expanded tensor has fewer elements than it shows."""
    numbers(devices[0]).expand(3, 5).add_(1)


@program(
    {"self": [0, 2, 4, 6, 8], "view": [0, 4, 8, 12, 16], "out": [0, 8, 16, 24, 32]}, source=CHECK
)
def the_whole_of_itself(devices: Devices) -> Facts:
    """A tensor may be its own operand."""
    x = numbers(devices[0])
    facts = {"self": x.add_(x).tolist(), "view": x.add_(x.view(5)).tolist()}
    return {**facts, "out": torch.add(x, x, out=x).tolist()}
