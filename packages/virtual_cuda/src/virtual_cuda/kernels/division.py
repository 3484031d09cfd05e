"""Whole numbers divided by zero: the CPU refuses, CUDA answers with a pattern of bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

_HALF_ONES = (1 << 32) - 1


def is_refusal(error: Exception) -> bool:
    """Whether the CPU says that it does not divide by zero."""
    return str(error) == "ZeroDivisionError"


def divide(call: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Tensor:
    """Divide, with CUDA's pattern where the divisor is zero: all ones, of int64 half of them.

    That is undefined behaviour. The pattern is what PyTorch's own test of remainders finds on GPUs
    (``test_binary_ufuncs.py``); for the other kinds of division it is taken to be the same.
    """
    dividend, divisor, *rest = args
    negative = torch.as_tensor(dividend) < 0
    zero = torch.as_tensor(divisor) == 0
    safe = torch.where(zero, 1, divisor) if isinstance(divisor, Tensor) else 1
    result = call(dividend, safe, *rest, **kwargs)
    ones = torch.where(negative, -1, _HALF_ONES if result.dtype is torch.int64 else -1)
    return result.copy_(torch.where(zero, ones.to(result.dtype), result))
