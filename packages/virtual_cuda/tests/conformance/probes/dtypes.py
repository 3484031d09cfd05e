"""Element types: what CUDA's kernels refuse, what they take, and which type comes out."""

from __future__ import annotations

import operator

import torch
import torch.nn.functional as F

from ..probe import refuses, shows

KERNELS = "aten/src/ATen/native/cuda/"
OPINFO = "torch/testing/_internal/common_methods_invocations.py dtypesIfCUDA of "
PROMOTION = "docs/source/tensor_attributes.rst: type promotion; test/test_type_promotion.py"
NAMES = {
    torch.int64: "Long",
    torch.int32: "Int",
    torch.uint8: "Byte",
    torch.bool: "Bool",
    torch.float16: "Half",
    torch.float32: "Float",
    torch.float8_e4m3fn: "Float8_e4m3fn",
    torch.complex64: "ComplexFloat",
}


def of(dtype, *shape):
    return torch.ones(shape or (2, 2), device="cuda").to(dtype)


# (operator, its call, an element type, the kernel that the message names, where its types are)
REFUSED = [
    ("mm", lambda x: x @ x, torch.int64, "addmm_cuda", "Blas.cpp addmm_out_cuda_impl"),
    ("mm", lambda x: x @ x, torch.bool, "addmm_cuda", "Blas.cpp addmm_out_cuda_impl"),
    ("mm", lambda x: x @ x, torch.float8_e4m3fn, "addmm_cuda", "Blas.cpp addmm_out_cuda_impl"),
    ("addmm", lambda x: torch.addmm(x, x, x), torch.int32, "addmm_cuda", "Blas.cpp"),
    ("linear", lambda x: F.linear(x, x), torch.uint8, "addmm_cuda", "Blas.cpp"),
    ("mv", lambda x: x @ x[0], torch.int64, "addmv_impl_cuda", "Blas.cpp addmv_out_cuda"),
    ("bmm", lambda x: x[None] @ x[None], torch.int64, "baddbmm_cuda", "Blas.cpp bmm_out_cuda"),
    ("dot", lambda x: x[0] @ x[0], torch.int64, "dot", "Blas.cpp dot_cuda"),
    ("vdot", lambda x: torch.vdot(x[0], x[0]), torch.int32, "dot", "Blas.cpp vdot_cuda"),
    ("einsum", lambda x: torch.einsum("ij,jk", x, x), torch.int64, "baddbmm_cuda", "Blas.cpp"),
    (
        "avg_pool2d",
        lambda x: F.avg_pool2d(x[None], 1),
        torch.int64,
        "avg_pool2d_out_cuda_frame",
        "AveragePool2d.cu",
    ),
    (
        "max_pool2d",
        lambda x: F.max_pool2d(x[None], 1),
        torch.int64,
        "max_pool2d_with_indices_out_cuda_frame",
        "DilatedMaxPool2d.cu",
    ),
    (
        "max_pool2d",
        lambda x: F.max_pool2d(x[None], 1),
        torch.uint8,
        "max_pool2d_with_indices_out_cuda_frame",
        "DilatedMaxPool2d.cu",
    ),
    (
        "max_pool3d",
        lambda x: F.max_pool3d(x[None, None], 1),
        torch.int64,
        "max_pool3d_with_indices_out_frame",
        "DilatedMaxPool3d.cu",
    ),
    (
        "bilinear interpolation",
        lambda x: F.interpolate(x[None, None], scale_factor=2, mode="bilinear"),
        torch.uint8,
        "upsample_bilinear2d_out_frame",
        "UpSampleBilinear2d.cu",
    ),
    (
        "bicubic interpolation",
        lambda x: F.interpolate(x[None, None], scale_factor=2, mode="bicubic"),
        torch.uint8,
        "upsample_bicubic2d_out_frame",
        "UpSampleBicubic2d.cu",
    ),
    (
        "trilinear interpolation",
        lambda x: F.interpolate(x[None, None, None], scale_factor=2, mode="trilinear"),
        torch.uint8,
        "upsample_trilinear3d_out_frame",
        "UpSampleTrilinear3d.cu",
    ),
    ("igamma", lambda x: torch.igamma(x, x), torch.float16, "igamma_cuda", "IGammaKernel.cu"),
    ("igammac", lambda x: torch.igammac(x, x), torch.float16, "igammac_cuda", "IGammaKernel.cu"),
    ("angle", lambda x: torch.angle(x), torch.float16, "angle_cuda", "UnaryComplexKernels.cu"),
    ("histc", lambda x: torch.histc(x), torch.float16, "histc", "SummaryOps.cu _histc_cuda"),
    ("gcd", lambda x: torch.gcd(x, x), torch.float32, "gcd_cuda", "GcdLcmKernel.cu"),
    ("lcm", lambda x: torch.lcm(x, x), torch.float32, "lcm_cuda", "GcdLcmKernel.cu"),
    ("&", lambda x: x & x, torch.float32, "bitwise_and_cuda", "BinaryBitwiseOpsKernels.cu"),
    ("|", lambda x: x | x, torch.float32, "bitwise_or_cuda", "BinaryBitwiseOpsKernels.cu"),
    ("^", lambda x: x ^ x, torch.float32, "bitwise_xor_cuda", "BinaryBitwiseOpsKernels.cu"),
    ("<<", lambda x: x << x, torch.float32, "lshift_cuda", "BinaryShiftOpsKernels.cu"),
    (">>", lambda x: x >> x, torch.float32, "rshift_cuda", "BinaryShiftOpsKernels.cu"),
    ("poisson", lambda x: torch.poisson(x), torch.int64, "poisson_cuda", "Distributions.cu"),
    (
        "logcumsumexp",
        lambda x: torch.logcumsumexp(x, 0),
        torch.int64,
        "logcumsumexp_cuda",
        "LogcumsumexpKernel.cu",
    ),
    ("cdist", lambda x: torch.cdist(x, x, p=1), torch.float16, "cdist_cuda", "DistanceKernel.cu"),
    ("pdist", lambda x: F.pdist(x), torch.float16, "pdist_cuda", "DistanceKernel.cu"),
    (
        "ctc_loss",
        lambda x: F.ctc_loss(
            of(x.dtype, 4, 1, 3), of(torch.int64, 1, 2), torch.tensor([4]), torch.tensor([2])
        ),
        torch.float16,
        "ctc_loss_cuda",
        "LossCTC.cu",
    ),
    ("softmax", lambda x: F.softmax(x, 0), torch.int64, "host_softmax", "SoftMax.cu host_softmax"),
    ("log_softmax", lambda x: F.log_softmax(x, 0), torch.int64, "host_softmax", "SoftMax.cu"),
    ("gelu", lambda x: F.gelu(x), torch.int64, "GeluCUDAKernelImpl", "ActivationGeluKernel.cu"),
    ("elu", lambda x: F.elu(x), torch.int64, "elu_cuda", "ActivationEluKernel.cu"),
    ("glu", lambda x: F.glu(x), torch.int64, "glu_cuda", "ActivationGluKernel.cu"),
    (
        "hardswish",
        lambda x: F.hardswish(x),
        torch.int64,
        "hardswish_cuda",
        "ActivationHardswishKernel.cu",
    ),
    (
        "hardsigmoid",
        lambda x: F.hardsigmoid(x),
        torch.int64,
        "hardsigmoid_cuda",
        "ActivationHardsigmoidKernel.cu",
    ),
    (
        "leaky_relu",
        lambda x: F.leaky_relu(x),
        torch.int64,
        "leaky_relu_cuda",
        "ActivationLeakyReluKernel.cu",
    ),
    (
        "logsigmoid",
        lambda x: F.logsigmoid(x),
        torch.int64,
        "log_sigmoid_forward_cuda",
        "ActivationLogSigmoidKernel.cu",
    ),
    ("mish", lambda x: F.mish(x), torch.int64, "mish_cuda", "ActivationMishKernel.cu"),
    ("silu", lambda x: F.silu(x), torch.int64, "silu_cuda", "ActivationSiluKernel.cu"),
    (
        "softplus",
        lambda x: F.softplus(x),
        torch.int64,
        "softplus_cuda",
        "ActivationSoftplusKernel.cu",
    ),
    (
        "softshrink",
        lambda x: F.softshrink(x),
        torch.int64,
        "softshrink_cuda",
        "ActivationSoftshrinkKernel.cu",
    ),
    (
        "hardshrink",
        lambda x: F.hardshrink(x),
        torch.int64,
        "hardshrink_cuda",
        "ActivationHardshrinkKernel.cu",
    ),
    ("lerp", lambda x: torch.lerp(x, x, 1), torch.int64, "lerp_cuda", "Lerp.cu"),
    (
        "adaptive_avg_pool2d",
        lambda x: F.adaptive_avg_pool2d(x[None], 2),
        torch.int64,
        "adaptive_avg_pool2d_cuda",
        "AdaptiveAveragePooling.cu",
    ),
    (
        "adaptive_max_pool2d",
        lambda x: F.adaptive_max_pool2d(x[None], 2),
        torch.int64,
        "adaptive_max_pool2d_cuda",
        "AdaptiveMaxPooling2d.cu",
    ),
    ("unfold", lambda x: F.unfold(x[None, None], 1), torch.int64, "im2col_out_cuda", "Im2Col.cu"),
    (
        "layer_norm",
        lambda x: F.layer_norm(x, (2,)),
        torch.int64,
        "LayerNormKernelImpl",
        "layer_norm_kernel.cu",
    ),
    (
        "group_norm",
        lambda x: F.group_norm(x[None], 1),
        torch.int64,
        "GroupNormKernelImpl",
        "group_norm_kernel.cu",
    ),
    (
        "embedding_bag",
        lambda x: F.embedding_bag(of(torch.int64, 1, 1), x),
        torch.int64,
        "embedding_bag_cuda",
        "EmbeddingBag.cu",
    ),
]
for name, call, dtype, kernel, where in REFUSED:
    refuses(
        f"{name} of {NAMES[dtype]}",
        KERNELS + where,
        lambda c=call, d=dtype: c(of(d)),
        f"\"{kernel}\" not implemented for '{NAMES[dtype]}'",
        "NotImplementedError",
    )

