"""The choice of CUDA's kernel for an attention.

The conditions of each kernel, their order, and the error if none fits are those of
``transformers/cuda/sdp_utils.cpp``. cuDNN's kernel, which torch prefers on an H100, is never
chosen.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)
MATH, FLASH, EFFICIENT = 0, 1, 2  # at::SDPBackend
_LARGEST_HEAD = 256


def _of_every_kernel(query: Tensor, key: Tensor, value: Tensor, gqa: bool) -> Iterator[str]:
    """The reasons why CUDA's own kernels refuse these tensors."""
    dims = query.dim(), key.dim(), value.dim()
    if set(dims) != {4}:
        yield (
            "All fused kernels requires query, key and value to be 4 dimensional, but got Query "
            f"dim: {dims[0]}, Key dim: {dims[1]}, Value dim: {dims[2]} instead."
        )
        return
    if len({tensor.shape[0] for tensor in (query, key, value)}) > 1:
        yield (
            "For dense inputs, both fused kernels require query, key and value to have the same "
            "batch_size."
        )
    heads = query.shape[1], key.shape[1], value.shape[1]
    if heads[1] != heads[2] or (heads[0] % max(heads[1], 1) if gqa else heads[0] != heads[1]):
        yield (
            "For dense input, both fused kernels require query, key and value to have the same "
            "num_heads."
        )
    if query.shape[2] == 0 or key.shape[2] == 0:
        yield "All fused kernels do not support zero seq_len_q or seq_len_kv."


def _of_flash(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, is_causal: bool, gqa: bool
) -> Iterator[str]:
    if not torch._C._get_flash_sdp_enabled():
        yield "Flash attention has been runtime disabled."
    yield from _of_every_kernel(query, key, value, gqa)
    if mask is not None:
        yield "Flash Attention does not support non-null attn_mask."
    sizes = query.shape[-1], key.shape[-1], value.shape[-1]
    if len(set(sizes)) > 1 or sizes[0] > _LARGEST_HEAD:
        yield (
            "Flash attention requires q,k,v to have the same last dimension and to be less than or "
            f"equal to 256. Got Query.size(-1): {sizes[0]}, Key.size(-1): {sizes[1]}, "
            f"Value.size(-1): {sizes[2]} instead."
        )
    major, minor = torch.cuda.get_device_capability(query.device)
    if major < 8:
        yield (
            "Flash attention only supports gpu architectures in the range [sm80, sm121]. "
            f"Attempting to run on a sm {major}.{minor} gpu."
        )
    lengths = query.shape[-2], key.shape[-2]
    if is_causal and lengths[0] != lengths[1]:
        yield (
            "Flash attention does not support the is_causal flag when seqlen_q != seqlen_k. Got "
            f"seqlen_q: {lengths[0]} seqlen_k: {lengths[1]}. If you would like to use causal "
            "attention with non-square masks, please see CausalAttnMask."
        )
    yield from _of_types("Half, BFloat16", HALVES, query, key, value)


def _of_efficient(query: Tensor, key: Tensor, value: Tensor, *unused: object) -> Iterator[str]:
    if not torch._C._get_mem_efficient_sdp_enabled():
        yield "Memory Efficient attention has been runtime disabled."
    yield from _of_every_kernel(query, key, value, gqa=False)
    major, _ = torch.cuda.get_device_capability(query.device)
    alignment = 8 if query.dtype in HALVES else 4 if major >= 8 else 1
    sizes = query.shape[-1], key.shape[-1], value.shape[-1]
    if sizes[0] != sizes[1] or any(size == 0 or size % alignment for size in sizes):
        yield (
            "Mem efficient attention requires last dimension of inputs to be divisible by "
            f"{alignment}. Got Query.size(-1): {sizes[0]}, Key.size(-1): {sizes[1]}, "
            f"Value.size(-1): {sizes[2]} instead."
        )
    if major >= 8:
        yield from _of_types("Half, Float, BFloat16", (*HALVES, torch.float32), query, key, value)
    else:
        yield from _of_types("Half, Float", (torch.float16, torch.float32), query, key, value)


def _of_types(names: str, types: tuple[torch.dtype, ...], *tensors: Tensor) -> Iterator[str]:
    query, key, value = (str(tensor.dtype).removeprefix("torch.") for tensor in tensors)
    if not (query == key == value and tensors[0].dtype in types):
        yield (
            f"Expected query, key and value to all be of dtype: {{{names}}}. Got Query dtype: "
            f"{query}, Key dtype: {key}, and Value dtype: {value} instead."
        )


# The reasons why one of CUDA's own kernels refuses a call; none if it accepts it.
_REASONS: dict[int, Callable[..., Iterator[str]]] = {FLASH: _of_flash, EFFICIENT: _of_efficient}


def choose(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> int:
    """The number of the kernel (``at::SDPBackend``).

    Raises RuntimeError if no other kernel fits and the general one is disabled.
    """
    asked = query, key, value, attn_mask, is_causal, enable_gqa
    for kernel in torch._C._get_sdp_priority_order():
        if kernel == MATH and torch._C._get_math_sdp_enabled():
            return kernel
        if kernel in _REASONS and next(_REASONS[kernel](*asked), None) is None:
            return kernel
    for name, kernel in (("Memory efficient", EFFICIENT), ("Flash attention", FLASH)):
        warnings.warn(f"{name} kernel not used because:", stacklevel=2)
        warnings.warn(next(_REASONS[kernel](*asked)), stacklevel=2)
    raise RuntimeError("No available kernel. Aborting execution.")


def can_use(kernel: int) -> Callable[..., bool]:
    """A function such as ``torch.backends.cuda.can_use_flash_attention``."""

    def can_use(params: Any, debug: bool = False) -> bool:
        tensors, mask = (params.query, params.key, params.value), params.attn_mask
        reason: str | None = "All tensors need to be on cuda device."
        if params.query.is_cuda:
            reasons = _REASONS[kernel](*tensors, mask, params.is_causal, params.enable_gqa)
            reason = next(reasons, None)
        if reason is not None and debug:
            warnings.warn(reason, stacklevel=2)
        return reason is None

    return can_use
