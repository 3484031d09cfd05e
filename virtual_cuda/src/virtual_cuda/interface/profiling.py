"""``torch.profiler``: it sees the operators, and no kernels of the virtual cards.

Asked for CUDA on a build without it, the profiler would print an error from C++ for every operator.
"""

from __future__ import annotations

import warnings

import torch
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


def patch(patches: Patches) -> None:
    """Let the profiler take CUDA for supported, which keeps it quiet."""
    patches.set(torch.autograd.profiler, _supported_activities=_supported_activities)
