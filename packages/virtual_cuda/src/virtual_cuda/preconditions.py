"""What has to hold before virtual GPUs are switched on: the version of torch, no CUDA so far."""

from __future__ import annotations

import os

import torch

from .errors import VirtualCudaUnavailable
from .platform.switches import HAS_CUDA_BUILD, count_real_gpus

TESTED_VERSIONS = ("2.11", "2.12", "2.13")
ALLOW_UNTESTED = "VIRTUAL_CUDA_ALLOW_UNTESTED_TORCH"
HIDE_REAL_GPUS = "VIRTUAL_CUDA_HIDE_REAL_GPUS"


def check_version(allow_untested: bool) -> None:
    """Raise VirtualCudaUnavailable for a version of torch that nobody has tried."""
    version = ".".join(torch.__version__.split(".")[:2])
    if version in TESTED_VERSIONS or allow_untested or os.environ.get(ALLOW_UNTESTED) == "1":
        return
    raise VirtualCudaUnavailable(
        f"Virtual GPUs are tested with torch {', '.join(TESTED_VERSIONS)}, not with "
        f"{torch.__version__}: install torch {TESTED_VERSIONS[-1]}, or try your luck with "
        f"enable(allow_untested_torch=True) or {ALLOW_UNTESTED}=1."
    )


def check_cuda_is_free(hide_real_gpus: bool) -> None:
    """Raise VirtualCudaUnavailable where CUDA runs already, or would find a real card."""
    if torch.cuda.is_initialized():
        raise VirtualCudaUnavailable(
            "CUDA has already started in this process; restart it (in a notebook: restart the "
            "kernel) and enable virtual GPUs before anything uses CUDA."
        )
    if torch.cuda._initialized and torch.cuda._is_in_bad_fork():  # it says so of a mere count, too
        raise VirtualCudaUnavailable(
            "CUDA had started before this process was forked; enable virtual GPUs in a process "
            "that was spawned."
        )
    if not HAS_CUDA_BUILD:
        return
    if hide_real_gpus or os.environ.get(HIDE_REAL_GPUS) == "1":
        _hide_real_gpus()
    if count_real_gpus() > 0:
        raise VirtualCudaUnavailable(
            "This computer has a real GPU; use it, or hide it from this process with "
            f"enable(hide_real_gpus=True) or {HIDE_REAL_GPUS}=1 before anything else asks for CUDA."
        )


def _hide_real_gpus() -> None:
    """Let the driver start with no visible card.

    The driver reads CUDA_VISIBLE_DEVICES once; afterwards the variable is the virtual machine's.
    """
    variable = "CUDA_VISIBLE_DEVICES"
    chosen = os.environ.get(variable)
    os.environ[variable] = ""
    try:
        count_real_gpus()
    finally:
        if chosen is None:
            del os.environ[variable]
        else:
            os.environ[variable] = chosen
