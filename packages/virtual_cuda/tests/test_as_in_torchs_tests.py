"""What PyTorch's own tests of CUDA (test_cuda.py and its like) ask for beside larger topics."""

from __future__ import annotations

import gc
import pickle
import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn

CARD = "cuda:1"


def test_copying_a_number():
    x = torch.ones(3, device=CARD)
    assert x.copy_(1.5) is x and x.tolist() == [1.5] * 3
    assert x.copy_(True).tolist() == [1.0] * 3


ASSERTED = {
    "index": lambda x, i: x[i],
    "gather": lambda x, i: x.gather(0, i),
    "scatter": lambda x, i: x.scatter_(0, i, 1.0),
    "scatter_add": lambda x, i: x.scatter_add_(0, i, torch.ones(1, device=CARD)),
    "take": lambda x, i: x.take(i),
    "put": lambda x, i: x.put_(i, torch.ones(1, device=CARD)),
    "one_hot": lambda x, i: F.one_hot(i, 3),
    "embedding": lambda x, i: F.embedding(i, x[:, None]),
    "embedding_bag": lambda x, i: F.embedding_bag(i, x[:, None], torch.zeros_like(i)),
    "nll_loss": lambda x, i: F.nll_loss(x[None], i),
    "multi_margin_loss": lambda x, i: F.multi_margin_loss(x[None], i),
    "multinomial": lambda x, i: torch.multinomial(x - 2, 2, replacement=True),
    "binary_cross_entropy": lambda x, i: F.binary_cross_entropy(x + 2, x),
    "assert_async": lambda x, i: torch._assert_async(i - 7),
    "repeat_interleave": lambda x, i: i.repeat_interleave(-i),
}


@pytest.mark.parametrize("name", ASSERTED)
def test_asserted_by_kernels(name):
    with pytest.raises(torch.AcceleratorError, match="device-side assert triggered") as caught:
        ASSERTED[name](torch.rand(5, device=CARD), torch.tensor([7], device=CARD))
    assert pickle.loads(pickle.dumps(caught.value)).error_code == 710


def test_checked_before_any_kernel():
    x = torch.rand(3, device=CARD)
    with pytest.raises(RuntimeError, match=r"^selected index k out of range$"):
        x.topk(5)
    with pytest.raises(IndexError, match=r"^Dimension out of range"):
        x.cumsum(4)


def test_whole_numbers_divided_by_zero():
    x, divisor = torch.tensor([5, -5, 7], device=CARD), torch.tensor([0, 0, 2], device=CARD)
    pattern = [(1 << 32) - 1, -1, 1]
    assert torch.remainder(x, divisor).tolist() == torch.fmod(x, divisor).tolist() == pattern
    assert (x % 0).tolist() == [(1 << 32) - 1, -1, (1 << 32) - 1]
    assert (x.int() % 0).tolist() == [-1] * 3
    assert (x.abs().byte() % 0).tolist() == [255] * 3
    assert x.clone().remainder_(divisor).tolist() == pattern
    out = torch.empty_like(x)
    assert torch.remainder(x, divisor, out=out) is out and out.tolist() == pattern
    assert torch.div(x, divisor, rounding_mode="floor").tolist()[2] == 3
    assert torch.isinf(x / 0).all()  # with fractions there is a value


@pytest.mark.parametrize("dtype", [torch.complex64, torch.float16, torch.int32])
def test_sums_without_nans(dtype):
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=dtype, device=CARD)
    y = x.clone()
    if dtype is not torch.int32:
        y[0, 1] = y[1, 1] = float("nan")
        x[:, 1] = 0
    out = torch.empty_like(x[0])
    assert torch.equal(torch.nansum(y, 0, out=out), x.sum(0)) and out.device == x.device
    assert torch.equal(y.nansum(), x.sum()) and torch.equal(y.nansum(1, True), x.sum(1, True))


