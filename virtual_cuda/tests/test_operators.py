"""A sample of PyTorch's own operator database, on a card and on the CPU."""

from __future__ import annotations

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

pytestmark = pytest.mark.slow

# fmt: off
SAMPLED = {
    "abs", "add", "addmm", "all", "allclose", "amax", "argmax", "argsort", "baddbmm", "bmm", "cat",
    "cdist", "chunk", "clamp", "clone", "corrcoef", "cross", "cumsum", "diff", "div", "einsum",
    "expand", "fft.fft2", "flip", "gather", "histc", "index_add", "index_select", "isclose",
    "linalg.cholesky", "linalg.det", "linalg.inv", "linalg.norm", "linalg.solve", "logsumexp",
    "masked_fill", "matmul", "median", "nn.functional.avg_pool2d", "nn.functional.conv1d",
    "nn.functional.conv_transpose2d", "nn.functional.cross_entropy", "nn.functional.ctc_loss",
    "nn.functional.embedding", "nn.functional.grid_sample", "nn.functional.group_norm",
    "nn.functional.interpolate", "nn.functional.max_pool2d", "nn.functional.pad", "nonzero",
    "permute", "pow", "prod", "quantile", "roll", "scatter_add", "searchsorted", "sigmoid", "sort",
    "split", "std", "svd", "take_along_dim", "topk", "tril", "unfold", "unique", "var_mean",
    "where",
}
# fmt: on
OPERATORS = [op for op in op_db if op.name in SAMPLED and torch.float32 in op.dtypes]
SAMPLES = 4


def test_the_sample_is_what_it_says():
    assert {op.name for op in OPERATORS} == SAMPLED


def move(value: object) -> object:
    return value.to("cuda:1") if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: f"{op.name}{op.variant_test_name}")
def test_forward_is_the_cpus(op):
    compared = 0
    for sample in list(op.sample_inputs("cpu", torch.float32))[:SAMPLES]:
        expected = op(sample.input, *sample.args, **sample.kwargs)
        result = op(
            tree_map(move, sample.input),
            *tree_map(move, sample.args),
            **tree_map(move, sample.kwargs),
        )
        for want, got in zip(tree_leaves(expected), tree_leaves(result), strict=True):
            if isinstance(want, torch.Tensor):
                assert got.device == torch.device("cuda:1")
                torch.testing.assert_close(got.cpu(), want, rtol=1e-4, atol=1e-5, equal_nan=True)
            else:
                assert got == want
            compared += 1
    assert compared
