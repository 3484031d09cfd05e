"""Kernels without a CPU operator: allocation, storage changes, CUDA-only operators.

The formulas of the fused cells are those of ``aten/src/ATen/native/RNN.cpp``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .. import runtime
from ..retag import share_memory
from . import copy_on_write, dtypes, nested, resizing
from .boxed import BoxedKernel, Kernel, adopt, operator, place, set_layout

_WORTH_CHECKING = 1 << 20  # bytes
_TOO_MANY = 1 << 64  # elements, more than any number of bytes
_SCATTERS = (
    "scatter.reduce",
    "scatter_.reduce",
    "scatter.reduce_out",
    "scatter.value_reduce",
    "scatter_.value_reduce",
    "scatter.value_reduce_out",
)


def _allocate(
    elements: int,
    dtype: torch.dtype | None,
    device: torch.device | None,
    pin_memory: bool | None = None,
) -> int:
    """The device number for a new tensor, after a check that it fits into the device's memory."""
    if pin_memory:
        raise RuntimeError("Only dense CPU tensors can be pinned")  # ATen/EmptyTensor.cpp
    state = runtime.ready()
    index = state.check(runtime.resolve(device).index)
    nbytes = elements * (dtype or torch.get_default_dtype()).itemsize
    if nbytes >= _WORTH_CHECKING:  # a smaller tensor is refused as well, a moment later
        state.allocator(index).reserve(nbytes)
    return index


def _empty(
    size: Sequence[int],
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> Tensor:
    elements = math.prod(size)
    if elements >= _TOO_MANY:
        torch.empty(size, dtype=dtype, device="cpu")  # raises torch's own error
    index = _allocate(elements, dtype, device, pin_memory)
    content = torch.empty(
        size, dtype=dtype, device="cpu", memory_format=memory_format or torch.contiguous_format
    )
    return place(content, index)


def _empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> Tensor:
    span = 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=False))
    if len(size) != len(stride) or span >= _TOO_MANY:
        torch.empty_strided(size, stride, dtype=dtype, device="cpu")  # raises torch's own error
    index = _allocate(span if all(size) else 0, dtype, device, pin_memory)
    return place(torch.empty_strided(size, stride, dtype=dtype, device="cpu"), index)


def _contiguous_strides(size: Sequence[int]) -> list[int]:
    strides, step = [], 1
    for n in reversed(size):
        strides.append(step)
        step *= max(n, 1)
    return strides[::-1]


def _set(self: Tensor) -> Tensor:
    adopt(self, torch.empty(0, dtype=self.dtype))
    return self


