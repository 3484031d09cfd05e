"""Attention: which kernel CUDA would take for it, and the two kernels that CUDA alone has.

On the CPU build C++ finds nobody to ask and takes the general way, so the operator itself has a
kernel here. What each of CUDA's takes, in which order they are tried, and what is said where none
is left: ``transformers/cuda/sdp_utils.cpp``. The values come from the formula, in ``float32``; its
matrix of scores is not counted, as the kernels of a card have none. cuDNN's kernel, which torch
prefers on an H100, is never chosen.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ..patches import Patches
from .boxed import BoxedKernel, Kernel

_HALVES = (torch.float16, torch.bfloat16)
_MATH, _FLASH, _EFFICIENT = 0, 1, 2  # at::SDPBackend
_LARGEST_HEAD = 256
_ALIGNED_SUMS = 32  # the efficient kernel fills its rows of sums up to a multiple of this


def _of_every_kernel(query: Tensor, key: Tensor, value: Tensor, gqa: bool) -> Iterator[str]:
    """Why neither of CUDA's own kernels takes these tensors."""
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
    yield from _of_types("Half, BFloat16", _HALVES, query, key, value)


def _of_efficient(query: Tensor, key: Tensor, value: Tensor, *unused: object) -> Iterator[str]:
    if not torch._C._get_mem_efficient_sdp_enabled():
        yield "Memory Efficient attention has been runtime disabled."
    yield from _of_every_kernel(query, key, value, gqa=False)
    major, _ = torch.cuda.get_device_capability(query.device)
    alignment = 8 if query.dtype in _HALVES else 4 if major >= 8 else 1
    sizes = query.shape[-1], key.shape[-1], value.shape[-1]
    if sizes[0] != sizes[1] or any(size == 0 or size % alignment for size in sizes):
        yield (
            "Mem efficient attention requires last dimension of inputs to be divisible by "
            f"{alignment}. Got Query.size(-1): {sizes[0]}, Key.size(-1): {sizes[1]}, "
            f"Value.size(-1): {sizes[2]} instead."
        )
    if major >= 8:
        yield from _of_types("Half, Float, BFloat16", (*_HALVES, torch.float32), query, key, value)
    else:
        yield from _of_types("Half, Float", (torch.float16, torch.float32), query, key, value)


def _of_types(names: str, types: tuple[torch.dtype, ...], *tensors: Tensor) -> Iterator[str]:
    query, key, value = (str(tensor.dtype).removeprefix("torch.") for tensor in tensors)
    if not (query == key == value and tensors[0].dtype in types):
        yield (
            f"Expected query, key and value to all be of dtype: {{{names}}}. Got Query dtype: "
            f"{query}, Key dtype: {key}, and Value dtype: {value} instead."
        )


# Why one of CUDA's own kernels does not take what is asked; nothing where it does.
_REASONS: dict[int, Callable[..., Iterator[str]]] = {_FLASH: _of_flash, _EFFICIENT: _of_efficient}


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

    Raises RuntimeError where the one that always works is switched off, and no other will do.
    """
    asked = query, key, value, attn_mask, is_causal, enable_gqa
    for kernel in torch._C._get_sdp_priority_order():
        if kernel == _MATH and torch._C._get_math_sdp_enabled():
            return kernel
        if kernel in _REASONS and next(_REASONS[kernel](*asked), None) is None:
            return kernel
    for name, kernel in (("Memory efficient", _EFFICIENT), ("Flash attention", _FLASH)):
        warnings.warn(f"{name} kernel not used because:", stacklevel=2)
        warnings.warn(next(_REASONS[kernel](*asked)), stacklevel=2)
    raise RuntimeError("No available kernel. Aborting execution.")


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
    kernel = _MATH
    if not (is_causal and attn_mask is not None):  # which is refused on the general way
        kernel = choose(
            query, key, value, attn_mask, dropout_p, is_causal, enable_gqa=enable_gqa, **options
        )
    if kernel == _MATH:
        options["enable_gqa"] = enable_gqa
        return whole.decompose(query, key, value, attn_mask, dropout_p, is_causal, **options)
    if kernel == _FLASH:
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
    """Keys or values of grouped heads, once for each head of the query."""
    return tensor.float().repeat_interleave(heads // tensor.shape[1], 1)


def _factor(query: Tensor, scale: float | None) -> float:
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def _scores(
    query: Tensor, key: Tensor, bias: Tensor | None, is_causal: bool, scale: float | None
) -> Tensor:
    scores = query.float() @ _with_all_heads(key, query.shape[1]).mT * _factor(query, scale)
    if bias is not None:
        scores = scores + bias
    if is_causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~seen, -math.inf)
    return scores


def _weights(scores: Tensor, sums: Tensor) -> Tensor:
    """A softmax by the logarithms of its sums. A row that sees nothing has no weight."""
    return (scores - sums.masked_fill(sums == -math.inf, 0)[..., None]).exp()


def _kept(weights: Tensor, p: float, seed: int) -> Tensor:
    """What dropout leaves, and by how much it is multiplied: the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    return torch.empty_like(weights).bernoulli_(1 - p, generator=generator) / (1 - p)


def _attend(
    draw: Callable[[], torch.Generator],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    p: float,
    is_causal: bool,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Result, logarithms of the sums, and the seed of the dropout."""
    scores = _scores(query, key, bias, is_causal, scale)
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
    is_causal: bool,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of query, key, value and of the scores."""
    weights = _weights(_scores(query, key, bias, is_causal, scale), sums)
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
    if query.dtype not in _HALVES:
        raise RuntimeError("FlashAttention only support fp16 and bf16 data type")
    result, sums, seed = _attend(draw, query, key, value, None, p, is_causal, scale)
    lengths = query.shape[2], key.shape[2]
    state = torch.stack([seed, torch.zeros_like(seed)]).view(torch.uint64)
    unused, mask = torch.zeros((), dtype=torch.uint64), query.new_empty(0)
    result = torch.empty_like(query).copy_(result)  # laid out in memory as the query
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
    return _gradients(grad, query, key, value, None, out, sums, seed, p, is_causal, scale)[:3]


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
    result, sums, seed = _attend(draw, query, key, value, bias, p, is_causal, scale)
    result = result.transpose(1, 2).contiguous().transpose(1, 2)  # as the kernel lays it out
    missing = -sums.shape[-1] % _ALIGNED_SUMS
    sums = torch.nn.functional.pad(sums, (0, missing)) if wants_sums else sums[..., :0]
    return result, sums.contiguous(), seed, torch.zeros_like(seed)


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
    found = _gradients(grad, query, key, value, bias, out, sums, seed, p, is_causal, scale)
    *others, of_scores = found
    of_bias = None
    if bias is not None and wanted[3]:
        of_bias = of_scores.sum_to_size(bias.shape).to(bias.dtype)
    return (*(g if w else None for g, w in zip(others, wanted, strict=False)), of_bias)


def _can_use(kernel: int) -> Callable[..., bool]:
    """``torch.backends.cuda.can_use_flash_attention`` and its like."""

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
    """Let programs ask which kernel would do."""
    patches.set(
        torch._C,
        _can_use_flash_attention=_can_use(_FLASH),
        _can_use_mem_efficient_attention=_can_use(_EFFICIENT),
    )
