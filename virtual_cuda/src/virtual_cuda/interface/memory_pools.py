"""``torch.cuda.MemPool``: named, entered and left; all memory still comes from the card's own.

A pool of a real card changes where memory comes from, and no values, so programs that only use one
run as they are. What they would see of a pool alone, and allocators of their own, are refused.
"""

from __future__ import annotations

import itertools
from typing import Any

import torch

from ..errors import UnsupportedFeature
from ..patches import Patches

_numbers = itertools.count(1)


class MemPool:
    """Stands in for ``torch.cuda.MemPool``."""

    def __init__(
        self, allocator: Any = None, use_on_oom: bool = False, no_split: bool = False
    ) -> None:
        if allocator is not None:
            raise UnsupportedFeature(
                "allocators of your own", "make the pool without one, for the same values"
            )
        self._id = (0, next(_numbers))

    @property
    def id(self) -> tuple[int, int]:
        return self._id

    @property
    def allocator(self) -> None:
        """No allocator but torch's own."""

    def use_count(self) -> int:
        return 1

    def snapshot(self, include_traces: bool = True) -> list[dict[str, Any]]:
        raise UnsupportedFeature(
            "memory of their own in pools", "torch.cuda.memory_snapshot() shows that of the card"
        )


def _do_nothing(*args: Any) -> None:
    """To begin, to end or to free a pool changes nothing."""


def patch(patches: Patches) -> None:
    """Let programs use pools."""
    for module in (torch.cuda, torch.cuda.memory):
        patches.set(module, MemPool=MemPool)
    patches.set(torch._C, _MemPool=MemPool)
    calls = {
        name: _do_nothing
        for name in (
            "_cuda_beginAllocateToPool", "_cuda_beginAllocateCurrentThreadToPool",
            "_cuda_endAllocateToPool", "_cuda_releasePool",
        )
    }  # fmt: skip
    patches.set(torch._C, _cuda_beginAllocateCurrentStreamToPool=_do_nothing, **calls)
    patches.set(torch.cuda.memory, **calls)  # which has imported them
