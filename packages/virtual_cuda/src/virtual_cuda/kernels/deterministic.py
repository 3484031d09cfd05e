"""``torch.use_deterministic_algorithms``: the CUDA kernels that raise errors, with the texts.

The names are those in the alerts of PyTorch 2.13's CUDA library. The text is from
``aten/src/ATen/Context.cpp: alertNotDeterministic``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

from ..cards import close_to_all
from ..patches import Patches

_ALERTS = {
    "_adaptive_avg_pool2d_backward": "adaptive_avg_pool2d_backward_cuda",
    "_adaptive_avg_pool3d_backward": "adaptive_avg_pool3d_backward_cuda",
    "adaptive_max_pool2d_backward": "adaptive_max_pool2d_backward_cuda",
    "avg_pool3d_backward": "avg_pool3d_backward_cuda",
    "fractional_max_pool2d_backward": "fractional_max_pool2d_backward_cuda",
    "fractional_max_pool3d_backward": "fractional_max_pool3d_backward_cuda",
    "max_pool3d_with_indices_backward": "max_pool3d_with_indices_backward_cuda",
    "grid_sampler_2d_backward": "grid_sampler_2d_backward_cuda",
    "grid_sampler_3d_backward": "grid_sampler_3d_backward_cuda",
    "nll_loss2d_backward": "nll_loss2d_backward_out_cuda_template",
    "nll_loss2d_forward": "nll_loss2d_forward_out_cuda_template",
    "reflection_pad1d_backward": "reflection_pad1d_backward_out_cuda",
    "reflection_pad3d_backward": "reflection_pad3d_backward_out_cuda",
    "replication_pad1d_backward": "replication_pad1d_backward_cuda",
    "replication_pad2d_backward": "replication_pad2d_backward_cuda",
    "replication_pad3d_backward": "replication_pad3d_backward_cuda",
    "upsample_bicubic2d_backward": "upsample_bicubic2d_backward_out_cuda",
    "upsample_bilinear2d_backward": "upsample_bilinear2d_backward_out_cuda",
    "upsample_linear1d_backward": "upsample_linear1d_backward_out_cuda",
    "upsample_trilinear3d_backward": "upsample_trilinear3d_backward_out_cuda",
    "_ctc_loss_backward": "ctc_loss_backward_gpu",
    "_embedding_bag_backward": "embedding_bag_backward_cuda_max",
    "bincount": "_bincount_cuda",
    "histc": "_histc_cuda",
    "median": "median CUDA with indices output",
    "put_": "put_",
}
_MAX = 2  # the mode of an embedding bag
# Operators that are not deterministic only with some arguments.
_ONLY: dict[str, Callable[..., bool]] = {
    "bincount": lambda input, weights=None, minlength=0: weights is not None,
    "_embedding_bag_backward": lambda *args: args[8] == _MAX,
    "histc": lambda input, *rest: input.is_floating_point(),
    "median": lambda input, *dim: bool(dim),
    # Otherwise the CPU's kernel raises the error itself.
    "put_": lambda input, index, source, accumulate=False: accumulate,
}

_set_mode = torch._C._set_deterministic_algorithms


def is_on() -> bool:
    """Whether deterministic algorithms are on. Then every call uses the general kernel."""
    return torch._C._get_deterministic_algorithms()


def check(name: str, args: tuple[Any, ...]) -> None:
    """Raise RuntimeError, or warn, if CUDA's kernel is not deterministic."""
    kernel = _ALERTS.get(name)
    if kernel is None or (name in _ONLY and not _ONLY[name](*args)):
        return
    text = f"{kernel} does not have a deterministic implementation, but you set "
    last = (
        "You can{} file an issue at https://github.com/pytorch/pytorch/issues to help us "
        "prioritize adding deterministic support for this operation."
    )
    if torch._C._get_deterministic_algorithms_warn_only():
        text += "'torch.use_deterministic_algorithms(True, warn_only=True)'. "
        warnings.warn(text + last.format(""), stacklevel=2)
        return
    raise RuntimeError(
        text + "'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for "
        "this operation, or you can use the 'warn_only=True' option, if that's acceptable for your "
        "application. " + last.format(" also")
    )


def _set(mode: bool, warn_only: bool = False) -> None:
    _set_mode(mode, warn_only=warn_only)
    if mode:
        close_to_all()


def patch(patches: Patches) -> None:
    """React to the setting for deterministic algorithms."""
    patches.set(torch._C, _set_deterministic_algorithms=_set)