def test_results_with_places_of_their_own():
    x = torch.tensor([[1.0, 2, 2], [3, 3, 1]], device=CARD)
    values, indices = torch.empty(0, device=CARD), torch.empty(0, dtype=torch.int64, device=CARD)
    torch.mode(x, 1, out=(values, indices))
    assert values.tolist() == [2, 3] and indices.device == x.device
    sparse = torch.eye(2, device=CARD).to_sparse_csr()
    out = sparse.clone()
    torch.sparse.sampled_addmm(sparse, x[:, :2], x[:, 1:], beta=0, out=out)
    assert out.values().tolist() == [8, 9]


def test_errors_have_cudas_numbers():
    with pytest.raises(torch.AcceleratorError) as caught:
        torch.ones(1, device="cuda:7")
    assert caught.value.error_code == 101


@pytest.mark.parametrize(
    "make",
    [
        lambda **pin: torch.arange(5, **pin),
        lambda **pin: torch.eye(3, **pin),
        lambda **pin: torch.linspace(0, 1, 3, **pin),
        lambda **pin: torch.randint(2, (3,), **pin),
        lambda **pin: torch.randperm(4, **pin),
        lambda **pin: torch.rand_like(torch.ones(2), **pin),
        lambda **pin: torch.full_like(torch.ones(2), 3, **pin),
        lambda **pin: torch.empty_strided((2,), (1,), **pin),
        lambda **pin: torch.ones(2).new_zeros(3, **pin),
        lambda **pin: torch.scalar_tensor(1.0, **pin),
    ],
)
def test_every_factory_pins(make):
    assert make(pin_memory=True).is_pinned() and not make().is_pinned()


def test_more_than_an_exabyte():
    with pytest.raises(torch.OutOfMemoryError) as caught:
        torch.empty(1 << 63 >> 1, dtype=torch.int8, device="cuda")
    assert str(caught.value) == "CUDA out of memory. Tried to allocate more than 1EB memory."


def test_events_have_a_handle_once_recorded():
    event = torch.cuda.Event()
    assert event.cuda_event == 0
    event.record()
    assert event.cuda_event == event.event_id != 0
    assert issubclass(torch.cuda.Stream, torch.Stream)


def test_streams_of_other_libraries():
    stream = torch.cuda.Stream(CARD)
    same = torch.cuda.ExternalStream(stream.cuda_stream, device=CARD)
    assert same == stream and same.__cuda_stream__() == (0, stream.cuda_stream)


def test_handles_of_streams_are_none_of_the_drivers_own():
    x = torch.arange(3, device=CARD)
    for _ in range(4):
        with torch.cuda.stream(torch.cuda.Stream(CARD)) as stream:
            assert torch.cuda.current_stream().cuda_stream > 2  # 1 and 2: the driver's defaults
            assert torch.equal(torch.from_dlpack(x), x), stream
    assert torch.cuda.ExternalStream(1, CARD) == torch.cuda.default_stream(CARD)


def test_streams_leave_no_cycles():
    gc.collect()
    stream = torch.cuda.Stream()
    with stream:
        pass
    del stream
    assert gc.collect() == 0


def test_settings_of_cudnn_come_back():
    limit = torch._C._cuda_get_cudnn_benchmark_limit()
    with torch.backends.cudnn.flags(enabled=True, benchmark_limit=3):
        assert torch._C._cuda_get_cudnn_benchmark_limit() == 3
    assert torch._C._cuda_get_cudnn_benchmark_limit() == limit


def test_levels_of_the_sync_debug_mode():
    with pytest.raises(RuntimeError, match="expected one of 0,1,2"):
        torch.cuda.set_sync_debug_mode(7)


