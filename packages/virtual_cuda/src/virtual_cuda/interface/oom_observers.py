"""``torch._C._cuda_attach_out_of_memory_observer``: who is called when memory runs out.

PyTorch's guide to memory snapshots uses it to save one at the right moment.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from .. import runtime
from ..memory.ledger import Ledger
from ..patches import Patches

OomObserver = Callable[[int, int, int, int], object]
"""(card, bytes asked for, the limit of this process in bytes, free bytes) -> anything"""

_observers: list[OomObserver] = []


def _tell(ledger: Ledger, requested: int) -> None:
    free, total = ledger.free_and_total()
    for observe in _observers:
        observe(ledger.device, requested, ledger.allowed or total, free)


def _attach(observer: OomObserver) -> None:
    for ledger in runtime.started().ledgers:
        ledger.on_refusal = _tell
    _observers.append(observer)


def patch(patches: Patches) -> None:
    """Let programs attach observers, which stay until virtual CUDA is switched off."""
    _observers.clear()
    patches.set(torch._C, _cuda_attach_out_of_memory_observer=_attach)
