"""Settings of CUDA's allocator: checked with its error texts, then ignored with a warning.

Keys and texts: ``c10/cuda/CUDAAllocatorConfig.cpp``, ``c10/core/AllocatorConfig.h``. torch itself
checks the settings of all accelerators. Our allocator counts blocks and segments as CUDA's does
with default settings.
"""

from __future__ import annotations

import os
import re
import warnings

import torch

from ...patches import Patches

VARIABLES = "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"

_COMMON = {
    "expandable_segments",
    "garbage_collection_threshold",
    "large_segment_size_mb",
    "max_non_split_rounding_mb",
    "max_split_size_mb",
    "pinned_max_cached_size_mb",
    "pinned_max_power2_size_mb",
    "pinned_max_round_threshold_mb",
    "pinned_use_background_threads",
    "roundup_power2_divisions",
}
_BOOLEAN = {
    "graph_capture_record_stream_reuse",
    "pinned_use_cuda_host_register",
    "release_lock_on_cudamalloc",
}
_NUMBERS = {"pinned_num_register_threads", "pinned_reserve_segment_size_mb"}
_OF_HOST_OR_SPEED = re.compile("pinned_|release_lock_|backend")
_MOST_THREADS = 128
_PAIR = re.compile(r"([^:,\[\]]+):(\[[^\]]*\]|[^,]*)")

_caches = True

_set_common = torch._C._accelerator_setAllocatorSettings


def _check(key: str, value: str, position: int) -> None:
    """Raise ValueError as CUDA's parser does. ``position``: the index of the value's token."""
    if key in _BOOLEAN and value not in ("True", "False"):
        raise ValueError(
            f"Expected 'True' or 'False' at index {position} in ConfigTokenizer but got '{value}'"
        )
    if key in _NUMBERS and not value.isdecimal():
        raise ValueError("stoull")
    if key == "pinned_num_register_threads":
        threads = int(value)
        if threads & (threads - 1) or not threads:
            raise ValueError(f"Number of register threads has to be power of 2, got {threads}")
        if threads > _MOST_THREADS:
            raise ValueError(
                "Number of register threads should be less than or equal to "
                f"{_MOST_THREADS}, got {threads}"
            )
    if key == "backend" and value not in ("native", "cudaMallocAsync"):
        raise ValueError("Unknown allocator backend, options are native and cudaMallocAsync")
    if key not in _COMMON | _BOOLEAN | _NUMBERS | {"backend"}:
        raise ValueError(f"Unrecognized key '{key}' in CUDA allocator config.")


def _set(settings: str) -> None:
    tokens = 0
    keys = []
    for key, value in _PAIR.findall(settings.replace(" ", "")):
        _check(key, value, tokens + 2)
        tokens += 3 + len(re.findall(r"[^:,\[\]]+|[:,\[\]]", value))
        keys.append(key)
    _set_common(settings)
    if ignored := [key for key in keys if not _OF_HOST_OR_SPEED.match(key)]:
        _warn(", ".join(ignored), 3)


def _warn(what: str, level: int) -> None:
    warnings.warn(
        f"Virtual GPUs count memory like CUDA's allocator with default settings. {what} has no "
        "effect on the numbers.",
        stacklevel=level + 1,
    )


def _enable(value: bool) -> None:
    """``torch.cuda.caching_allocator_enable``."""
    global _caches
    _caches = value
    if not value:
        _warn("caching_allocator_enable(False)", 3)


def say_what_is_ignored() -> None:
    """Warn of settings in the environment, which CUDA reads when it starts."""
    for name in VARIABLES:
        if os.environ.get(name):
            _warn(f"{name}={os.environ[name]}", 2)


def patch(patches: Patches) -> None:
    """Check the settings as CUDA does."""
    global _caches
    _caches = True
    patches.set(
        torch._C,
        _accelerator_setAllocatorSettings=_set,
        _cuda_cudaCachingAllocator_enable=_enable,
        _cuda_cudaCachingAllocator_is_enabled=lambda: _caches,
    )
