"""The costs of work on a virtual GPU: the constants and formulas of the virtual clock.

A model, not a measurement: the host launches each kernel, which takes a fixed time plus the longer
of its arithmetic and its memory traffic (a roofline). All times are whole nanoseconds, so that sums
are exact. The constants are rounded values of common CUDA programs: 5 µs for a launch from PyTorch,
2 µs for an empty kernel, 10 µs until a copy over PCIe starts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torch import Tensor

LAUNCH = 5_000  # of the host, for each kernel and copy
KERNEL = 2_000  # of the card, for an empty kernel
COPY_LATENCY = 10_000  # of a copy engine, before the first byte
QUERY = 1_000  # of the host, for each query of a stream or event, so that a loop of queries ends

# Operators whose result the host needs: it waits until the stream is empty.
SYNCHRONISING = frozenset(
    {
        "_local_scalar_dense",
        "_unique2",
        "bincount",
        "equal",
        "is_nonzero",
        "masked_select",
        "nonzero",
        "repeat_interleave",
        "unique_consecutive",
        "unique_dim",
    }
)


def _matrix_product(a: Tensor, b: Tensor, *rest: Any) -> int:
    return 2 * a.numel() * b.shape[-1]


def _added_matrix_product(added: Tensor, a: Tensor, b: Tensor, *rest: Any) -> int:
    return 2 * a.numel() * b.shape[-1]


def _convolution(
    input: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> int:
    if transposed:  # each input element is multiplied with each filter once
        return 2 * input.numel() * (weight.numel() // weight.shape[0])
    sizes, kernel = input.shape[2:], weight.shape[2:]
    # A list of one number applies to all dimensions.
    each = (
        of if len(of) == len(sizes) else [*of] * len(sizes) for of in (stride, padding, dilation)
    )
    outputs = math.prod(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(sizes, kernel, *each, strict=True)
    )
    return 2 * input.shape[0] * weight.numel() * outputs


def _convolution_backward(
    grad: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    wanted: Any,
) -> int:
    forward = 2 * (input if transposed else grad).numel() * (weight.numel() // weight.shape[0])
    return forward * (bool(wanted[0]) + bool(wanted[1]))


def _attention(query: Tensor, key: Tensor, value: Tensor, *rest: Any) -> int:
    scores = query.shape[:-1].numel() * key.shape[-2]
    return 2 * scores * (query.shape[-1] + value.shape[-1])


def _attention_backward(grad: Tensor, query: Tensor, key: Tensor, value: Tensor, *rest: Any) -> int:
    return _attention(query, key, value) * 5 // 2  # five products where forward has two


# Floating point operations of one call, from its positional arguments. Other operators are limited
# by memory traffic. The formulas agree with torch.utils.flop_counter.
FLOPS: dict[str, Callable[..., int]] = {
    "mm": _matrix_product,
    "bmm": _matrix_product,
    "mv": lambda a, b: 2 * a.numel(),
    "dot": lambda a, b: 2 * a.numel(),
    "addmm": _added_matrix_product,
    "addmm_": _added_matrix_product,
    "baddbmm": _added_matrix_product,
    "addmv": lambda added, a, b, *rest: 2 * a.numel(),
    "convolution": _convolution,
    "convolution_backward": _convolution_backward,
    "_scaled_dot_product_flash_attention": _attention,
    "_scaled_dot_product_flash_attention_backward": _attention_backward,
    "_scaled_dot_product_efficient_attention": _attention,
    "_scaled_dot_product_efficient_attention_backward": _attention_backward,
}
