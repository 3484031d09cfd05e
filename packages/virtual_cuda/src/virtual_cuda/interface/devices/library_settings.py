"""Settings of CUDA's libraries. They are stored, but have no effect on the CPU's kernels."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import torch
from torch._C import _BlasBackend, _LinalgBackend

from ...patches import Patches

# Bytes; at::cuda::getChosenWorkspaceSize on cards before Hopper, and its like for cuBLASLt.
_CUBLAS_WORKSPACE, _CUBLASLT_WORKSPACE = 4096 * 2 * 1024 + 16 * 8 * 1024, 1 << 20
_BENCHMARK_LIMIT = 10  # default number of algorithms that cuDNN tries (at::Context)
_PLANS = 4096  # default number of plans that cuFFT keeps


_SETTINGS: tuple[tuple[str, str, Any], ...] = (
    ("_cuda_getCublasWorkspaceSize", "_cuda_setCublasWorkspaceSize", _CUBLAS_WORKSPACE),
    ("_cuda_getCublasLtWorkspaceSize", "_cuda_setCublasLtWorkspaceSize", _CUBLASLT_WORKSPACE),
    ("_cuda_get_conv_benchmark_empty_cache", "_cudnn_set_conv_benchmark_empty_cache", True),
    ("_cuda_get_cudnn_benchmark_limit", "_cuda_set_cudnn_benchmark_limit", _BENCHMARK_LIMIT),
    ("_get_linalg_preferred_backend", "_set_linalg_preferred_backend", _LinalgBackend.Default),
    ("_get_blas_preferred_backend", "_set_blas_preferred_backend", _BlasBackend.Cublas),
    # at::cuda::tunable searches for the fastest of several kernels. Here there is only one.
    ("_cuda_tunableop_is_enabled", "_cuda_tunableop_enable", False),
    ("_cuda_tunableop_tuning_is_enabled", "_cuda_tunableop_tuning_enable", True),
    ("_cuda_record_untuned_is_enabled", "_cuda_record_untuned_enable", False),
    ("_cuda_tunableop_get_max_tuning_duration", "_cuda_tunableop_set_max_tuning_duration", 30),
    (
        "_cuda_tunableop_get_max_tuning_iterations",
        "_cuda_tunableop_set_max_tuning_iterations",
        100,
    ),
    ("_cuda_tunableop_get_filename", "_cuda_tunableop_set_filename", ""),
    (
        "_cuda_tunableop_get_rotating_buffer_size",
        "_cuda_tunableop_set_rotating_buffer_size",
        0,
    ),
)
"""The name of a setting's getter, of its setter, and its default."""


class _Setting:
    """One value, with functions to read, write and reset it."""

    def __init__(self, value: Any) -> None:
        self._default = self._value = value

    def get(self) -> Any:
        return self._value

    def set(self, value: Any, *rest: Any) -> None:
        self._value = value

    def reset(self) -> None:
        self._value = self._default


class _Plans(_Setting):
    """The size of a card's cache of cuFFT plans."""

    def set(self, value: int) -> None:
        if value < 0:
            raise RuntimeError(f"cuFFT plan cache size must be non-negative, but got {value}")
        super().set(value)


def patch(patches: Patches) -> None:
    """Install the settings with their defaults."""
    for read, write, default in _SETTINGS:
        setting = _Setting(default)
        patches.set(torch._C, **{read: setting.get, write: setting.set})
        if "Workspace" in write:
            patches.set(torch._C, **{write.replace("_set", "_reset"): setting.reset})
    patches.set(
        torch._C,
        _cuda_tunableop_get_results=lambda: (),
        _cuda_tunableop_get_validators=lambda: (),
        _cuda_tunableop_read_file=lambda filename=None: False,
        _cuda_tunableop_set_numerical_check_tolerances=lambda *tolerances: None,
    )
    plans: defaultdict[int, _Plans] = defaultdict(lambda: _Plans(_PLANS))  # by card
    prop = torch.backends.cuda.cuFFTPlanCacheAttrContextProp
    patches.set(
        torch.backends.cuda.cuFFTPlanCache,
        size=prop(lambda card: 0, "cufft_plan_cache.size is a read-only property"),
        max_size=prop(lambda card: plans[card].get(), lambda card, size: plans[card].set(size)),
        clear=lambda self: None,
    )
