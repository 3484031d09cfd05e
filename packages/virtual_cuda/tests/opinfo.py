"""PyTorch's own database of operators, and one of them on a card and on the CPU: is it the same?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves, tree_map

from virtual_cuda.random import mixed_seed

if TYPE_CHECKING:
    from torch.testing._internal.opinfo.core import OpInfo

CARD = torch.device("cuda:1")
SEED = 0
SAMPLES = 4
CLOSE = {"rtol": 1e-3, "atol": 1e-3, "equal_nan": True}

# A few of every kind; the whole table is left to `make test-all`.
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

# Their values are whatever the memory holds: only shape, type and device can agree.
UNINITIALISED = {
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "new_empty",
    "new_empty_strided",
}


@functools.cache
def operators() -> Mapping[str, OpInfo]:
    """All of them, by name. Reading the table takes seconds, so that nobody does it in passing."""
    from torch.testing._internal import common_utils
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.opinfo import core

    # For each sample torch would look through the stack for a TestCase, and for each frame through
    # all modules: minutes, where many are loaded.
    common_utils.extract_test_fn = core.extract_test_fn = lambda: None
    return {name_of(op): op for op in op_db}


def name_of(op: OpInfo) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def dtype_of(op: OpInfo) -> torch.dtype:
    if torch.float32 in op.dtypes:
        return torch.float32
    return sorted(op.dtypes or [torch.float32], key=str)[-1]


def tensors(value: Any) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, Tensor)]


def _moved(value: Any) -> Any:
    if not isinstance(value, Tensor):
        return CARD if isinstance(value, (str, torch.device)) and str(value) == "cpu" else value
    return value.detach().to(CARD).requires_grad_(value.requires_grad)


def _dense(tensor: Tensor) -> Tensor:
    tensor = tensor.detach().cpu()
    tensor = tensor if tensor.layout is torch.strided else tensor.to_dense()
    return tensor.float() if tensor.dtype.itemsize == 1 else tensor


def _gradients(results: list[Tensor], leaves: list[Tensor]) -> tuple[Tensor | None, ...] | None:
    results = [r for r in results if r.requires_grad and r.layout is torch.strided]
    leaves = [leaf for leaf in leaves if leaf.requires_grad]
    if not results or not leaves:
        return None
    total = sum((r.abs() if r.is_complex() else r).sum() for r in results)
    return torch.autograd.grad(total, leaves, allow_unused=True)


def _assert_same(got: Tensor, want: Tensor, values: bool) -> None:
    assert got.device == CARD, f"is on {got.device}"
    assert (got.shape, got.dtype, got.layout) == (want.shape, want.dtype, want.layout)
    if values:
        torch.testing.assert_close(_dense(got), _dense(want), **CLOSE)


def _samples(op: OpInfo) -> Iterator[Any]:
    dtype = dtype_of(op)
    grads = op.supports_autograd and (dtype.is_floating_point or dtype.is_complex)
    torch.manual_seed(SEED)
    samples = op.sample_inputs("cpu", dtype, requires_grad=grads)
    return islice((sample for sample in samples if not _names_a_card(sample)), SAMPLES)


def _names_a_card(sample: Any) -> bool:
    """Some samples ask for ``cuda`` wherever it is available: there is no CPU to compare with."""
    return any(
        isinstance(leaf, (str, torch.device)) and str(leaf).startswith("cuda")
        for leaf in tree_leaves((sample.args, sample.kwargs))
    )


@contextmanager
def _seeds_of_cards() -> Iterator[None]:
    """Let the CPU draw the numbers that a card draws after the same seed."""

    def manual_seed(seed: int) -> torch.Generator:
        return torch.default_generator.manual_seed(mixed_seed(seed))

    with mock.patch.object(torch, "manual_seed", manual_seed):
        manual_seed(SEED)
        yield


def compare(op: OpInfo) -> tuple[str | None, str | None]:
    """What went wrong forward and backward: "" for nothing, None for nothing to compare."""
    forward: str | None = None
    backward: str | None = None
    for sample in _samples(op):
        given = sample.input, sample.args, sample.kwargs
        try:
            with _seeds_of_cards():
                expected = op(sample.input, *sample.args, **sample.kwargs)
        except (RuntimeError, AssertionError, AttributeError):
            continue  # not for the CPU
        moved = tree_map(_moved, given)
        torch.cuda.manual_seed_all(SEED)
        try:
            with torch.cuda.device(CARD):
                result = op(moved[0], *moved[1], **moved[2])
            for got, want in zip(tensors(result), tensors(expected), strict=True):
                _assert_same(got, want, op.name not in UNINITIALISED)
        except Exception as error:
            return _short(error), backward
        forward = ""
        wanted = _gradients(tensors(expected), tensors(given))
        if wanted is None:
            continue
        try:
            found = _gradients(tensors(result), tensors(moved))
            assert found is not None
            for got, want in zip(found, wanted, strict=True):
                assert (got is None) == (want is None)
                if got is not None and want is not None:
                    _assert_same(got, want, True)
        except Exception as error:
            return forward, _short(error)
        backward = ""
    return forward, backward


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
