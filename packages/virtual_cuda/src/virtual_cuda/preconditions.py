"""The conditions for switching virtual GPUs on: a tested version of torch, and no CUDA in use."""

from __future__ import annotations

import os

import torch

from .errors import VirtualCudaUnavailable
from .platform.switches import HAS_CUDA_BUILD, count_real_gpus

TESTED_VERSIONS = ("2.11", "2.12", "2.13")
ALLOW_UNTESTED = "VIRTUAL_CUDA_ALLOW_UNTESTED_TORCH"
HIDE_REAL_GPUS = "VIRTUAL_CUDA_HIDE_REAL_GPUS"


def check_version(allow_untested: bool) -> None:
    """Raise VirtualCudaUnavailable for an untested version of torch."""
    version = ".".join(torch.__version__.split(".")[:2])
    if version in TESTED_VERSIONS or allow_untested or os.environ.get(ALLOW_UNTESTED) == "1":
        return
    raise VirtualCudaUnavailable(
        f"Virtual GPUs are tested with torch {', '.join(TESTED_VERSIONS)}, not with "
        f"{torch.__version__}. Install torch {TESTED_VERSIONS[-1]}, or allow this version with "
        f"enable(allow_untested_torch=True) or {ALLOW_UNTESTED}=1."
    )


def check_cuda_is_free(hide_real_gpus: bool) -> None:
    """Raise VirtualCudaUnavailable if CUDA has started, or would find a real GPU."""
    if torch.cuda.is_initialized():
        raise VirtualCudaUnavailable(
            "CUDA has already started in this process. Restart it (in a notebook: restart the "
            "kernel) and enable virtual GPUs before any use of CUDA."
        )
    if torch.cuda._initialized and torch.cuda._is_in_bad_fork():  # also true after a device count
        raise VirtualCudaUnavailable(
            "CUDA had already started when this process was forked. Start the process with the "
            "method spawn instead, and enable virtual GPUs there."
        )
    if not HAS_CUDA_BUILD:
        return
    if hide_real_gpus or os.environ.get(HIDE_REAL_GPUS) == "1":
        _hide_real_gpus()
    if count_real_gpus() > 0:
        raise VirtualCudaUnavailable(
            "This computer has a real GPU. Use it, or hide it from this process with "
            f"enable(hide_real_gpus=True) or {HIDE_REAL_GPUS}=1 before any other use of CUDA."
        )


def _hide_real_gpus() -> None:
    """Start the driver without a visible card.

    The driver reads CUDA_VISIBLE_DEVICES once. After that the virtual machine uses the variable.
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
