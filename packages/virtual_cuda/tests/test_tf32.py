"""TF32: where a program allows it, products round their factors to ten bits of mantissa."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from virtual_cuda import switchboard

SLIGHTLY_MORE = 1 + 2**-12  # rounds to 1
A_BIT_MORE = 1 + 2**-10  # the smallest step that is kept


@pytest.fixture
def allowed() -> Iterator[None]:
    torch.backends.cuda.matmul.allow_tf32 = True
    yield
    torch.backends.cuda.matmul.allow_tf32 = False


def matrix(value: float) -> Tensor:
    return torch.full((4, 4), value, device="cuda:1")


def first(product: Tensor) -> float:
    return product.flatten()[0].item()


@pytest.mark.slow
def test_factors_are_rounded_and_summands_are_not(allowed):
    eye = torch.eye(4, device="cuda:1")
    assert first(matrix(SLIGHTLY_MORE) @ eye) == 1
    assert first(matrix(A_BIT_MORE) @ eye) == A_BIT_MORE
    assert first(torch.addmm(matrix(2**-12), matrix(SLIGHTLY_MORE), eye)) == SLIGHTLY_MORE
    assert first(matrix(SLIGHTLY_MORE)[None] @ eye[None]) == 1
    assert first(matrix(SLIGHTLY_MORE).double() @ eye.double()) == SLIGHTLY_MORE
    assert first(matrix(SLIGHTLY_MORE) * eye) == SLIGHTLY_MORE


def test_gradients_are_rounded_as_well(allowed):
    layer = nn.Linear(4, 4, bias=False, device="cuda:1")
    layer(matrix(SLIGHTLY_MORE)).sum().backward()
    assert layer.weight.grad is not None and first(layer.weight.grad) == 4


def test_what_is_not_a_number_stays(allowed):
    eye = torch.eye(4, device="cuda:1")
    assert matrix(float("nan")).mm(eye).isnan().all()
    assert first(matrix(float("inf")).mm(torch.ones(4, 4, device="cuda:1"))) == float("inf")


def test_it_ends_and_begins_with_the_setting():
    eye = torch.eye(4, device="cuda:1")
    for precision, expected in [("high", 1), ("highest", SLIGHTLY_MORE), ("high", 1)]:
        torch.set_float32_matmul_precision(precision)
        for _ in range(3):  # the first opens the cards to shorter kernels, where it may
            assert first(matrix(SLIGHTLY_MORE) @ eye) == expected
    torch.set_float32_matmul_precision("highest")


def test_an_older_card_has_none(allowed):
    with switchboard.replaced(cards=["T4"]):
        x = torch.full((4, 4), SLIGHTLY_MORE, device="cuda")
        assert first(x @ torch.eye(4, device="cuda")) == SLIGHTLY_MORE
