"""How often a program waits for a GPU."""

import warnings
from collections.abc import Callable
from typing import TypeVar
from unittest import mock

import torch

Result = TypeVar("Result")


def with_waits(call: Callable[..., Result], *given: object) -> tuple[Result, int]:
    """What the call returns, and how often it waited, as `set_sync_debug_mode("warn")` says."""
    before = torch.cuda.get_sync_debug_mode()
    giving = mock.patch.object(warnings, "warn", wraps=warnings.warn)
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # Those of virtual GPUs count as they are given: `call` may ignore warnings meanwhile.
            with giving as given_out, mock.patch.object(torch.cuda, "set_sync_debug_mode"):
                result = call(*given)
    finally:
        torch.cuda.set_sync_debug_mode(before)
    virtual = map(str, given_out.call_args_list)
    real = (str(warning.message) for warning in caught)
    return result, max(sum("synchronizing" in text for text in texts) for texts in (virtual, real))
