"""Products with four-bit weights, as in ``aten/src/ATen/native/cuda/int4mm.cu``.

On a GPU, weights are packed for its threads, in an order that only the product uses. Here they keep
their order, in a tensor of the same shape.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .boxed import Kernel

_ROWS, _COLUMNS, _THREADS = 8, 16, 32  # of a tile
_ZERO = 8  # the code for zero


def _pack(self: Tensor, innerKTiles: int) -> Tensor:
    rows, columns = self.shape[0], 2 * self.shape[1]  # two weights in a byte
    tiles = rows // _ROWS, columns // (innerKTiles * _COLUMNS)
    return self.contiguous().view(torch.int32).view(*tiles, _THREADS, innerKTiles // 2)


def _multiply(self: Tensor, mat2: Tensor, qGroupSize: int, qScaleAndZeros: Tensor) -> Tensor:
    if self.dtype is not torch.bfloat16:
        raise RuntimeError("_weight_int4pack_mm_cuda : expect A to be bfloat16 tensor.")
    pairs = mat2.reshape(mat2.shape[0] * _ROWS, -1).view(torch.uint8)
    weights = torch.stack([pairs >> 4, pairs & 15], dim=-1).flatten(1).to(self.dtype)
    scales, zeros = qScaleAndZeros.transpose(0, 1).repeat_interleave(qGroupSize, dim=1).unbind(-1)
    return self @ ((weights - _ZERO) * scales + zeros).t()


FOUR_BIT_KERNELS: dict[str, Kernel] = {
    "_convert_weight_to_int4pack": _pack,
    "_weight_int4pack_mm": _multiply,
}
