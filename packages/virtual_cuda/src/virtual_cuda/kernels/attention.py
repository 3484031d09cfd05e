"""Attention: the operator itself, and the two kernels that only CUDA has.

In the CPU build, C++ has no function that chooses a CUDA kernel (``attention_choice``), and uses
the general formula. So the operator has a kernel here. It computes the formula in ``float32``. The
matrix of scores is not counted, because CUDA's kernels do not store it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..errors import UnsupportedFeature
from ..patches import Patches
from .attention_choice import EFFICIENT, FLASH, HALVES, MATH, can_use, choose
from .boxed import BoxedKernel, Kernel

_ALIGNED_SUMS = 32  # the efficient kernel pads its rows of sums to a multiple of this


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """``scaled_dot_product_attention`` by the kernel that CUDA would choose."""
    if not query.device == key.device == value.device:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got query.device: "
            f"{query.device} key.device: {key.device} and value.device: {value.device} instead."
        )
    options: dict[str, Any] = {"scale": scale}
    whole = torch.ops.aten.scaled_dot_product_attention.default
    kernel = MATH
    if not (is_causal and attn_mask is not None):  # the general kernel refuses both together
        kernel = choose(
            query, key, value, attn_mask, dropout_p, is_causal, enable_gqa=enable_gqa, **options
        )
    if kernel == MATH:
        options["enable_gqa"] = enable_gqa
        return whole.decompose(query, key, value, attn_mask, dropout_p, is_causal, **options)
    if kernel == FLASH:
        flash = torch.ops.aten._scaled_dot_product_flash_attention
        return flash(query, key, value, dropout_p, is_causal, **options)[0]
    if attn_mask is not None:
        if attn_mask.dtype is torch.bool:
            nothing = torch.zeros((), dtype=query.dtype, device=query.device)
            attn_mask = torch.where(attn_mask, nothing, -math.inf)
        attn_mask = attn_mask.expand(*query.shape[:-1], key.shape[-2])
    wants_sums = torch.is_grad_enabled() and any(
        x is not None and x.requires_grad for x in (query, key, value, attn_mask)
    )
    efficient = torch.ops.aten._scaled_dot_product_efficient_attention
    return efficient(query, key, value, attn_mask, wants_sums, dropout_p, is_causal, **options)[0]


def _with_all_heads(tensor: Tensor, heads: int) -> Tensor:
    """Keys or values of grouped heads, repeated for each head of the query."""
    return tensor.float().repeat_interleave(heads // tensor.shape[1], 1)


def _factor(query: Tensor, scale: float | None) -> float:
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def _scores(
    query: Tensor, key: Tensor, bias: Tensor | None, diagonal: int | None, scale: float | None
) -> Tensor:
    """The matrix of scores. ``diagonal``: the last key for the first query; None: no limit."""
    scores = query.float() @ _with_all_heads(key, query.shape[1]).mT * _factor(query, scale)
    if bias is not None:
        scores = scores + bias
    if diagonal is not None:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal)
        scores = scores.masked_fill(~seen, -math.inf)
    return scores


def _weights(scores: Tensor, sums: Tensor) -> Tensor:
    """A softmax from the logarithms of its sums. A row without allowed keys has zero weights."""
    return (scores - sums.masked_fill(sums == -math.inf, 0)[..., None]).exp()


def _kept(weights: Tensor, p: float, seed: int) -> Tensor:
    """The dropout mask, already scaled. It is the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    return torch.empty_like(weights).bernoulli_(1 - p, generator=generator) / (1 - p)


