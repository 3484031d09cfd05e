"""``torch.Generator`` for devices of virtual GPUs."""

from __future__ import annotations

from typing import Any

import torch

from ... import runtime
from ...capturing import forbid
from ...patches import Patches
from ...random import CudaGenerator, TorchGenerator


class _GeneratorType(type(TorchGenerator)):  # type: ignore[misc]
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TorchGenerator)


class Generator(TorchGenerator, metaclass=_GeneratorType):
    """Replaces ``torch.Generator``: it accepts CUDA devices, and returns torch's own for others."""

    def __new__(cls, device: Any = "cpu") -> torch._C.Generator:  # type: ignore[misc]
        """A generator of a device, of torch's class or of ``CudaGenerator``."""
        if isinstance(device, int) or torch.device(device).type == "cuda":
            forbid("Cannot construct a new CUDAGeneratorImpl")
            index = runtime.resolve(device).index
            return CudaGenerator(runtime.ready().check(index))
        return TorchGenerator(device)


def patch(patches: Patches) -> None:
    """Install the generator class."""
    patches.set(torch, Generator=Generator)
