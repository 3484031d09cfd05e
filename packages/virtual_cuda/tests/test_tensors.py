"""Moving tensors: every way to say where, and what the moved tensor is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

CUDA1 = torch.device("cuda:1")

MOVES = {
    "to(text)": lambda x: x.to("cuda:1"),
    "to(device)": lambda x: x.to(CUDA1),
    "to(number)": lambda x: x.to(1),
    "to(device=)": lambda x: x.to(device="cuda:1"),
    "to(other)": lambda x: x.to(torch.empty(0, device="cuda:1")),
    "to(non_blocking)": lambda x: x.to("cuda:1", non_blocking=True),
    "cuda(number)": lambda x: x.cuda(1),
    "cuda(text)": lambda x: x.cuda("cuda:1"),
    "cuda(device)": lambda x: x.cuda(device=CUDA1),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_every_way_to_move(move):
    x = torch.randn(3, 4)
    y = move(x)
    assert type(y) is torch.Tensor
    assert y.device == CUDA1 and y.is_cuda and y.get_device() == 1
    assert y.type() == "torch.cuda.FloatTensor"
    assert torch.equal(y.cpu(), x)


def test_no_copy_where_nothing_changes():
    x = torch.randn(2)
    y = x.cuda(1)
    assert x.to("cpu") is x and x.cpu() is x
    assert y.to("cuda:1") is y and y.cuda(1) is y and y.to(torch.float32) is y
    z = y.to("cuda:1", copy=True)
    assert z is not y and z.data_ptr() != y.data_ptr()


def test_dtype_and_layout_travel():
    x = torch.randn(3, 4)
    y = x.to("cuda:2", torch.float16)
    assert (y.device, y.dtype) == (torch.device("cuda:2"), torch.float16)
    assert x.t().cuda().stride() == x.t().stride()
    back = y.to(torch.device("cpu"), torch.float64)
    assert torch.equal(back, x.half().double())


def test_cuda_without_number_is_the_current_device():
    x = torch.ones(1)
    assert x.cuda().get_device() == 0
    with torch.cuda.device(2):
        assert x.cuda().get_device() == x.to("cuda").get_device() == 2
        assert torch.ones(1, device="cuda").get_device() == 2
        assert x.to("cuda:1").get_device() == 1
    assert torch.cuda.current_device() == 0
    torch.cuda.set_device(3)
    assert x.cuda().get_device() == 3


def test_current_device_comes_back_after_an_exception():
    with pytest.raises(KeyError), torch.cuda.device(2):
        raise KeyError
    assert torch.cuda.current_device() == 0


@pytest.mark.parametrize(
    "use",
    [
        lambda: torch.ones(2).to("cuda:7"),
        lambda: torch.ones(2).cuda(4),
        lambda: torch.zeros(2, device="cuda:77"),
        lambda: torch.nn.Linear(2, 2).to("cuda:4"),
        lambda: torch.cuda.set_device(9),
        lambda: torch.Generator("cuda:4"),
    ],
)
def test_a_device_that_does_not_exist(use):
    with pytest.raises(torch.AcceleratorError, match="CUDA error: invalid device ordinal"):
        use()


def test_naming_a_missing_device_is_no_error():
    assert torch.device("cuda:7").index == 7


def test_numpy_says_what_to_do():
    text = (
        r"can't convert cuda:1 device type tensor to numpy. "
        r"Use Tensor.cpu\(\) to copy the tensor to host memory first."
    )
    x = torch.ones(2, device="cuda:1")
    for convert in (lambda: x.numpy(), lambda: np.asarray(x)):
        with pytest.raises(TypeError, match=text):
            convert()
    assert x.cpu().numpy().tolist() == [1, 1]


def test_repr_shows_the_device():
    ones = torch.ones(2, device="cuda:1")
    assert repr(ones) == "tensor([1., 1.], device='cuda:1')"
    doubled = ones.clone().requires_grad_() * 2
    assert repr(doubled) == "tensor([2., 2.], device='cuda:1', grad_fn=<MulBackward0>)"
    moved = torch.ones(1, requires_grad=True).to("cuda:1")
    assert repr(moved) == "tensor([1.], device='cuda:1', grad_fn=<ToCopyBackward0>)"
    assert not moved.is_leaf


def test_deepcopy_and_pickle_keep_device_and_values():
    x = torch.randn(3, device="cuda:1")
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.device == x.device and torch.equal(twin, x)
        twin.add_(1)
        assert not torch.equal(twin, x)


def test_views_share_memory():
    x = torch.zeros(4, 4, device="cuda:1")
    row = x[1]
    row += 1
    x.view(-1)[0] = 9
    assert x[0, 0].item() == 9 and x[1].tolist() == [1, 1, 1, 1]
    assert row._base is x
    assert x.untyped_storage().data_ptr() == row.untyped_storage().data_ptr()


def test_views_in_place_and_resizing():
    x = torch.arange(6.0, device="cuda")
    x.resize_(2, 3).t_().unsqueeze_(0)
    assert x.shape == (1, 3, 2)
    assert (x + 1).tolist() == [[[1, 4], [2, 5], [3, 6]]]
    grown = torch.arange(2.0, device="cuda").resize_(3)
    assert grown[:2].tolist() == [0, 1]


def test_conjugate_and_negative_views():
    z = torch.randn(3, dtype=torch.complex64)
    assert torch.equal((z.cuda().conj() * 2).cpu(), z.conj() * 2)
    assert torch.equal(z.cuda().conj().imag.cpu(), z.conj().imag)


def test_out_arguments():
    a, b = torch.randn(3, 3), torch.randn(3, 3)
    for out in (torch.empty(0, device="cuda"), torch.empty(3, 3, device="cuda")):
        assert torch.matmul(a.cuda(), b.cuda(), out=out) is out
        assert torch.allclose(out.cpu(), a @ b)
    column = torch.zeros(3, 2, device="cuda")
    torch.add(a[:, 0].cuda(), 1, out=column[:, 1])
    assert torch.equal(column[:, 1].cpu(), a[:, 0] + 1)


def test_out_of_range_index_is_a_device_side_assert():
    logits, target = torch.randn(2, 3, device="cuda"), torch.tensor([0, 7], device="cuda")
    with pytest.raises(torch.AcceleratorError, match="device-side assert triggered"):
        torch.nn.functional.cross_entropy(logits, target)
    with pytest.raises(IndexError):  # a Python number is checked by Python
        logits[5]


def test_half_scalars_keep_their_type():
    x = torch.ones(1, dtype=torch.float16, device="cuda")[0]
    assert (x + 2.0).dtype == torch.float16


def test_foreach_results_stay_with_their_operands():
    mixed = [torch.ones(2, device="cuda:0"), torch.ones(2, device="cuda:1")]
    assert [t.get_device() for t in torch._foreach_add(mixed, 1)] == [0, 1]
    powers = torch._foreach_pow(2.0, mixed)
    assert [(t.get_device(), t.tolist()) for t in powers] == [(0, [2, 2]), (1, [2, 2])]


def test_is_set_to_knows_a_view_of_the_whole():
    x = torch.ones(3, device="cuda")
    assert x.is_set_to(x) and x.is_set_to(x[:])
    assert not x.is_set_to(x[1:]) and not x.is_set_to(x.clone())
