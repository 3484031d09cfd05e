"""The operators of ``nn.SyncBatchNorm``, which exist only for CUDA.

The statistics of each process's batch are combined, channel by channel.
Shapes: input [N, C, ...]; all others [C], or [processes, C] before the combination.
Formulas: ``aten/src/ATen/native/cuda/Normalization.cuh``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .boxed import Kernel


def _per_channel(values: Tensor, like: Tensor) -> Tensor:
    return values.view(1, -1, *(1,) * (like.dim() - 2))


def _channels(values: Tensor) -> Tensor:
    return values.transpose(0, 1).flatten(1)


def _scale(invstd: Tensor, weight: Tensor | None, like: Tensor) -> Tensor:
    return _per_channel(invstd if weight is None else invstd * weight, like)


def _stats(input: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    variance, mean = torch.var_mean(_channels(input).float(), 1, correction=0)
    return mean, (variance + eps).rsqrt()


def _gather_stats(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float,
    eps: float,
    counts: Tensor,
) -> tuple[Tensor, Tensor]:
    weights = counts.view(-1, 1).to(mean.dtype)
    total = weights.sum()
    common = (weights * mean).sum(0) / total
    squares = (weights * (invstd.pow(-2) - eps + (mean - common).square())).sum(0)
    if running_mean is not None:
        running_mean.lerp_(common.to(running_mean.dtype), momentum)
    if running_var is not None:
        running_var.lerp_((squares / (total - 1)).to(running_var.dtype), momentum)
    return common, (squares / total + eps).rsqrt()


def _gather_equal_stats(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    momentum: float,
    eps: float,
    count: int,
) -> tuple[Tensor, Tensor]:
    """As ``_gather_stats``, with one count for all processes."""
    counts = torch.full((len(mean),), count, device=mean.device)
    return _gather_stats(input, mean, invstd, running_mean, running_var, momentum, eps, counts)


def _normalise(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    invstd: Tensor,
    eps: float,
) -> Tensor:
    output = (input - _per_channel(mean, input)) * _scale(invstd, weight, input)
    if bias is not None:
        output = output + _per_channel(bias, input)
    return output.to(input.dtype)


def _backward_sums(
    grad: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    input_g: bool,
    weight_g: bool,
    bias_g: bool,
) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
    total = _channels(grad).sum(1)
    moment = _channels(grad * (input - _per_channel(mean, input))).sum(1)
    return (
        total,
        moment,
        moment * invstd if weight_g else None,
        total.clone() if bias_g else None,
    )


def _backward(
    grad: Tensor,
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    weight: Tensor | None,
    sum_dy: Tensor,
    sum_dy_xmu: Tensor,
    counts: Tensor,
) -> Tensor:
    total = counts.sum()
    slope = _per_channel(invstd.square() * sum_dy_xmu / total, input)
    centred = grad - _per_channel(sum_dy / total, input)
    result = (centred - (input - _per_channel(mean, input)) * slope) * _scale(invstd, weight, input)
    return result.to(input.dtype)


SYNC_BATCH_NORM_KERNELS: dict[str, Kernel] = {
    "batch_norm_stats": _stats,
    "batch_norm_gather_stats": _gather_equal_stats,
    "batch_norm_gather_stats_with_counts": _gather_stats,
    "batch_norm_elemt": _normalise,
    "batch_norm_backward_reduce": _backward_sums,
    "batch_norm_backward_elemt": _backward,
}
