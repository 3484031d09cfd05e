"""Settings of CUDA's libraries: kept, read back, and without effect on kernels of the CPU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch

from ...patches import Patches

# Bytes; at::cuda::getChosenWorkspaceSize on cards before Hopper, and its like for cuBLASLt.
_CUBLAS_WORKSPACE, _CUBLASLT_WORKSPACE = 4096 * 2 * 1024 + 16 * 8 * 1024, 1 << 20
_PLANS = 4096  # of Fourier transforms that cuFFT keeps, where nobody says how many


class _Setting:
    """One value with what reads, writes and resets it."""

    def __init__(self, value: Any) -> None:
        self._default = self._value = value

    def get(self) -> Any:
        return self._value

    def set(self, value: Any, *rest: Any) -> None:
        self._value = value

    def reset(self) -> None:
        self._value = self._default


class _Plans(_Setting):
    """How many plans of Fourier transforms are kept for a card."""

    def set(self, value: int) -> None:
        if value < 0:
            raise RuntimeError(f"cuFFT plan cache size must be non-negative, but got {value}")
        super().set(value)


def _functions() -> dict[str, Callable[..., Any]]:
    cublas, cublaslt = _Setting(_CUBLAS_WORKSPACE), _Setting(_CUBLASLT_WORKSPACE)
    functions: dict[str, Callable[..., Any]] = {}
    for name, setting in (("Cublas", cublas), ("CublasLt", cublaslt)):
        functions |= {
            f"_cuda_get{name}WorkspaceSize": setting.get,
            f"_cuda_set{name}WorkspaceSize": setting.set,
            f"_cuda_reset{name}WorkspaceSize": setting.reset,
        }
    empties_cache = _Setting(True)
    functions |= {
        "_cuda_get_conv_benchmark_empty_cache": empties_cache.get,
        "_cudnn_set_conv_benchmark_empty_cache": empties_cache.set,
    }
    # at::cuda::tunable, which looks for the fastest of many kernels. Here each has one.
    for start, enabled in (
        ("_cuda_tunableop", False),
        ("_cuda_tunableop_tuning", True),
        ("_cuda_record_untuned", False),
    ):
        setting = _Setting(enabled)
        functions |= {f"{start}_enable": setting.set, f"{start}_is_enabled": setting.get}
    for what, value in (
        ("max_tuning_duration", 30),
        ("max_tuning_iterations", 100),
        ("filename", ""),
        ("rotating_buffer_size", 0),
    ):
        setting = _Setting(value)
        functions |= {
            f"_cuda_tunableop_get_{what}": setting.get,
            f"_cuda_tunableop_set_{what}": setting.set,
        }
    for what, preferred in (
        ("linalg", torch._C._LinalgBackend.Default),
        ("blas", torch._C._BlasBackend.Cublas),
    ):
        setting = _Setting(preferred)
        functions |= {
            f"_get_{what}_preferred_backend": setting.get,
            f"_set_{what}_preferred_backend": setting.set,
        }
    return functions | {
        "_cuda_tunableop_get_results": lambda: (),
        "_cuda_tunableop_get_validators": lambda: (),
        "_cuda_tunableop_read_file": lambda filename=None: False,
        "_cuda_tunableop_set_numerical_check_tolerances": lambda *tolerances: None,
    }


def patch(patches: Patches) -> None:
    """Give the settings to torch, with their defaults."""
    patches.set(torch._C, **_functions())
    plans: defaultdict[int, _Plans] = defaultdict(lambda: _Plans(_PLANS))  # by card
    prop = torch.backends.cuda.cuFFTPlanCacheAttrContextProp
    patches.set(
        torch.backends.cuda.cuFFTPlanCache,
        size=prop(lambda card: 0, "cufft_plan_cache.size is a read-only property"),
        max_size=prop(lambda card: plans[card].get(), lambda card, size: plans[card].set(size)),
        clear=lambda self: None,
    )
