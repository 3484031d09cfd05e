"""Attention and products: which kernel CUDA takes, and what each of them refuses."""

from __future__ import annotations

import contextlib

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attention

from ..probe import refuses, shows, warns

SDP = "aten/src/ATen/native/transformers/cuda/sdp_utils.cpp "
BLAS = "aten/src/ATen/native/cuda/Blas.cpp "
FLASH, EFFICIENT, MATH = (
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
)
HALF, FLOAT = torch.float16, torch.float32
NONE = "No available kernel. Aborting execution."


def heads(dtype=HALF, size=16, length=8, batch=2):
    return torch.ones(batch, 2, length, size, device="cuda", dtype=dtype)


def by(kernel, *tensors, **options):
    with sdpa_kernel(kernel):
        return attention(*tensors, **options)


def choice(*tensors, **options):
    """The kernel that is chosen where cuDNN's is switched off."""
    with sdpa_kernel([FLASH, EFFICIENT, MATH]):
        return SDPBackend(torch._fused_sdp_choice(*tensors, **options)).name


def mask(dtype=HALF, length=8):
    return torch.zeros(length, length, device="cuda", dtype=dtype)


x = heads
CHOICES = [
    ("halves", lambda: choice(x(), x(), x()), "FLASH_ATTENTION", "check_dtypes_low_precision"),
    (
        "causal halves",
        lambda: choice(x(), x(), x(), is_causal=True),
        "FLASH_ATTENTION",
        "use_flash_attention",
    ),
    (
        "halves with dropout",
        lambda: choice(x(), x(), x(), None, 0.1),
        "FLASH_ATTENTION",
        "use_flash_attention",
    ),
    (
        "halves with a mask",
        lambda: choice(x(), x(), x(), mask()),
        "EFFICIENT_ATTENTION",
        "check_for_attn_mask",
    ),
    (
        "floats",
        lambda: choice(x(FLOAT), x(FLOAT), x(FLOAT)),
        "EFFICIENT_ATTENTION",
        "use_mem_efficient_attention",
    ),
    (
        "doubles",
        lambda: choice(x(torch.float64), x(torch.float64), x(torch.float64)),
        "MATH",
        "select_sdp_backend",
    ),
    (
        "floats of heads that are not aligned",
        lambda: choice(x(FLOAT, 6), x(FLOAT, 6), x(FLOAT, 6)),
        "MATH",
        "check_head_dim_size_mem_efficient",
    ),
    (
        "large heads of halves",
        lambda: choice(x(size=512), x(size=512), x(size=512)),
        "EFFICIENT_ATTENTION",
        "check_head_dim_size_flash",
    ),
    (
        "causal halves of two lengths",
        lambda: choice(x(length=4), x(), x(), is_causal=True),
        "EFFICIENT_ATTENTION",
        "check_flash_causal_non_square_seqlens",
    ),
    ("three dimensions", lambda: choice(x()[0], x()[0], x()[0]), "MATH", "check_tensor_shapes"),
]
for name, look, expected, where in CHOICES:
    shows(f"the kernel for {name}", SDP + where, look, expected)
REFUSALS = [
    (
        "flash for floats",
        FLASH,
        lambda: (x(FLOAT),) * 3,
        {},
        "Expected query, key and value to all be of dtype: "
        "{Half, BFloat16}. Got Query dtype: float",
        "check_tensor_dtype",
    ),
    (
        "flash with a mask",
        FLASH,
        lambda: (x(), x(), x(), mask()),
        {},
        "Flash Attention does not support non-null attn_mask.",
        "check_for_attn_mask",
    ),
    (
        "flash for large heads",
        FLASH,
        lambda: (x(size=512),) * 3,
        {},
        "Flash attention requires q,k,v to have the "
        "same last dimension and to be less than or equal to 256. Got Query.size(-1): 512",
        "check_head_dim_size_flash",
    ),
    (
        "flash for causal lengths that differ",
        FLASH,
        lambda: (x(length=4), x(), x()),
        {"is_causal": True},
        "Flash attention does not support the is_causal flag when seqlen_q != seqlen_k. Got "
        "seqlen_q: 4 seqlen_k: 8.",
        "check_flash_causal_non_square_seqlens",
    ),
    (
        "efficient for doubles",
        EFFICIENT,
        lambda: (x(torch.float64),) * 3,
        {},
        "Expected query, key and value to all be of dtype: {",
        "check_tensor_dtype",
    ),
    (
        "efficient for heads that are not aligned",
        EFFICIENT,
        lambda: (x(FLOAT, 6),) * 3,
        {},
        "Mem efficient attention requires last dimension of inputs to be divisible by 4.",
        "check_head_dim_size_mem_efficient",
    ),
    (
        "flash for three dimensions",
        FLASH,
        lambda: (x()[0],) * 3,
        {},
        "requires query, key and value to be 4 "
        "dimensional, but got Query dim: 3, Key dim: 3, Value dim: 3 instead.",
        "sdp_utils_cpp.h check_tensor_shapes",
    ),
    (
        "flash for two batches",
        FLASH,
        lambda: (x(), x(batch=1), x(batch=1)),
        {},
        "same batch_size",
        "sdp_utils_cpp.h check_batch_size_and_num_heads_dense",
    ),
]
for name, kernel, tensors, options, says, where in REFUSALS:
    refuses(name, SDP + where, lambda k=kernel, t=tensors, o=options: by(k, *t(), **o), NONE)

    def tried(kernel=kernel, tensors=tensors, options=options):
        with contextlib.suppress(RuntimeError):
            by(kernel, *tensors(), **options)

    warns(f"{name}: why", SDP + where, tried, says)
