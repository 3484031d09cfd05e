"""``torch.profiler``: it sees the operators, and no kernels of the virtual cards.

Asked for CUDA on a build without it, the profiler would print an error from C++ for every operator.
NVTX ranges, for which there is no one to see them, go nowhere (``emit_nvtx``; ``cuda_api``).
"""

from __future__ import annotations

import warnings

import torch
from torch.autograd.profiler import emit_nvtx
from torch.profiler import ProfilerActivity

from ..patches import Patches

_supported = torch.autograd.profiler._supported_activities


def _supported_activities() -> set[ProfilerActivity]:
    warnings.warn(
        "torch.profiler measures this computer's CPU; the modelled times of virtual GPUs are not "
        "in it. See virtual_cuda.trace().",
        stacklevel=2,
    )
    return {*_supported(), ProfilerActivity.CUDA}


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
    """Let the profiler take CUDA for supported, which keeps it quiet, and NVTX for there."""
    patches.set(torch.autograd.profiler, _supported_activities=_supported_activities)
    patches.set(emit_nvtx, __enter__=_begin_ranges, __exit__=_end_ranges)
