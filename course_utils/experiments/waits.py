"""How often a program waits for a GPU."""

import warnings
from collections.abc import Callable
from typing import TypeVar

import torch

Result = TypeVar("Result")


def with_waits(call: Callable[..., Result], *given: object) -> tuple[Result, int]:
    """What the call returns, and how often it waited, as `set_sync_debug_mode("warn")` says."""
    before = torch.cuda.get_sync_debug_mode()
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = call(*given)
    finally:
        torch.cuda.set_sync_debug_mode(before)
    return result, sum("synchronizing" in str(warning.message) for warning in caught)
