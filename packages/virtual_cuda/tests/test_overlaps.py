"""Operators that write into memory which they also read: torch notices, on cards too."""

from __future__ import annotations

import pytest
import torch

CARD = "cuda:1"
SOME = "unsupported operation: some elements of the input tensor and the written-to tensor"
ONE = "unsupported operation: more than one element of the written-to tensor"


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda x: x[1:].add_(x[:-1]), SOME),
        (lambda x: x[1:].mul_(x[:-1]), SOME),
        (lambda x: x[1:].addcmul_(x[:-1], x[:-1]), SOME),
        (lambda x: torch.add(x[1:], 1, out=x[:-1]), SOME),
        (lambda x: torch.cat([x[:2], x[2:]], out=x), SOME),
        (lambda x: torch.gather(x, 0, torch.zeros(5, dtype=torch.int64, device=CARD), out=x), SOME),
        (lambda x: x[:2].copy_(x[1:3]), SOME),
        (lambda x: x.expand(3, 5).add_(1), ONE),
    ],
)
def test_partial_overlaps_are_refused(write, text):
    x = torch.arange(5.0, device=CARD)
    x + 1  # the card is open to short kernels
    with pytest.raises(RuntimeError, match=text):
        write(x)
    assert x.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.add_(x),
        lambda x: x.add_(x.view(5)),
        lambda x: torch.add(x, x, out=x),
        lambda x: x.mul_(torch.tensor(2.0)),
    ],
)
def test_a_tensor_may_be_its_own_operand(write):
    x = torch.arange(5.0, device=CARD)
    assert write(x).tolist() == x.tolist() == [0, 2, 4, 6, 8]


def test_out_keeps_its_place_in_a_larger_tensor():
    whole, x = torch.zeros(4, 4, device=CARD), torch.randn(2, 2, device=CARD)
    torch.mm(x, x, out=whole[:2, :2])
    assert torch.equal(whole[:2, :2], x @ x) and not whole[2:].any()


def test_out_of_another_shape_is_resized_with_a_warning():
    x, out = torch.ones(2, 2, device=CARD), torch.empty(5, device=CARD)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.add(x, x, out=out)
    assert torch.equal(out, x + x)
    empty = torch.empty(0, device=CARD)
    torch.add(x, x, out=empty)  # that is meant to be resized
    assert torch.equal(empty, x + x)


def test_a_number_on_the_cpu_is_not_written_from_a_card():
    b = torch.tensor(2.0, device=CARD)
    for _ in range(2):  # the first call makes the short kernel
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
            torch.tensor(2.0).add_(b)
    assert b.add_(torch.tensor(1.0)).item() == 3