def test_nothing_waits_for_a_size_that_is_given():
    x, repeats = torch.ones(2, device=CARD), torch.tensor([1, 2], device=CARD)
    torch.cuda.set_sync_debug_mode("error")
    try:
        assert x.repeat_interleave(repeats, output_size=3).shape == (3,)
        x[x > 0] = 2.0
        for waits in (
            lambda: x.repeat_interleave(repeats),
            lambda: x[x > 0],
            lambda: x[[0]],
            lambda: x.index_put_((torch.tensor([1]),), x[0]),
        ):
            with pytest.raises(RuntimeError, match="called a synchronizing CUDA operation"):
                waits()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_old_names_of_types_are_advised_against():
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="constructors are no longer recommended"):
            torch.cuda.FloatTensor(2)
        with pytest.warns(UserWarning, match="is deprecated as of PyTorch 2.1"):
            torch.set_default_tensor_type(torch.cuda.FloatTensor)
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
        torch.set_warn_always(False)


def test_deterministic_algorithms_fill_what_grows(mode_again):
    torch.use_deterministic_algorithms(True)
    x, y = torch.ones(2, device=CARD), torch.ones(2, dtype=torch.int64, device=CARD)
    assert x.resize_(4)[:2].tolist() == [1, 1] and x[2:].isnan().all()
    assert y.resize_(3)[2] == torch.iinfo(torch.int64).max


def test_a_transformer_with_padding():
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2).eval()
    x, padding = torch.randn(2, 5, 16), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    with torch.no_grad():
        expected = encoder(x, src_key_padding_mask=padding)
        y = encoder.to(CARD)(x.to(CARD), src_key_padding_mask=padding.to(CARD))
    torch.testing.assert_close(y.cpu()[~padding], expected[~padding], rtol=1e-4, atol=1e-4)


def test_norms_over_several_cards():
    parameters = [nn.Parameter(torch.ones(3, device=f"cuda:{k}")) for k in (0, 1)]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    norm = nn.utils.clip_grad_norm_(parameters, 2.0, norm_type=0.5, foreach=True)
    assert norm.item() == pytest.approx(36)
    assert parameters[1].grad[0].item() == pytest.approx(1 / 18)


@pytest.fixture
def mode_again():
    yield
    torch.use_deterministic_algorithms(False)


def test_kernels_that_are_not_deterministic(mode_again):
    x = torch.randn(4, device=CARD)
    torch.use_deterministic_algorithms(True)
    with pytest.raises(RuntimeError, match="median CUDA with indices output does not have a det"):
        x.median(0)
    assert torch.equal(x.median(), x.cpu().median().to(CARD)) and (x + x).sum().device == x.device
    with pytest.raises(RuntimeError, match="upsample_linear1d_backward_out_cuda does not"):
        y = x.view(1, 1, 4).requires_grad_()
        F.interpolate(y, scale_factor=2, mode="linear").sum().backward()
    torch.use_deterministic_algorithms(True, warn_only=True)
    with pytest.warns(UserWarning, match="warn_only=True"):
        x.median(0)
    torch.use_deterministic_algorithms(False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x.median(0)


@pytest.mark.slow
def test_the_profiler_is_quiet_and_says_what_it_sees(run_python):
    printed = run_python("""
        import os, sys, warnings
        os.dup2(1, 2)  # what C++ complains about comes to stdout
        import torch
        from torch.profiler import ProfilerActivity, profile
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
                x = torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")
        print(sum(event.key == "aten::mm" for event in seen.key_averages()))
        print([str(warning.message)[:23] for warning in caught])
    """)
    assert "CUDA used in profiler but not enabled" not in printed
    # Before that, a CUDA build complains that its own library has no driver.
    assert printed.splitlines()[-2:] == ["1", "['torch.profiler measures']"]


def test_a_result_that_the_cpu_conjugates_lazily():
    matrices, right = torch.randn(2, 3, 3, dtype=torch.complex64), torch.randn(2, 4, 3) + 0j
    factors, pivots = torch.linalg.lu_factor(matrices)
    x = torch.linalg.lu_solve(factors, pivots, right, left=False)
    assert x.is_conj()
    on_card = torch.linalg.lu_solve(factors.cuda(), pivots.cuda(), right.cuda(), left=False)
    torch.testing.assert_close((on_card @ matrices.cuda()).cpu(), right)
    torch.testing.assert_close(on_card[0].cpu(), x[0])
