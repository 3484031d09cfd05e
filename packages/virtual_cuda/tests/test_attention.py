"""``scaled_dot_product_attention``: CUDA's choice of a kernel, and the kernels' values."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed.tensor import DTensor, Shard, distribute_tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right
from torch.nn.functional import scaled_dot_product_attention as attention

import virtual_cuda
from ranks import start

CARD = "cuda:1"
FLASH, EFFICIENT, MATH = (
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
)


def tensors(dtype: torch.dtype, heads: int = 4, length: int = 6, size: int = 16) -> list[Tensor]:
    of_query = torch.randn(2, 4, length, size)
    others = [torch.randn(2, heads, length, size) for _ in range(2)]
    return [x.to(CARD, dtype).requires_grad_() for x in (of_query, *others)]


@pytest.mark.parametrize(
    ("dtype", "options", "expected"),
    [
        (torch.float16, {}, FLASH),
        (torch.bfloat16, {"is_causal": True}, FLASH),
        (torch.float16, {"attn_mask": torch.ones(6, 6, dtype=torch.bool)}, EFFICIENT),
        (torch.float32, {}, EFFICIENT),
        (torch.float32, {"size": 6}, MATH),
        (torch.float64, {}, MATH),
        (torch.float16, {"heads": 2, "enable_gqa": True}, FLASH),
        (torch.float32, {"heads": 2, "enable_gqa": True}, MATH),
    ],
)
def test_the_choice_is_cudas(dtype, options, expected):
    sizes = {name: options.pop(name) for name in ("size", "heads") if name in options}
    options = {k: v.to(CARD) if isinstance(v, Tensor) else v for k, v in options.items()}
    assert torch._fused_sdp_choice(*tensors(dtype, **sizes), **options) == expected.value


@pytest.mark.parametrize("kernel", [FLASH, EFFICIENT])
@pytest.mark.parametrize("is_causal", [False, True])
def test_values_and_gradients_are_those_of_the_formula(kernel, is_causal):
    results = []
    inputs = tensors(torch.float16, heads=2 if kernel is FLASH else 4)
    for one in (kernel, MATH):
        with sdpa_kernel(one):
            y = attention(*inputs, is_causal=is_causal, enable_gqa=kernel is FLASH)
        results.append([y, *torch.autograd.grad(y.float().square().sum(), inputs)])
    for found, expected in zip(*results, strict=True):
        assert found.dtype == torch.float16 and found.device == torch.device(CARD)
        torch.testing.assert_close(found, expected, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("kernel", [FLASH, EFFICIENT])
def test_results_and_gradients_lie_in_memory_as_the_graph_of_a_compiler_expects(kernel):
    inputs = [x.detach().mT.contiguous().mT.requires_grad_() for x in tensors(torch.float16)]

    def work(inputs):
        y = attention(*inputs)
        return [y, *torch.autograd.grad(y.sum(), inputs)]

    with sdpa_kernel(kernel):
        found = work(inputs)
        with FakeTensorMode() as fake:
            expected = work([fake.from_tensor(x) for x in inputs])
    assert [x.stride() for x in found] == [x.stride() for x in expected]


def test_a_mask_with_a_gradient():
    inputs = [*tensors(torch.float32), torch.randn(1, 4, 6, 6, device=CARD, requires_grad=True)]
    results = []
    for kernel in (EFFICIENT, MATH):
        with sdpa_kernel(kernel):
            y = attention(*inputs)
        results.append(torch.autograd.grad(y.square().sum(), inputs))
    torch.testing.assert_close(*results)


@pytest.mark.parametrize("length", [3, 9])
def test_flash_attention_lets_the_last_query_see_the_last_key(length):
    """torch/nn/attention/bias.py: causal_lower_right is its ``is_causal``."""
    query, key, value = (x.detach() for x in tensors(torch.float16))
    query = torch.randn(2, 4, length, 16, device=CARD, dtype=torch.float16)
    query, key, value = (x.requires_grad_() for x in (query, key, value))
    mask = torch.ones(length, 6, dtype=torch.bool, device=CARD).tril(6 - length)
    ways = [
        attention(query, key, value, attn_mask=causal_lower_right(length, 6)),
        attention(query, key, value, attn_mask=mask),
    ]
    seen = slice(max(length - 6, 0), None)  # the first rows see nothing
    ways = [y[:, :, seen] for y in ways]
    gradients = [torch.autograd.grad(y.float().square().sum(), (query, value)) for y in ways]
    torch.testing.assert_close(*ways, rtol=1e-2, atol=1e-2)
    torch.testing.assert_close(*gradients, rtol=2e-2, atol=2e-2)


def test_the_mask_of_dropout_is_refused():
    flash = torch.ops.aten._scaled_dot_product_flash_attention
    with pytest.raises(NotImplementedError, match="no masks of flash attention's dropout"):
        flash(*tensors(torch.float16), 0.5, False, True)


def test_a_row_that_sees_nothing_is_zero():
    mask = torch.ones(6, 6, dtype=torch.bool, device=CARD)
    mask[2] = False
    assert not attention(*tensors(torch.float32), attn_mask=mask)[:, :, 2].any()


def test_dropout_is_the_same_in_backward():
    torch.manual_seed(1)
    query, key, value = tensors(torch.float16, length=64)
    y = attention(query, key, value, dropout_p=0.5)
    y.sum().backward()
    # The gradient of a value is the sum of its weights, dropped ones left out.
    found = (value.grad.float() * value).sum()
    torch.testing.assert_close(found, y.sum().float(), rtol=2e-2, atol=1.0)
    torch.manual_seed(1)
    tensors(torch.float16, length=64)
    assert attention(query, key, value, dropout_p=0.5).equal(y)
    assert not attention(query, key, value, dropout_p=0.5).equal(y)


@pytest.mark.parametrize(
    ("dtype", "mask", "why"),
    [
        (torch.float32, None, "Expected query, key and value to all be of dtype: {Half, BFloat16}"),
        (torch.float16, torch.ones(6, 6), "Flash Attention does not support non-null attn_mask"),
    ],
)
def test_flash_attention_refuses_what_it_cannot(dtype, mask, why):
    mask = None if mask is None else mask.to(CARD, dtype)
    with (
        sdpa_kernel(FLASH),
        pytest.warns(UserWarning, match=why),
        pytest.raises(RuntimeError, match="No available kernel"),
    ):
        attention(*tensors(dtype), attn_mask=mask)


def test_no_matrix_of_scores_is_counted():
    with torch.no_grad():
        inputs = tensors(torch.float16, length=512)
        attention(*inputs)
        torch.cuda.reset_peak_memory_stats(1)
        before = torch.cuda.memory_allocated(1)
        attention(*inputs)
        scores = 2 * 4 * 512 * 512 * 2
        assert torch.cuda.max_memory_allocated(1) - before < scores / 4


def test_an_old_card_has_no_flash(no_machine):
    virtual_cuda.enable(cards=["T4"], quiet=True)
    x = torch.ones(1, 1, 4, 8, dtype=torch.float16, device="cuda")
    params = torch.backends.cuda.SDPAParams(x, x, x, None, 0.0, False, False)
    assert not torch.backends.cuda.can_use_flash_attention(params)
    assert torch.backends.cuda.can_use_efficient_attention(params)


def causal_on_shards(rank: int, folder: Path) -> None:
    torch.set_num_threads(1)
    virtual_cuda.enable(2, quiet=True)
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", f"file://{folder}/store", rank=rank, world_size=2)
    mesh = dist.init_device_mesh("cuda", (2,))
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        whole = [torch.randn(2, 4, 6, 16).to("cuda", dtype).requires_grad_() for _ in range(3)]
        shards = [distribute_tensor(x.detach(), mesh, [Shard(1)]).requires_grad_() for x in whole]
        y = attention(*shards, is_causal=True)
        assert isinstance(y, DTensor)
        y.sum().backward()
        attention(*whole, is_causal=True).sum().backward()
        torch.testing.assert_close(shards[1].grad.full_tensor(), whole[1].grad)
    dist.destroy_process_group()


@pytest.mark.more
@pytest.mark.slow
def test_causal_attention_on_shards(tmp_path):
    start(causal_on_shards, (tmp_path,), 2)
