"""NVTX ranges, which have no effect, because no tool reads them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.autograd.profiler import emit_nvtx

from ...patches import Patches

_NO_PUSH_POP_TRACKING = -2


class _NoProfiler:
    """NVTX without a tool: returns its error codes (``nvtx3/nvtxDetail/nvtxImplCore.h``)."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        answer = _NO_PUSH_POP_TRACKING if name in ("rangePushA", "rangePop") else 0
        return lambda *args: answer


def _begin_ranges(self: emit_nvtx) -> emit_nvtx | None:
    if not self.enabled:
        return None
    if self.entered:
        raise RuntimeError("NVTX annotation context manager is not reentrant")
    self.entered = True
    torch.cuda.synchronize()
    return self


def _end_ranges(self: emit_nvtx, *error: object) -> None:
    if self.enabled:
        torch.cuda.synchronize()


def patch(patches: Patches) -> None:
    """Allow NVTX ranges without NVIDIA's library."""
    patches.set(torch.cuda.nvtx, _nvtx=_NoProfiler())
    patches.set(emit_nvtx, __enter__=_begin_ranges, __exit__=_end_ranges)