for dtype, text in {
    torch.int64: "getCudnnDataTypeFromScalarType() not supported for Long",
    torch.int32: "GET was unable to find an engine to execute this computation",
    torch.uint8: "GET was unable to find an engine to execute this computation",
}.items():
    refuses(
        f"conv2d of {NAMES[dtype]}",
        OPINFO + "conv2d; aten/src/ATen/cudnn/Types.cpp; pytorch/pytorch#152992",
        lambda d=dtype: F.conv2d(of(d, 1, 1, 3, 3), of(d, 1, 1, 2, 2)),
        text,
    )
refuses(
    "a Fourier transform of three halves",
    "test/test_spectral_ops.py test_fft_half_and_chalf",
    lambda: torch.fft.fft(of(torch.float16, 3)),
    "cuFFT only supports dimensions whose sizes are powers of two when computing in half precision",
)

TAKEN = [
    ("histc of int64", lambda: torch.histc(of(torch.int64), 2, 0, 2).dtype, torch.int64, "histc"),
    ("abs of bool", lambda: of(torch.bool).abs().dtype, torch.bool, "abs"),
    ("trace of bool", lambda: of(torch.bool).trace().item(), 2, "trace"),
    (
        "avg_pool3d of half",
        lambda: F.avg_pool3d(of(torch.float16, 1, 1, 1, 1, 1), 1).dtype,
        torch.float16,
        "nn.functional.avg_pool3d",
    ),
    (
        "rrelu of half",
        lambda: F.rrelu(of(torch.float16)).dtype,
        torch.float16,
        "nn.functional.rrelu",
    ),
    (
        "a Fourier transform of four halves",
        lambda: torch.fft.fft(of(torch.float16, 4)).dtype,
        torch.complex32,
        "fft.fft",
    ),
    (
        "cos of complex32",
        lambda: of(torch.float16).to(torch.complex32).cos().dtype,
        torch.complex32,
        "cos",
    ),
    (
        "sum of complex32",
        lambda: of(torch.float16).to(torch.complex32).sum().dtype,
        torch.complex32,
        "sum",
    ),
    (
        "multi_margin_loss of half",
        lambda: F.multi_margin_loss(of(torch.float16), of(torch.int64, 2)).dtype,
        torch.float16,
        "nn.functional.multi_margin_loss",
    ),
    (
        "mm of complex64",
        lambda: (of(torch.complex64) @ of(torch.complex64)).dtype,
        torch.complex64,
        "mm",
    ),
    (
        "mm of bfloat16",
        lambda: (of(torch.bfloat16) @ of(torch.bfloat16)).dtype,
        torch.bfloat16,
        "mm",
    ),
    (
        "conv2d of half",
        lambda: F.conv2d(of(torch.float16, 1, 1, 3, 3), of(torch.float16, 1, 1, 2, 2)).dtype,
        torch.float16,
        "nn.functional.conv2d",
    ),
]
for name, look, expected, op in TAKEN:
    shows(name, OPINFO + op, look, expected)

