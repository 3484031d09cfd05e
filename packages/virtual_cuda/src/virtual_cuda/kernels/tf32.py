"""TF32: products of float32 matrices with rounded elements, if this is allowed.

A GPU of capability 8.0 or later then keeps ten bits of each mantissa, and adds in float32
(PyTorch's notes on CUDA, "TensorFloat-32"). Products of a matrix and a vector are never rounded.
Convolutions are not rounded here; on CUDA it is allowed by default, and cuDNN decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..cards import close_to_all
from ..patches import Patches

# Operator -> the positions of the factors.
FACTORS = {
    "mm": (0, 1),
    "bmm": (0, 1),
    "addmm": (1, 2),
    "addbmm": (1, 2),
    "baddbmm": (1, 2),
    "_addmm_activation": (1, 2),
}
FIRST = (8, 0)  # the lowest capability with TF32
_HALF, _KEPT = 1 << 12, -(1 << 13)  # 13 bits are dropped; the first of them decides the rounding

_SETTERS = (
    "_set_cublas_allow_tf32",
    "_set_float32_matmul_precision",
    "_set_fp32_precision_setter",
)


def is_on() -> bool:
    """Whether products may be rounded. Then every call uses the general kernel."""
    return torch._C._get_fp32_precision_getter("cuda", "matmul") == "tf32"


def round_factors(name: str, args: list[Any]) -> None:
    """Round the factors among a product's arguments, in the list."""
    for position in FACTORS[name]:
        args[position] = _rounded(args[position])


def _rounded(factor: Tensor) -> Tensor:
    if factor.dtype is not torch.float32:
        return factor
    bits = factor.detach().view(torch.int32)
    return ((bits + _HALF) & _KEPT).view(torch.float32)


def _noticed(setter: Callable[..., Any]) -> Callable[..., Any]:
    def set_and_look(*args: Any) -> Any:
        answer = setter(*args)
        if is_on():
            close_to_all()
        return answer

    return set_and_look


def patch(patches: Patches) -> None:
    """React to the settings for TF32."""
    setters = {name: getattr(torch._C, name) for name in _SETTERS if hasattr(torch._C, name)}
    patches.set(torch._C, **{name: _noticed(setter) for name, setter in setters.items()})
