"""Element types: the differences between CUDA's and the CPU's kernels, and CUDA's errors.

The types of each operator are from PyTorch's own operator database
(``torch.testing._internal.common_methods_invocations``, ``dtypes`` and ``dtypesIfCUDA``). The
names of kernels in the messages are those in the CUDA library of PyTorch 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

INTEGERS = frozenset({torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool})
HALVES = frozenset({torch.float16, torch.bfloat16})
_FULL = frozenset({torch.float32, torch.float64, torch.complex64, torch.complex128})
USUAL = INTEGERS | HALVES | _FULL
"""The element types that ``torch.accelerator`` lists for every card."""
_COMPLEX_HALF = frozenset({torch.complex32})

_FLOAT8 = frozenset(
    {torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz}
)
_CUDNN = "cuDNN"  # marks a kernel of this library

# Types that the CPU accepts and CUDA refuses, with the name in the message, by operator.
REFUSED: dict[str, tuple[str, frozenset[torch.dtype]]] = {
    **dict.fromkeys(
        ("mm", "addmm", "addbmm", "_addmm_activation"), ("addmm_cuda", INTEGERS | _FLOAT8)
    ),
    **dict.fromkeys(("bmm", "baddbmm"), ("baddbmm_cuda", INTEGERS | _FLOAT8)),
    **dict.fromkeys(("mv", "addmv"), ("addmv_impl_cuda", INTEGERS | _FLOAT8)),
    "dot": ("dot", INTEGERS | _FLOAT8),
    "vdot": ("dot", INTEGERS | _FLOAT8),  # without complex numbers it is ``dot``
    "convolution": (_CUDNN, INTEGERS | _FLOAT8),
    "avg_pool2d": ("avg_pool2d_out_cuda_frame", INTEGERS),
    "avg_pool3d": ("avg_pool3d_out_cuda", INTEGERS),
    "max_pool2d_with_indices": ("max_pool2d_with_indices_out_cuda_frame", INTEGERS),
    "max_pool3d_with_indices": ("max_pool3d_with_indices_out_frame", INTEGERS),
    **dict.fromkeys(
        ("upsample_bilinear2d", "_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa"),
        ("upsample_bilinear2d_out_frame", INTEGERS),
    ),
    "upsample_linear1d": ("upsample_linear1d_out_frame", INTEGERS),
    "upsample_trilinear3d": ("upsample_trilinear3d_out_frame", INTEGERS),
    **dict.fromkeys(
        ("_embedding_bag", "_embedding_bag_forward_only"), ("embedding_bag_cuda", INTEGERS)
    ),
    "upsample_bicubic2d": ("upsample_bicubic2d_out_frame", INTEGERS),
    "angle": ("angle_cuda", HALVES),
    "histc": ("histc", HALVES),
    "igamma": ("igamma_cuda", HALVES),
    "igammac": ("igammac_cuda", HALVES),
}

# Types that CUDA accepts and the CPU refuses, by operator: computed in a wider type, then rounded.
# fmt: off
_HALF_ONLY = (
    "avg_pool3d", "avg_pool3d_backward", "multi_margin_loss", "multi_margin_loss_backward",
    "multilabel_margin_loss_forward", "multilabel_margin_loss_backward", "rrelu_with_noise",
    "_upsample_bicubic2d_aa", "_upsample_bicubic2d_aa_backward", "_upsample_bilinear2d_aa",
    "_upsample_bilinear2d_aa_backward",
)
# fmt: on
_COMPLEX_HALF_ONLY = (
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "div",
    "exp",
    "lerp",
    "log",
    "logaddexp",
    "pow",
    "prod",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "sum",
    "tan",
    "tanh",
)
_FOURIER = ("_fft_c2c", "_fft_c2r", "_fft_r2c")
_WIDENED: dict[str, frozenset[torch.dtype]] = {
    **dict.fromkeys(_HALF_ONLY, HALVES),
    **dict.fromkeys(_COMPLEX_HALF_ONLY, _COMPLEX_HALF),
    **dict.fromkeys(_FOURIER, frozenset({torch.float16, torch.complex32})),
    "angle": _COMPLEX_HALF,
    "abs": frozenset({torch.bool}),
    "trace": frozenset({torch.bool, torch.complex32, *HALVES}),  # halves until torch 2.12
    "histc": INTEGERS - {torch.bool},
}
# Types that the CPU accepts as well, but with disadvantages. A convolution's gradients take a
# hundred times as long as in a wider type, so a step with autocast would seem to hang; matrix
# products in bfloat16 take up to thirty times as long on a CPU without instructions for them. The
# other operators compute every step in half precision, while CUDA rounds only the result.
# fmt: off
BETTER_WIDER: dict[str, frozenset[torch.dtype]] = {
    "convolution_backward": frozenset({torch.float16}),
    **dict.fromkeys(("addmm", "baddbmm", "bmm", "mm"), frozenset({torch.bfloat16})),
    **dict.fromkeys(
        ("grid_sampler_2d", "grid_sampler_2d_backward", "grid_sampler_3d",
         "grid_sampler_3d_backward", "_native_multi_head_attention"),
        HALVES,
    ),
}
# fmt: on
# Operators whose gradient, for a softmax from half to float, is computed in float.
_SOFTMAX_GRADIENTS = {"_softmax_backward_data", "_log_softmax_backward_data"}
_WIDER = {
    torch.float16: torch.float32,
    torch.bfloat16: torch.float32,
    torch.complex32: torch.complex64,
    torch.bool: torch.uint8,
}

# CPU kernel -> CUDA kernel, for names that do not follow a rule.
# fmt: off
_NAMES = {
    "addcmul_cpu_out": "addcmul_cuda", "addmm_impl_cpu_": "addmm_cuda",
    "adaptive_avg_pool2d": "adaptive_avg_pool2d_cuda",
    "adaptive_max_pool2d": "adaptive_max_pool2d_cuda", "cdist": "cdist_cuda",
    "pdist": "pdist_cuda",
    "avg_pool2d": "avg_pool2d_out_cuda_frame",
    "avg_pool3d_out_frame": "avg_pool3d_out_cuda", "baddbmm": "baddbmm_cuda",
    "add_out_sparse_csr_impl_mkl": "add_out_sparse_csr_cuda_impl", "bmm": "baddbmm_cuda",
    "cadd_sparse": "add_out_sparse_cuda", "cross": "cross_cuda", "cumprod_out_cpu": "cumprod_cuda",
    "cumsum_out_cpu": "cumsum_cuda", "GeluKernelImpl": "GeluCUDAKernelImpl",
    "fractional_max_pool2d_out_frame": "fractional_max_pool2d_out_cuda_frame",
    "grid_sampler_2d_cpu_kernel_impl": "grid_sampler_2d_cuda",
    "grid_sampler3d_cpu": "grid_sampler_3d_cuda", "lerp_kernel_scalar": "lerp_cuda",
    "log_sigmoid_cpu": "log_sigmoid_forward_cuda", "log_softmax_kernel_impl": "host_softmax",
    "log_softmax_lastdim_kernel_impl": "host_softmax", "logcumsumexp_out_cpu": "logcumsumexp_cuda",
    "max_pool2d": "max_pool2d_with_indices_out_cuda_frame",
    "max_pool3d": "max_pool3d_with_indices_out_frame",
    "max_unpool2d": "max_unpooling2d_forward_kernel",
    "max_unpool3d": "max_unpooling3d_forward_kernel", "maximum_cpu": "max_elementwise_cuda",
    "median_cpu": "median_out_impl", "median_out": "median_out_impl",
    "minimum_cpu": "min_elementwise_cuda", "mode_cpu": "mode",
    "multi_margin_loss_cpu_kernel": "multi_margin_loss_cuda",
    "multilabel_margin_loss_forward_out_frame": "multilabel_margin_loss_forward_kernel",
    "nll_loss_out_frame": "nll_loss_forward_reduce_cuda_kernel_2d",
    "softmax_kernel_impl": "host_softmax", "softmax_lastdim_kernel_impl": "host_softmax",
    "softshrink_check": "softshrink_cuda", "trigamma": "trigamma_cuda",
    "upsample_bilinear2d_channels_last": "upsample_bilinear2d_out_frame",
    **dict.fromkeys(("ge_cpu", "gt_cpu", "le_cpu", "lt_cpu"), "compare_cuda"),
}
# fmt: on
_NOT_IMPLEMENTED = re.compile(r'^"(\w+)" not implemented for \'(\w+)\'$')
_MIXED, _MIXED_ON_CUDA = "expected m1 and m2 to have", "expected mat1 and mat2 to have"
# Other beginnings of the CPU's errors for a type without a kernel.
_OTHER_REFUSALS = (
    _MIXED,
    "MKL FFT doesn't support tensors of type",
    "expected scalar type Float but found Half",
)

Call = Callable[..., Any]


def _name(dtype: torch.dtype) -> str:
    return torch.empty(0, dtype=dtype).type().removeprefix("torch.").removesuffix("Tensor")


def refusal(kernel: str, dtype: torch.dtype) -> RuntimeError:
    """The error of a CUDA kernel for a type that it does not support.

    cuDNN has numbers for some types that its kernels do not support (``cudnn/Types.cpp``,
    pytorch/pytorch#152992).
    """
    name = _name(dtype)
    if kernel == _CUDNN:
        if dtype in (torch.int8, torch.uint8, torch.int32):
            return RuntimeError("GET was unable to find an engine to execute this computation")
        return RuntimeError(f"getCudnnDataTypeFromScalarType() not supported for {name}")
    return NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def _check_mask(tensor: Tensor, mask: Tensor, *value: Tensor) -> None:
    if mask.dtype is not torch.bool:
        raise RuntimeError(
            f"masked_fill only supports boolean masks, but got dtype {_name(mask.dtype)}"
        )


def _check_factors(x: Tensor, weight: Tensor, *bias: Tensor) -> None:
    if weight.type() != x.type():
        raise RuntimeError(
            f"Input type ({x.type()}) and weight type ({weight.type()}) should be the same"
        )


# Checks of dtypes, for operators whose CPU error has another text.
_MISFITS = {"masked_fill": _check_mask, "convolution": _check_factors}


def check(name: str, tensors: Iterable[Tensor]) -> None:
    """Raise CUDA's error for dtypes that only the CPU accepts.

    Errors for different dtypes come first, mostly from the operator itself.
    """
    misfit = _MISFITS.get(name.rstrip("_"))
    if misfit is not None:
        misfit(*tensors)
    kernel, refused = REFUSED.get(name.rstrip("_"), ("", frozenset()))
    found = {tensor.dtype for tensor in tensors} if refused else set()
    if len(found) == 1 and found <= refused:
        raise refusal(kernel, found.pop())


def in_words_of_cuda(error: Exception) -> Exception:
    """CUDA's error for a dtype that a CPU kernel refused."""
    found = _NOT_IMPLEMENTED.match(str(error))
    if found is None:
        text = str(error)
        return RuntimeError(text.replace(_MIXED, _MIXED_ON_CUDA)) if _MIXED in text else error
    kernel, dtype = found.groups()
    name = _NAMES.get(kernel) or re.sub(r"(_vml)?_cpu(?=_|$)", "_cuda", kernel)
    return NotImplementedError(f"\"{name}\" not implemented for '{dtype}'")


def widened(name: str, call: Call, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The result, computed in wider dtypes; None if CUDA refuses the dtype as well.

    Raises RuntimeError for a half-precision Fourier transform of a size that cuFFT refuses.
    """
    name = name.rstrip("_")
    if name in _SOFTMAX_GRADIENTS:
        gradient, output, dim, dtype = args
        return call(gradient, output, dim, gradient.dtype).to(dtype)
    types = _WIDENED.get(name) or BETTER_WIDER.get(name, frozenset())
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)]
    found = {tensor.dtype for tensor in tensors} & types
    if not found:
        return None
    if name in _FOURIER:
        _check_sizes(name, *args)
        narrow = {torch.float32: torch.float16, torch.complex64: torch.complex32}
    else:
        narrow = {_wider(dtype): dtype for dtype in found}

    def to_wide(value: Any) -> Any:
        if isinstance(value, Tensor) and value.dtype in found:
            return value.to(_wider(value.dtype))
        return _WIDER.get(value, value) if isinstance(value, torch.dtype) else value

    def to_narrow(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [to_narrow(item) for item in value]
        if value is None or value.dtype not in narrow:  # None: a gradient that is not needed
            return value
        return value.to(narrow[value.dtype])

    return to_narrow(
        call(*map(to_wide, args), **{key: to_wide(value) for key, value in kwargs.items()})
    )


def _wider(dtype: torch.dtype) -> torch.dtype:
    return _WIDER.get(dtype, torch.float32)


def is_better_wider(name: str, tensors: Iterable[Tensor]) -> bool:
    """Whether the CPU should compute in a wider type."""
    types = BETTER_WIDER.get(name)
    return types is not None and any(tensor.dtype in types for tensor in tensors)


def is_refusal(error: Exception) -> bool:
    """Whether it is the CPU's error for a type without a kernel."""
    text = str(error)
    return bool(_NOT_IMPLEMENTED.match(text)) or text.startswith(_OTHER_REFUSALS)


def _check_sizes(name: str, input: Tensor, dims: Sequence[int], *rest: Any) -> None:
    sizes = [input.shape[dim] for dim in dims]
    if name == "_fft_c2r":
        sizes[-1] = rest[-1]  # the size of the result
    if any(size & (size - 1) for size in sizes):
        raise RuntimeError(
            "cuFFT only supports dimensions whose sizes are powers of two when computing in half "
            f"precision, but got a signal size of{sizes}"
        )
