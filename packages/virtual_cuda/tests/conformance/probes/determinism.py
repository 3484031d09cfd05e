"""``torch.use_deterministic_algorithms``: what refuses on CUDA, and what goes on."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from ..probe import refuses, shows, warns

ALERTS = "test/test_torch.py test_nondeterministic_alert_"
DOCS = "docs: torch.use_deterministic_algorithms; torch/nn/functional.py: decompositions"


def deterministic(act, warn_only=False):
    torch.use_deterministic_algorithms(True, warn_only=warn_only)
    try:
        return act()
    finally:
        torch.use_deterministic_algorithms(False)


def x(*shape):
    return torch.ones(shape, device="cuda", requires_grad=True)


def backward(call, *shape):
    return lambda: call(x(*shape)).sum().backward()


def ints(*values):
    return torch.tensor(values, device="cuda")


def resized(mode, *shape):
    return backward(lambda t: F.interpolate(t, scale_factor=2, mode=mode), *shape)


def unpooled(call, pool, *shape):
    return lambda: call(*pool(x(*shape), 2, return_indices=True), 2)


REFUSED = {
    "AvgPool3d": ("avg_pool3d_backward_cuda", backward(lambda t: F.avg_pool3d(t, 2), 1, 2, 2, 2)),
    "AdaptiveAvgPool2d": (
        "adaptive_avg_pool2d_backward_cuda",
        backward(lambda t: F.adaptive_avg_pool2d(t, 2), 1, 4, 4),
    ),
    "AdaptiveAvgPool3d": (
        "adaptive_avg_pool3d_backward_cuda",
        backward(lambda t: F.adaptive_avg_pool3d(t, 2), 1, 4, 4, 4),
    ),
    "AdaptiveMaxPool2d": (
        "adaptive_max_pool2d_backward_cuda",
        backward(lambda t: F.adaptive_max_pool2d(t, 2), 1, 4, 4),
    ),
    "FractionalMaxPool2d": (
        "fractional_max_pool2d_backward_cuda",
        backward(lambda t: nn.FractionalMaxPool2d(2, output_ratio=0.5)(t), 1, 1, 4, 4),
    ),
    "FractionalMaxPool3d": (
        "fractional_max_pool3d_backward_cuda",
        backward(lambda t: nn.FractionalMaxPool3d(2, output_ratio=0.5)(t), 1, 1, 4, 4, 4),
    ),
    "MaxUnpool1d": ("max_unpooling2d_forward_out", unpooled(F.max_unpool1d, F.max_pool1d, 1, 1, 4)),
    "MaxUnpool2d": (
        "max_unpooling2d_forward_out",
        unpooled(F.max_unpool2d, F.max_pool2d, 1, 1, 4, 4),
    ),
    "MaxUnpool3d": (
        "max_unpooling3d_forward_out",
        unpooled(F.max_unpool3d, F.max_pool3d, 1, 1, 4, 4, 4),
    ),
    "interpolate_linear": ("upsample_linear1d_backward_out_cuda", resized("linear", 1, 1, 4)),
    "interpolate_bicubic": ("upsample_bicubic2d_backward_out_cuda", resized("bicubic", 1, 1, 4, 4)),
    "ReflectionPad1d": (
        "reflection_pad1d_backward_out_cuda",
        backward(lambda t: F.pad(t, (1, 1), "reflect"), 1, 1, 4),
    ),
    "ReflectionPad3d": (
        "reflection_pad3d_backward_out_cuda",
        backward(lambda t: F.pad(t, (1, 1, 1, 1, 1, 1), "reflect"), 1, 1, 4, 4, 4),
    ),
    "NLLLoss": (
        "nll_loss2d_forward_out_cuda_template",
        lambda: F.nll_loss(x(1, 2, 1, 1), ints(0)[None, None]),
    ),
    "CTCLoss": (
        "ctc_loss_backward_gpu",
        backward(
            lambda t: F.ctc_loss(t, ints([1, 2]), torch.tensor([4]), torch.tensor([2])), 4, 1, 3
        ),
    ),
    "EmbeddingBag_max": (
        "embedding_bag_backward_cuda_max",
        backward(lambda t: F.embedding_bag(ints([0, 1]), t, mode="max"), 3, 2),
    ),
    "put": ("put_", lambda: x(3).detach().put_(ints(0), x(1).detach())),
    "put_accumulate": ("put_", lambda: x(3).detach().put_(ints(0), x(1).detach(), accumulate=True)),
    "histc": ("_histc_cuda", lambda: torch.histc(x(3).detach())),
    "bincount": ("_bincount_cuda", lambda: torch.bincount(ints(0, 1), x(2).detach())),
    "median": ("median CUDA with indices output", lambda: torch.median(x(3).detach(), 0)),
    "grid_sample_2d": (
        "grid_sampler_2d_backward_cuda",
        backward(
            lambda t: F.grid_sample(t, torch.zeros(1, 2, 2, 2, device="cuda"), align_corners=False),
            1,
            1,
            2,
            2,
        ),
    ),
    "grid_sample_3d": (
        "grid_sampler_3d_backward_cuda",
        backward(
            lambda t: F.grid_sample(
                t, torch.zeros(1, 2, 2, 2, 3, device="cuda"), align_corners=False
            ),
            1,
            1,
            2,
            2,
            2,
        ),
    ),
}
for name, (kernel, act) in REFUSED.items():
    refuses(
        f"{name} refuses",
        ALERTS + name,
        lambda a=act: deterministic(a),
        f"{kernel} does not have a deterministic implementation, but you set "
        "'torch.use_deterministic_algorithms(True)'.",
    )
warns(
    "histc only warns",
    ALERTS + "histc",
    lambda: deterministic(REFUSED["histc"][1], warn_only=True),
    "_histc_cuda does not have a deterministic implementation, but you set "
    "'torch.use_deterministic_algorithms(True, warn_only=True)'.",
)
GOES_ON = {
    "a convolution": backward(lambda t: F.conv2d(t, t.detach()), 1, 1, 3, 3),
    "index_add": lambda: x(3).detach().index_add_(0, ints(0, 0), x(2).detach()),
    "scatter_add": lambda: x(3).detach().scatter_add_(0, ints(0, 0), x(2).detach()),
    "index_put that accumulates": lambda: (
        x(3).detach().index_put_((ints(0, 0),), x(2).detach(), accumulate=True)
    ),
    "the gradient of an index": backward(lambda t: t[ints(0, 0)], 3),
    "the gradient of index_select": backward(lambda t: t.index_select(0, ints(0, 0)), 3),
    "the gradient of gather": backward(lambda t: t.gather(0, ints(0, 0)), 3),
    "replication padding": backward(lambda t: F.pad(t, (1, 1), "replicate"), 1, 1, 4),
    "MaxPool3d with indices": backward(
        lambda t: F.max_pool3d(t, 2, return_indices=True)[0], 1, 2, 2, 2
    ),
    "trilinear interpolation": resized("trilinear", 1, 1, 4, 4, 4),
    "bilinear interpolation": resized("bilinear", 1, 1, 4, 4),
    "bincount without weights": lambda: torch.bincount(ints(0, 1)),
    "median without indices": lambda: torch.median(x(3).detach()),
    "cross entropy": backward(lambda t: F.cross_entropy(t, ints(0)), 1, 3),
    "a sum of products": lambda: x(2, 2) @ x(2, 2),
    "embedding": backward(lambda t: F.embedding(ints(0, 0), t), 3, 2),
}
for name, act in GOES_ON.items():
    shows(f"{name} goes on", DOCS, lambda a=act: deterministic(lambda: a() is a), False)
shows(
    "empty is filled with NaN",
    "docs: torch.utils.deterministic.fill_uninitialized_memory",
    lambda: deterministic(lambda: torch.empty(2, device="cuda").isnan().all().item()),
    True,
)
shows(
    "empty integers are filled with their largest",
    "docs: torch.utils.deterministic.fill_uninitialized_memory",
    lambda: deterministic(lambda: torch.empty(1, device="cuda", dtype=torch.int32).item()),
    2**31 - 1,
)
