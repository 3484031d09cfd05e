"""``torch.Generator`` with a device of a virtual card."""

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
    """Stands in for ``torch.Generator``: accepts CUDA devices, gives torch's own for others."""

    def __new__(cls, device: Any = "cpu") -> torch._C.Generator:  # type: ignore[misc]
        """A generator of a device, in torch's or the virtual card's own class."""
        if isinstance(device, int) or torch.device(device).type == "cuda":
            forbid("Cannot construct a new CUDAGeneratorImpl")
            index = runtime.resolve(device).index
            return CudaGenerator(runtime.ready().check(index))
        return TorchGenerator(device)


def patch(patches: Patches) -> None:
    """Put the generator where programs look for it."""
    patches.set(torch, Generator=Generator)