def _set_storage(self: Tensor, source: Any) -> Tensor:
    set_layout(self, source, 0, [source.nbytes() // self.element_size()], [1])
    return self


def _set_storage_at(
    self: Tensor, source: Any, offset: int, size: Sequence[int], stride: Sequence[int] = ()
) -> Tensor:
    set_layout(self, source, offset, size, list(stride) or _contiguous_strides(size))
    return self


def _set_tensor(self: Tensor, source: Tensor) -> Tensor:
    set_layout(
        self, source.untyped_storage(), source.storage_offset(), source.size(), source.stride()
    )
    return self


def _native_dropout(input: Tensor, p: float, train: bool | None = None) -> tuple[Tensor, Tensor]:
    if train is False or p == 0:
        return input.clone(), torch.ones_like(input, dtype=torch.bool)
    if not input.is_floating_point():
        raise dtypes.refusal("fused_dropout", input.dtype)
    mask = torch.empty_like(input, dtype=torch.bool).bernoulli_(1 - p)
    return input * mask * (1 / (1 - p) if p < 1 else 0.0), mask


def _wider(name: str) -> Kernel:
    """A product with another result type than its operands: ``mm(a, b, out_dtype=…)``."""
    product = operator(name)

    def compute(*tensors: Tensor, **factors: Any) -> Tensor:
        *operands, dtype = tensors
        return product(*(tensor.to(dtype) for tensor in operands), **factors)

    return compute


def _addmm_activation(*tensors: Tensor, use_gelu: bool = False, **options: Any) -> Tensor:
    """``addmm`` with an activation; ``gelu`` by its approximation, as in cuBLASLt."""
    result = torch.addmm(*tensors, **options)
    if not use_gelu:
        return result.relu_()
    return torch.ops.aten.gelu_(result, approximate="tanh")


def _singular_values(name: str) -> Kernel:
    """An SVD kernel: cuSOLVER's drivers give the same result as the CPU's only method."""
    kernel = BoxedKernel(name)

    def compute(
        input: Tensor,
        full_matrices: bool = False,
        compute_uv: bool = True,
        *,
        driver: str | None = None,
        **out: Tensor,
    ) -> Any:
        if driver not in (None, "gesvd", "gesvdj", "gesvda"):
            raise RuntimeError(f"torch.linalg.svd: unknown svd driver {driver}")
        return kernel(input, full_matrices, compute_uv, **out)

    return compute


def _sum_without_nans(
    self: Tensor,
    dim: list[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """``nansum``, which on CUDA also accepts complex numbers."""
    if self.is_floating_point() or self.is_complex():
        self = self.masked_fill(self.isnan(), 0)
    return torch.sum(self, dim, keepdim, dtype=dtype, out=out)


def _scatter(name: str) -> Kernel:
    """A ``scatter`` that adds or multiplies: on CUDA it does not multiply complex numbers."""
    kernel = BoxedKernel(name)
    refuser = (
        "cuda_scatter_fill_base_kernel_reduce_multiply"
        if "value" in name
        else "cuda_scatter_gather_base_kernel_func"
    )

    def scatter(input: Tensor, *rest: Any, reduce: str, **out: Tensor) -> Tensor:
        if reduce == "multiply" and input.is_complex():
            raise dtypes.refusal(refuser, input.dtype)
        return kernel(input, *rest, reduce=reduce, **out)

    return scatter


def _softmax(name: str) -> Kernel:
    kernel = BoxedKernel(operator(name))

    def softmax(input: Tensor, dim: int, half_to_float: bool) -> Tensor:
        return kernel(input.float() if half_to_float else input, dim, False)

    return softmax


def _lstm_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    cx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    gates = input_gates + hidden_gates
    if input_bias is not None:
        assert hidden_bias is not None  # both exist, or none
        gates = gates + input_bias + hidden_bias
    i, f, c, o = gates.chunk(4, 1)
    i, f, c, o = i.sigmoid(), f.sigmoid(), c.tanh(), o.sigmoid()
    cy = f * cx + i * c
    return o * cy.tanh(), cy, torch.cat([i, f, c, o], 1)


def _lstm_cell_backward(
    grad_hy: Tensor | None,
    grad_cy: Tensor | None,
    cx: Tensor,
    cy: Tensor,
    workspace: Tensor,
    has_bias: bool,
) -> tuple[Tensor, Tensor, Tensor | None]:
    i, f, c, o = workspace.chunk(4, 1)
    t = cy.tanh()
    grad_h = grad_hy if grad_hy is not None else torch.zeros_like(cy)
    grad_c = grad_h * o * (1 - t * t)
    if grad_cy is not None:
        grad_c = grad_c + grad_cy
    gates = [grad_c * c * i * (1 - i), grad_c * cx * f * (1 - f), grad_c * i * (1 - c * c)]
    grad_gates = torch.cat([*gates, grad_h * t * o * (1 - o)], 1)
    return grad_gates, grad_c * f, grad_gates.sum(0) if has_bias else None


def _gru_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    hx: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    if input_bias is not None:
        assert hidden_bias is not None  # both exist, or none
        input_gates, hidden_gates = input_gates + input_bias, hidden_gates + hidden_bias
    ir, iz, i_n = input_gates.chunk(3, 1)
    hr, hz, h_n = hidden_gates.chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (i_n + r * h_n).tanh()
    return n + z * (hx - n), torch.cat([r, z, n, hx, h_n], 1)


def _gru_cell_backward(
    grad_hy: Tensor, workspace: Tensor, has_bias: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor | None]:
    r, z, n, hx, h_n = workspace.chunk(5, 1)
    grad_z = grad_hy * (hx - n) * z * (1 - z)
    grad_n = grad_hy * (1 - z) * (1 - n * n)
    grad_r = grad_n * h_n * r * (1 - r)
    grad_input = torch.cat([grad_r, grad_z, grad_n], 1)
    grad_hidden = torch.cat([grad_r, grad_z, grad_n * r], 1)
    biases = (grad_input.sum(0), grad_hidden.sum(0)) if has_bias else (None, None)
    return grad_input, grad_hidden, grad_hy * z, *biases


def _record_stream(self: Tensor, stream: torch.Stream) -> None:
    """Report ``record_stream`` to a trace. Memory is freed with its last owner, on any stream."""
    clock = runtime.started().clock
    if clock.trace is not None:
        clock.trace.recorded(clock.cards[stream.device_index].lanes[stream.stream_id], self)


def _is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether two tensors have the same storage and layout; their CPU aliases cannot show it."""
    return self is tensor or (
        share_memory(self, tensor)
        and self.storage_offset() == tensor.storage_offset()
        and (self.shape, self.stride()) == (tensor.shape, tensor.stride())
    )


SPECIAL_KERNELS: dict[str, Kernel] = {
    "empty.memory_format": _empty,
    "empty_strided": _empty_strided,
    "set_": _set,
    "set_.source_Storage": _set_storage,
    "set_.source_Storage_storage_offset": _set_storage_at,
    "set_.source_Tensor": _set_tensor,
    "is_set_to": _is_set_to,
    **nested.NESTED_KERNELS,
    "resize_": resizing.resize_tensor,
    "native_dropout": _native_dropout,
    "mm.dtype": _wider("mm"),
    "bmm.dtype": _wider("bmm"),
    "addmm.dtype": _wider("addmm"),
    "baddbmm.dtype": _wider("baddbmm"),
    "_addmm_activation": _addmm_activation,
    "_addmm_activation.out": _addmm_activation,
    "_linalg_svd": _singular_values("_linalg_svd"),
    "_linalg_svd.U": _singular_values("_linalg_svd.U"),
    "nansum": _sum_without_nans,
    "nansum.out": _sum_without_nans,
    **{name: _scatter(name) for name in _SCATTERS},
    "_softmax": _softmax("_softmax"),
    "_log_softmax": _softmax("_log_softmax"),
    "_thnn_fused_lstm_cell": _lstm_cell,
    "_thnn_fused_lstm_cell_backward_impl": _lstm_cell_backward,
    "_thnn_fused_gru_cell": _gru_cell,
    "_thnn_fused_gru_cell_backward": _gru_cell_backward,
    "_lazy_clone": copy_on_write.lazy_clone,
    "record_stream": _record_stream,
    # Choices that would lead to operators of CUDA's libraries.
    "_use_cudnn_ctc_loss": lambda *args: False,
    "_use_cudnn_ctc_loss.Tensor": lambda *args: False,
    "_use_miopen_ctc_loss": lambda *args: False,
    "_use_miopen_ctc_loss.Tensor": lambda *args: False,
}
