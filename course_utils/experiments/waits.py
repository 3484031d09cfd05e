"""The number of times a program waits for a GPU."""

import warnings
from collections.abc import Callable
from typing import TypeVar
from unittest import mock

import torch

Result = TypeVar("Result")


def with_waits(call: Callable[..., Result], *given: object) -> tuple[Result, int]:
    """The result of a call, and its number of waits by `set_sync_debug_mode("warn")`."""
    before = torch.cuda.get_sync_debug_mode()
    giving = mock.patch.object(warnings, "warn", wraps=warnings.warn)
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # Warnings of virtual GPUs are counted when issued: `call` may set a filter meanwhile.
            with giving as given_out, mock.patch.object(torch.cuda, "set_sync_debug_mode"):
                result = call(*given)
    finally:
        torch.cuda.set_sync_debug_mode(before)
    virtual = map(str, given_out.call_args_list)
    real = (str(warning.message) for warning in caught)
    return result, max(sum("synchronizing" in text for text in texts) for texts in (virtual, real))