warns(
    "flash that is switched off",
    SDP + "check_runtime_disabled_flash",
    lambda: torch.backends.cuda.can_use_efficient_attention(
        torch.backends.cuda.SDPAParams(
            x(torch.float64), x(torch.float64), x(torch.float64), None, 0.0, False, False
        ),
        True,
    ),
    "Expected query, key and value to all be of dtype",
)
refuses(
    "causal with a mask",
    "aten/src/ATen/native/transformers/attention.cpp _scaled_dot_product_attention_math",
    lambda: attention(x(), x(), x(), mask(), is_causal=True),
    "Explicit attn_mask should not be set when is_causal=True",
)
refuses(
    "types that differ",
    "aten/src/ATen/native/transformers/attention.cpp validate_sdpa_input",
    lambda: attention(x(), x(FLOAT), x(FLOAT)),
    "Expected query, key, and value to have the same dtype, but got "
    "query.dtype: c10::Half key.dtype: float and value.dtype: float instead.",
)
refuses(
    "devices that differ",
    "aten/src/ATen/native/transformers/attention.cpp validate_sdpa_input",
    lambda: attention(x(), x().cpu(), x().cpu()),
    "Expected query, key, and value to have the same device type, "
    "but got query.device: cuda:0 key.device: cpu and value.device: cpu instead.",
)


def bytes_of(rows, inner=8, columns=8):
    return (
        torch.ones(rows, inner, dtype=torch.int8, device="cuda"),
        torch.ones(inner, columns, dtype=torch.int8, device="cuda"),
    )


shows(
    "_int_mm",
    BLAS + "_int_mm_out_cuda; test/test_linalg.py test__int_mm",
    lambda: torch._int_mm(*bytes_of(17)).dtype,
    torch.int32,
)
refuses(
    "_int_mm of sixteen rows",
    BLAS + "_int_mm_out_cuda; test/test_linalg.py test__int_mm_errors",
    lambda: torch._int_mm(*bytes_of(16)),
    "self.size(0) needs to be greater than 16, but got 16",
)
refuses(
    "_int_mm of seven columns",
    BLAS + "_int_mm_out_cuda; test/test_linalg.py test__int_mm_errors",
    lambda: torch._int_mm(*bytes_of(17, columns=7)),
    "mat2.size(1) needs to be greater than 0 and a multiple of 8, but got 7",
)
refuses(
    "_int_mm of an inner size of seven",
    BLAS + "_int_mm_out_cuda; test/test_linalg.py test__int_mm_errors",
    lambda: torch._int_mm(*bytes_of(17, inner=7)),
    "self.size(1) needs to be greater than 0 and a multiple of 8, but got 7",
)
refuses(
    "_int_mm of a row",
    BLAS + "_int_mm_out_cuda",
    lambda: torch._int_mm(bytes_of(17)[0][0], bytes_of(17)[1]),
    "Expected self to be of dimension 2 but got 1",
)
refuses(
    "mm of two types",
    "aten/src/ATen/native/LinearAlgebra.cpp addmm_meta",
    lambda: torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda", dtype=HALF),
    "expected mat1 and mat2 to have the same dtype, but got: float != c10::Half",
)
refuses(
    "mm of sizes that do not fit",
    "aten/src/ATen/native/LinearAlgebra.cpp",
    lambda: torch.ones(2, 3, device="cuda") @ torch.ones(2, 3, device="cuda"),
    "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
)
refuses(
    "a singular matrix",
    "aten/src/ATen/native/BatchLinearAlgebra.cpp; test/test_linalg.py test_inverse_errors",
    lambda: torch.linalg.inv(torch.zeros(2, 2, device="cuda")),
    "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the "
    "input matrix is singular.",
    "_LinAlgError",
)
refuses(
    "a matrix that is not positive",
    "aten/src/ATen/native/LinearAlgebraUtils.h",
    lambda: torch.linalg.cholesky(-torch.eye(2, device="cuda")),
    "linalg.cholesky: The factorization could not be completed because the input is not "
    "positive-definite (the leading minor of order 1 is not positive-definite).",
    "_LinAlgError",
)
