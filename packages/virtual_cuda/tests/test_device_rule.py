"""The same-device rule and its authentic texts."""

from __future__ import annotations

import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

SAME = "Expected all tensors to be on the same device, but "


def two(first: str, second: str) -> str:
    return f"{SAME}found at least two devices, {first} and {second}!"


def named(argument: str, device: str, others: str, method: str) -> str:
    return (
        f"{SAME}got {argument} is on {device}, different from other tensors on {others} "
        f"(when checking argument in method {method})"
    )


def conv(x: str, weight: str) -> str:
    return f"Input type ({x}) and weight type ({weight}) should be the same"


def c0(*size: int) -> torch.Tensor:
    return torch.ones(*size or (3,), device="cuda:0")


def c1(*size: int) -> torch.Tensor:
    return torch.ones(*size or (3,), device="cuda:1")


def cpu(*size: int) -> torch.Tensor:
    return torch.ones(*size or (3,))


LABELS = torch.tensor([0, 1, 2, 0])
IMAGE, FILTER = (1, 3, 8, 8), (4, 3, 3, 3)

CASES = {
    "add two cards": (lambda: c0() + c1(), two("cuda:0", "cuda:1")),
    "add cpu first": (lambda: cpu() + c0(), two("cuda:0", "cpu")),
    "add cpu second": (lambda: c1() + cpu(), two("cuda:1", "cpu")),
    "add 0-dim of a card": (lambda: cpu() + c1()[0], two("cuda:1", "cpu")),
    "one element is not 0-dim": (lambda: c0() + cpu(1), two("cuda:0", "cpu")),
    "in place": (lambda: c0().add_(c1()), two("cuda:0", "cuda:1")),
    "in place on cpu": (lambda: cpu().add_(c0()), two("cuda:0", "cpu")),
    "compare": (lambda: c0() > cpu(), two("cuda:0", "cpu")),
    "mse_loss": (lambda: F.mse_loss(c0(), cpu()), two("cuda:0", "cpu")),
    "linear, input on cpu": (
        lambda: nn.Linear(3, 2).cuda()(cpu(4, 3)),
        named("mat1", "cpu", "cuda:0", "wrapper_CUDA_addmm"),
    ),
    "linear, module on cpu": (
        lambda: nn.Linear(3, 2)(c0(4, 3)),
        named("mat1", "cuda:0", "cpu", "wrapper_CUDA_addmm"),
    ),
    "linear, two cards": (
        lambda: nn.Linear(3, 2).cuda(1)(c0(4, 3)),
        named("mat1", "cuda:0", "cuda:1", "wrapper_CUDA_addmm"),
    ),
    "linear without bias": (
        lambda: nn.Linear(3, 2, bias=False).cuda()(cpu(4, 3)),
        named("mat2", "cuda:0", "cpu", "wrapper_CUDA_mm"),
    ),
    "matmul": (
        lambda: c0(2, 2) @ cpu(2, 2),
        named("mat2", "cpu", "cuda:0", "wrapper_CUDA_mm"),
    ),
    "cross_entropy target": (
        lambda: F.cross_entropy(c0(4, 3), LABELS),
        named("target", "cpu", "cuda:0", "wrapper_CUDA_nll_loss_forward"),
    ),
    "cross_entropy weight": (
        lambda: F.cross_entropy(c0(4, 3), LABELS.cuda(), weight=cpu()),
        named("weight", "cpu", "cuda:0", "wrapper_CUDA_nll_loss_forward"),
    ),
    "embedding": (
        lambda: nn.Embedding(5, 2).cuda()(LABELS),
        named("index", "cpu", "cuda:0", "wrapper_CUDA__index_select"),
    ),
    "cat": (
        lambda: torch.cat([c0(), cpu()]),
        named("tensors", "cpu", "cuda:0", "wrapper_CUDA_cat"),
    ),
    "cpu tensor, cuda index": (
        lambda: cpu()[torch.tensor([0], device="cuda")],
        "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    ),
    "index of another card": (
        lambda: c1()[torch.tensor([0], device="cuda")],
        "indices should be either on cpu or on the same device as the indexed tensor (cuda:1)",
    ),
    "conv, input on cpu": (
        lambda: F.conv2d(cpu(*IMAGE), c0(*FILTER)),
        conv("torch.FloatTensor", "torch.cuda.FloatTensor")
        + " or input should be a MKLDNN tensor and weight is a dense tensor",
    ),
    "conv, weight on cpu": (
        lambda: F.conv2d(c0(*IMAGE), cpu(*FILTER)),
        conv("torch.cuda.FloatTensor", "torch.FloatTensor"),
    ),
    "conv, two cards": (
        lambda: F.conv2d(c0(*IMAGE), c1(*FILTER)),
        named("weight", "cuda:1", "cuda:0", "wrapper_CUDA__cudnn_convolution"),
    ),
    "masked_fill, mask on cpu": (
        lambda: c0(3).masked_fill_(torch.tensor([True, False, True]), 0),
        "expected self and mask to be on the same device, but got mask on cpu and self on cuda:0",
    ),
    "masked_fill, value on a card": (
        lambda: cpu(3).masked_fill_(torch.tensor([True, False, True]), c0()[()]),
        "masked_fill_: Expected inputs to be on same device",
    ),
    "values of indexing": (
        lambda: c0(3).index_put_((torch.tensor([0, 1]),), cpu(2)),
        two("cuda:0", "cpu"),
    ),
    "values of indexing, accumulated": (
        lambda: c0(3).index_put_((torch.tensor([0, 1]),), cpu(2), accumulate=True),
        "expected device cuda:0 but got device cpu for value tensor",
    ),
    "lists": (
        lambda: torch._foreach_add_([c0(3), cpu(3)], [c0(3), c0(3)]),
        two("cuda:0", "cpu"),
    ),
    "lists of two cards": (
        lambda: torch._foreach_mul([c1(3), c0(3)], [c1(3), c1(3)]),
        two("cuda:0", "cuda:1"),
    ),
    "out on cpu": (
        lambda: torch.mm(c0(2, 2), c0(2, 2), out=cpu(2, 2)),
        named("self", "cuda:0", "cpu", "wrapper_CUDA_mm_out_out"),
    ),
    "generator": (
        lambda: torch.rand(2, device="cuda", generator=torch.Generator()),
        "Expected a 'cuda' device type for generator but found 'cpu'",
    ),
}


@pytest.mark.parametrize(("mix", "text"), CASES.values(), ids=CASES.keys())
def test_mixing_devices(mix, text):
    with pytest.raises(RuntimeError, match="^" + re.escape(text) + "$"):
        mix()


def test_zero_dimensional_cpu_tensors_may_join():
    two_ = torch.tensor(2.0)
    for result in (c1() + two_, two_ * c1(), torch.maximum(c1(), two_), c1().mul_(two_)):
        assert result.get_device() == 1
        assert set(result.tolist()) <= {2.0, 3.0}


def test_cpu_index_may_index_a_card():
    x = torch.arange(4.0, device="cuda:1")
    assert x[torch.tensor([0, 2])].tolist() == [0, 2]
    assert x[torch.tensor([True, False, False, True])].tolist() == [0, 3]
    x[torch.tensor([1])] = 9.0
    assert x.tolist() == [0, 9, 2, 3]


def test_copy_crosses_devices():
    x = c0()
    x.copy_(torch.arange(3.0))
    target = cpu()
    target.copy_(x)
    c = c1()
    c.copy_(x)
    assert target.tolist() == c.tolist() == [0, 1, 2]
    target[0] = c[2]
    assert target[0] == 2


def test_lists_may_be_on_several_cards():
    total = torch._foreach_add([c0(2), c1(2), cpu(2)], [c0(2), c1(2), cpu(2)])
    assert [str(t.device) for t in total] == ["cuda:0", "cuda:1", "cpu"]
    torch._foreach_mul_([c0(2), c1(2)], torch.tensor(2.0))
    torch._foreach_copy_([c0(2), cpu(2)], [c1(2), c0(2)])


def test_an_error_stands_alone():
    with pytest.raises(RuntimeError) as caught:
        c0(2) + cpu(2)
    assert caught.value.__context__ is None