def _attend(
    draw: Callable[[], torch.Generator],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    p: float,
    diagonal: int | None,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Result, logarithms of the sums, and seed of the dropout."""
    scores = _scores(query, key, bias, diagonal, scale)
    sums = scores.logsumexp(-1)
    weights = _weights(scores, sums)
    seed = torch.zeros((), dtype=torch.int64)
    if p:
        seed.random_(generator=draw())
        weights = weights * _kept(weights, p, int(seed))
    result = weights @ _with_all_heads(value, query.shape[1])
    return result.to(query.dtype), sums, seed


def _gradients(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    out: Tensor,
    sums: Tensor,
    seed: Tensor,
    p: float,
    diagonal: int | None,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of query, key, value and of the scores."""
    weights = _weights(_scores(query, key, bias, diagonal, scale), sums)
    kept = _kept(weights, p, int(seed)) if p else 1.0
    grad, heads = grad.float(), query.shape[1]
    of_weights = grad @ _with_all_heads(value, heads).mT * kept
    of_scores = weights * (of_weights - (grad * out.float()).sum(-1, keepdim=True))
    factor = _factor(query, scale)

    def summed(gradient: Tensor, tensor: Tensor) -> Tensor:
        return gradient.unflatten(1, (tensor.shape[1], -1)).sum(2).to(tensor.dtype)

    return (
        (of_scores @ _with_all_heads(key, heads) * factor).to(query.dtype),
        summed(of_scores.mT @ query.float() * factor, key),
        summed((weights * kept).mT @ grad, value),
        of_scores,
    )


def _last_to_last(query: Tensor, key: Tensor) -> int:
    """The diagonal of the flash kernel: the last query uses the last key (flash_fwd_kernel.h)."""
    return key.shape[2] - query.shape[2]


def _flash(
    draw: Callable[[], torch.Generator],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    if return_debug_mask:
        raise UnsupportedFeature("masks of flash attention's dropout", "compare without dropout")
    if query.dtype not in HALVES:
        raise RuntimeError("FlashAttention only support fp16 and bf16 data type")
    diagonal = _last_to_last(query, key) if is_causal else None
    result, sums, seed = _attend(draw, query, key, value, None, p, diagonal, scale)
    lengths = query.shape[2], key.shape[2]
    state = torch.stack([seed, torch.zeros_like(seed)]).view(torch.uint64)
    unused, mask = torch.zeros((), dtype=torch.uint64), query.new_empty(0)
    result = torch.empty_like(query).copy_(result)  # with the query's memory layout
    return result, sums, None, None, *lengths, state, unused, mask


def _flash_backward(
    draw: Callable[[], torch.Generator],
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    sums: Tensor,
    cum_seq_q: Tensor | None,
    cum_seq_k: Tensor | None,
    max_q: int,
    max_k: int,
    p: float,
    is_causal: bool,
    state: Tensor,
    unused: Tensor,
    *,
    scale: float | None = None,
) -> tuple[Tensor, ...]:
    seed = state.view(torch.int64)[0]
    diagonal = _last_to_last(query, key) if is_causal else None
    found = _gradients(grad, query, key, value, None, out, sums, seed, p, diagonal, scale)
    pairs = zip((query, key, value), found, strict=False)  # with the layout of its input
    return tuple(torch.empty_like(tensor).copy_(gradient) for tensor, gradient in pairs)


def _by_length(tensor: Tensor) -> Tensor:
    """A copy with the efficient kernel's layout: the heads of a step are adjacent."""
    return tensor.transpose(1, 2).contiguous().transpose(1, 2)


def _efficient(
    draw: Callable[[], torch.Generator],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    wants_sums: bool,
    p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Tensor, ...]:
    diagonal = 0 if is_causal else None
    result, sums, seed = _attend(draw, query, key, value, bias, p, diagonal, scale)
    missing = -sums.shape[-1] % _ALIGNED_SUMS
    sums = torch.nn.functional.pad(sums, (0, missing)) if wants_sums else sums[..., :0]
    return _by_length(result), sums.contiguous(), seed, torch.zeros_like(seed)


def _efficient_backward(
    draw: Callable[[], torch.Generator],
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    out: Tensor,
    sums: Tensor,
    seed: Tensor,
    offset: Tensor,
    p: float,
    wanted: list[bool],
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Tensor | None, ...]:
    sums = sums[..., : query.shape[2]]
    diagonal = 0 if is_causal else None
    found = _gradients(grad, query, key, value, bias, out, sums, seed, p, diagonal, scale)
    *others, of_scores = map(_by_length, found)
    of_bias = None
    if bias is not None and wanted[3]:
        of_bias = of_scores.sum_to_size(bias.shape).to(bias.dtype)
    return (*(g if w else None for g, w in zip(others, wanted, strict=False)), of_bias)


_COMPUTED: dict[str, Kernel] = {
    "flash_attention": _flash,
    "flash_attention_backward": _flash_backward,
    "efficient_attention": _efficient,
    "efficient_attention_backward": _efficient_backward,
}
ATTENTION_KERNELS: dict[str, Kernel] = {
    "_fused_sdp_choice": choose,
    **{
        f"_scaled_dot_product_{name}": BoxedKernel(f"_scaled_dot_product_{name}", compute)
        for name, compute in _COMPUTED.items()
    },
}
WITH_GRADIENTS: dict[str, Kernel] = {"scaled_dot_product_attention": attend}


def patch(patches: Patches) -> None:
    """Install the functions that say which kernel can be used."""
    patches.set(
        torch._C,
        _can_use_flash_attention=can_use(FLASH),
        _can_use_mem_efficient_attention=can_use(EFFICIENT),
    )
