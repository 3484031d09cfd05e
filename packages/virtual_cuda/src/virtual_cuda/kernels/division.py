"""Division of integers by zero: the CPU raises an error, CUDA returns a bit pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

_HALF_ONES = (1 << 32) - 1


def is_refusal(error: Exception) -> bool:
    """Whether it is the CPU's error for division by zero."""
    return str(error) == "ZeroDivisionError"


def divide(call: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Tensor:
    """The quotient, with CUDA's pattern for a zero divisor: all bits 1, for int64 half of them.

    This is undefined behaviour. PyTorch's own test of remainders has this pattern for GPUs
    (``test_binary_ufuncs.py``); other kinds of division are assumed to have the same.
    """
    dividend, divisor, *rest = args
    negative = torch.as_tensor(dividend) < 0
    zero = torch.as_tensor(divisor) == 0
    safe = torch.where(zero, 1, divisor) if isinstance(divisor, Tensor) else 1
    result = call(dividend, safe, *rest, **kwargs)
    ones = torch.where(negative, -1, _HALF_ONES if result.dtype is torch.int64 else -1)
    return result.copy_(torch.where(zero, ones.to(result.dtype), result))
