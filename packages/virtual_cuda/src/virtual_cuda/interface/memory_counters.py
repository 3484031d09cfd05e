"""The four numbers of ``torch.cuda.memory_stats`` that programs ask for all the time.

torch looks them up in the whole of the statistics, which take a walk over all living blocks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.cuda._utils import _get_device_index

from .. import runtime
from ..memory.ledger import Ledger
from ..patches import Patches

_READINGS: dict[str, Callable[[Ledger], int]] = {
    "memory_allocated": lambda ledger: ledger.live_bytes,
    "max_memory_allocated": lambda ledger: ledger.peak_bytes,
    "memory_reserved": lambda ledger: ledger.reserved_bytes,
    "max_memory_reserved": lambda ledger: ledger.peak_reserved_bytes,
}


def _counter(name: str) -> Callable[..., int]:
    reading = _READINGS[name]

    @functools.wraps(getattr(torch.cuda.memory, name))
    def count(device: Any = None) -> int:
        state = runtime.current()
        if state is None or not state.started or state.forked:
            return 0
        # torch's own way to the current device takes longer than all the rest.
        index = runtime.current_device() if device is None else _get_device_index(device, True)
        return reading(state.ledger(index))

    return count


def patch(patches: Patches) -> None:
    """Answer from the books directly."""
    counters = {name: _counter(name) for name in _READINGS}
    for module in (torch.cuda, torch.cuda.memory):
        patches.set(module, **counters)
