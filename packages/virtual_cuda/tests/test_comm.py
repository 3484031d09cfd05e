"""Copies among cards: out= forms and argument checks, in comm.cpp's words."""

from __future__ import annotations

import re

import pytest
import torch
from torch.nn.parallel import comm, data_parallel


def on(index: int, *size: int) -> torch.Tensor:
    return torch.ones(*size, device=f"cuda:{index}")


SIX = torch.arange(6.0)

REFUSED = {
    "no device": (lambda: comm.scatter(SIX, []), "Expected at least one device to scatter to"),
    "sizes and devices": (
        lambda: comm.scatter(SIX, [0, 1], chunk_sizes=[6]),
        "Expected devices and chunk_sizes to be of same length, but got len(devices) = 2 and "
        "len(chunk_sizes) = 1",
    ),
    "sizes do not add up": (
        lambda: comm.scatter(SIX, [0, 1], chunk_sizes=[2, 3]),
        "split_with_sizes expects split_sizes to sum exactly to 6",
    ),
    "scatter to nothing": (
        lambda: comm.scatter(SIX, out=[]),
        "Expected at least one output tensor to scatter to",
    ),
    "scatter to the cpu": (
        lambda: comm.scatter(SIX, out=[on(0, 3), torch.empty(3)]),
        "Expected all output tensors to be CUDA tensors, but output tensor at index 1 has device "
        "'cpu'",
    ),
    "scatter shape": (
        lambda: comm.scatter(torch.ones(4, 2), out=[on(0, 2, 3)]),
        "Output tensor at index 0 has incorrect shape: [2, 3]. Expected same shape except for "
        "scatter dim 0 as the source tensor: [4, 2]",
    ),
    "scatter total": (
        lambda: comm.scatter(SIX, out=[on(0, 3), on(1, 2)]),
        "Total size for output tensors along scatter dim 0 does not match the source tensor size "
        "at dim 0. Expected 6, but got total size 5",
    ),
    "broadcast shape": (
        lambda: comm.broadcast(SIX, out=[on(0, 4)]),
        "Expected all output tensors to have same shape as the source tensor [6], but output "
        "tensor at index 0 has shape [4]",
    ),
    "broadcast to a missing card": (lambda: comm.broadcast(SIX, [0, 9]), "invalid device ordinal"),
    "gather nothing": (
        lambda: comm.gather([]),
        "Expected at least one tensor to gather from",
    ),
    "gather from the cpu": (
        lambda: comm.gather([on(0, 2), torch.ones(2)]),
        "Expected all input tensors to be CUDA tensors, but tensor at index 1 has device cpu",
    ),
    "gather dimensions": (
        lambda: comm.gather([on(0, 2), on(1, 2, 2)]),
        "Expected all input tensors to have the same number of dimensions, but tensor at index 1 "
        "has 2 dimensions, (expected 1)",
    ),
    "gather shapes": (
        lambda: comm.gather([on(0, 2, 2), on(1, 2, 3)]),
        "Input tensor at index 1 has invalid shape [2, 3], but expected [2, 2]",
    ),
    "gather out": (
        lambda: comm.gather([on(0, 2), on(1, 2)], out=on(0, 3)),
        "Expected out tensor to have shape [4], but got [3]",
    ),
    "reduce off the destination": (
        lambda: comm.reduce_add([on(0, 2), on(1, 2)], destination=3),
        "reduce_add expects destination to be on the same GPU with one of the tensors",
    ),
    "wrong stream": (
        lambda: comm.scatter(SIX, [0, 1], streams=[torch.cuda.Stream(2), None]),
        "Expected the device associated with the stream at index 0 (was 2) to match the device "
        "supplied at that index (expected 0)",
    ),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(call, text):
    with pytest.raises(RuntimeError, match=re.escape(text)):
        call()


def test_out_forms_fill_and_return_their_tensors():
    out = [torch.empty(2, device="cuda:1"), torch.empty(4, device="cuda:3")]
    assert comm.scatter(SIX, out=out)[1] is out[1]
    assert [t.tolist() for t in out] == [[0, 1], [2, 3, 4, 5]]
    for target in (torch.empty(6, device="cuda:2"), torch.empty(6)):
        assert comm.gather(out, out=target) is target and target.tolist() == SIX.tolist()
    copies = [torch.empty(6, device=f"cuda:{i}") for i in (0, 2)]
    comm.broadcast(SIX, out=copies)
    assert all(copy.tolist() == SIX.tolist() for copy in copies)


def test_a_tensor_that_is_there_is_not_copied():
    x = on(1, 4)
    assert comm.broadcast(x, [0, 1])[1] is x
    assert comm.reduce_add([x], 1) is x


def test_data_parallel_as_a_function():
    net = torch.nn.Linear(3, 2).cuda(1)
    result = data_parallel(net, torch.ones(5, 3), device_ids=[1, 2], output_device=3)
    assert result.shape == (5, 2) and result.get_device() == 3
    with pytest.raises(RuntimeError, match="module must have its parameters and buffers on"):
        data_parallel(net, torch.ones(5, 3), device_ids=[0, 1])


def test_scatter_and_gather_along_another_dimension():
    x = torch.arange(12.0).reshape(2, 6)
    parts = comm.scatter(x, [0, 1, 2], dim=1)
    assert [tuple(p.shape) for p in parts] == [(2, 2)] * 3
    assert torch.equal(comm.gather(parts, dim=1, destination="cpu"), x)
    double = torch.nn.DataParallel(torch.nn.Identity(), dim=1)
    assert torch.equal(double(x).cpu(), x)
