"""The versions of CUDA's libraries that torch reports, and the removal of false warnings.

Virtual GPUs have neither cuDNN nor NCCL, because the CPU's kernels run. But programs read versions,
and choose algorithms, which have no effect here.
"""

from __future__ import annotations

import logging
from enum import IntEnum
from types import SimpleNamespace

import torch

from ...errors import NCCL_VERSION
from ...patches import Patches

CUDA = "13.0"  # the version of torch's build, and the newest that the default driver supports
_CUDA_NUMBER = 13000
_CUDNN, _CUDNN_PARTS = 91300, (9, 13, 0)
_CUSPARSELT = 701


class _RnnMode(IntEnum):
    rnn_relu, rnn_tanh, lstm, gru = range(4)


# Replace the modules torch._C._cudnn and torch._C._cusparselt.
_cudnn = SimpleNamespace(
    is_cuda=True,
    RNNMode=_RnnMode,
    getVersionInt=lambda: _CUDNN,
    getRuntimeVersion=lambda: _CUDNN_PARTS,
    getCompileVersion=lambda: _CUDNN_PARTS,
)
_cusparselt = SimpleNamespace(getVersionInt=lambda: _CUSPARSELT)


def patch(patches: Patches) -> None:
    """Install the versions of CUDA, cuBLAS, cuDNN and NCCL."""
    major, minor, patch_number = NCCL_VERSION
    patches.set(torch.version, cuda=CUDA)
    patches.set(
        torch._C,
        _has_cudnn=True,
        _cudnn=_cudnn,
        _cusparselt=_cusparselt,
        _cuda_getCompiledVersion=lambda: _CUDA_NUMBER,
        _cuda_clearCublasWorkspaces=lambda: None,
        _nccl_version=lambda: major << 32 | minor << 16 | patch_number,
        _nccl_version_suffix=lambda: b"",
    )
    # is_acceptable: RNNs would warn that they cannot use cuDNN.
    patches.set(
        torch.backends.cudnn,
        version=lambda: _CUDNN,
        is_acceptable=lambda tensor: False,
    )
    # With a torch.version.cuda, it would warn that Triton is missing.
    patches.set(logging.getLogger("torch.utils.flop_counter"), disabled=True)