# A number leaves the type of a tensor alone, one without dimensions included, unless its kind is
# higher; so does a tensor without dimensions for one that has some.
KEPT = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "fmod": torch.fmod,
    "remainder": torch.remainder,
}
for name, call in KEPT.items():
    shows(
        f"int32 without dimensions {name} a number",
        PROMOTION,
        lambda c=call: c(torch.tensor(6, dtype=torch.int32, device="cuda"), 2).dtype,
        torch.int32,
    )
for name, call in {
    "*": operator.mul,
    "fmod": torch.fmod,
    "**": operator.pow,
    "xlogy": torch.xlogy,
    "copysign": torch.copysign,
    "/": operator.truediv,
}.items():
    shows(
        f"half without dimensions {name} a number",
        PROMOTION,
        lambda c=call: c(torch.tensor(3.0, dtype=torch.float16, device="cuda"), 2).dtype,
        torch.float16,
    )
for name, look, expected in [
    ("int64 + 1.0", lambda: (of(torch.int64) + 1.0).dtype, torch.float32),
    ("uint8 + -1", lambda: (of(torch.uint8) + -1).dtype, torch.uint8),
    ("bool + 1", lambda: (of(torch.bool) + 1).dtype, torch.int64),
    ("int64 / int64", lambda: (of(torch.int64) / of(torch.int64)).dtype, torch.float32),
    (
        "half + a float32 without dimensions",
        lambda: (of(torch.float16) + torch.tensor(1.0, device="cuda")).dtype,
        torch.float16,
    ),
    (
        "int32 + an int64 without dimensions",
        lambda: (of(torch.int32) + torch.tensor(1, device="cuda")).dtype,
        torch.int32,
    ),
    (
        "half + a float64 of the CPU without dimensions",
        lambda: (of(torch.float16) + torch.tensor(1.0, dtype=torch.float64)).dtype,
        torch.float16,
    ),
    ("half + bfloat16", lambda: (of(torch.float16) + of(torch.bfloat16)).dtype, torch.float32),
    ("float32 + 1j", lambda: (of(torch.float32) + 1j).dtype, torch.complex64),
    ("where with numbers", lambda: torch.where(of(torch.bool), 1.0, 0.0).dtype, torch.float32),
    ("sum of int32", lambda: of(torch.int32).sum().dtype, torch.int64),
    ("cumsum of bool", lambda: of(torch.bool).cumsum(0).dtype, torch.int64),
]:
    shows(name, PROMOTION, look, expected)
refuses(
    "a float result into an int tensor",
    PROMOTION,
    lambda: of(torch.int64).add_(1.5),
    "result type Float can't be cast to the desired output type Long",
)
