"""Matrix products of narrow types: errors for arguments that CUDA refuses and the CPU accepts.

The rules and texts are those of ``aten/src/ATen/native/cuda/Blas.cpp``.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .boxed import BoxedKernel, Kernel


def _whole(name: str) -> Kernel:
    """``_int_mm``: cuBLASLt needs more than 16 rows, and multiples of 8 for other sizes."""
    kernel = BoxedKernel(name)

    def product(self: Tensor, mat2: Tensor, **out: Tensor) -> Tensor:
        if self.dim() == mat2.dim() == 2:
            if self.shape[0] <= 16:
                raise RuntimeError(
                    f"self.size(0) needs to be greater than 16, but got {self.shape[0]}"
                )
            for argument, columns in (("self", self.shape[1]), ("mat2", mat2.shape[1])):
                if columns == 0 or columns % 8:
                    raise RuntimeError(
                        f"{argument}.size(1) needs to be greater than 0 and a multiple of 8, "
                        f"but got {columns}"
                    )
        return kernel(self, mat2, **out)

    return product


def _scaled(name: str) -> Kernel:
    """``_scaled_mm``: older GPUs cannot compute with float8."""
    kernel = BoxedKernel(name)

    def product(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if torch.cuda.get_device_capability(self.device) < (8, 9):
            raise RuntimeError(
                "torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 "
                "or 8.9, or ROCm MI300+"
            )
        return kernel(self, *args, **kwargs)

    return product


_SCALED = ("_scaled_mm", "_scaled_mm.out", "_scaled_mm_v2", "_scaled_mm_v2.out")
PRODUCT_KERNELS: dict[str, Kernel] = {
    **{name: _whole(name) for name in ("_int_mm", "_int_mm.out")},
    **{name: _scaled(name) for name in _SCALED},
}
