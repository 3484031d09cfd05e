"""What element types and which operators CUDA takes, measured with PyTorch's own tables."""

from __future__ import annotations

import gc
import importlib.resources
import itertools
import operator
import warnings
from collections.abc import Iterable
from contextlib import nullcontext
from itertools import islice

import pytest
import torch
import torch.nn.functional as F
import yaml

import virtual_cuda
from opinfo import SAMPLED, operators
from virtual_cuda.kernels import registration

CARD = "cuda:1"
CHUNKS = 6

# What CUDA has and the cards have not: (operator, type) in dtypesIfCUDA that still fail.
_ATTENTION = "kernels of CUDA alone; scaled_dot_product_attention takes its general way"
MISSING = {
    "histogram": "runs on the CPU only, whatever its entry says",
    "histogramdd": "runs on the CPU only, whatever its entry says",
    "jiterator_2inputs_2outputs": "compiles CUDA code",
    "jiterator_4inputs_with_extra_args": "compiles CUDA code",
    "jiterator_binary": "compiles CUDA code",
    "jiterator_binary_return_by_ref": "compiles CUDA code",
    "jiterator_unary": "compiles CUDA code",
    "nn.functional.linear_cross_entropy.chunked": "calls mm.dtype_out",
    "nn.functional.linear_cross_entropy.chunked_none": "calls mm.dtype_out",
    "nn.functional.rrelu": "writes its noise while it computes, in half precision",
    "torch._scaled_mm": "cards before 8.9 refuse it",
    "torch._scaled_mm_v2": "cards before 8.9 refuse it",
    "torch.ops.aten._efficient_attention_forward": _ATTENTION,
    "torch.ops.aten._flash_attention_forward": _ATTENTION,
}


def _refused_types(op) -> list[torch.dtype]:
    """The types that CUDA takes (torch's own list) and the card does not."""
    refused = []
    for dtype in op.dtypesIfCUDA or op.dtypes:
        try:
            for sample in islice(op.sample_inputs(CARD, dtype, requires_grad=False), 2):
                op(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            refused.append(dtype)
    return refused


ON_2_13 = pytest.mark.skipif(
    not torch.__version__.startswith("2.13."), reason="MISSING is for torch 2.13"
)


def assert_refused_as_listed(names: Iterable[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refused = {name for name in names if _refused_types(operators()[name])}
    assert refused == MISSING.keys() & set(names)


@pytest.mark.more
@pytest.mark.slow
@ON_2_13
def test_every_type_that_cuda_takes_for_a_sample():
    names = [name for name, op in operators().items() if op.name in SAMPLED]
    assert_refused_as_listed([*names, *MISSING])


@pytest.mark.full
@ON_2_13
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_type_that_cuda_takes(chunk):
    assert_refused_as_listed(list(operators())[chunk::CHUNKS])


INTEGERS = torch.arange(4, dtype=torch.int64).view(2, 2)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda i: i @ i, "\"addmm_cuda\" not implemented for 'Long'"),
        (lambda i: i.bool() @ i.bool(), "\"addmm_cuda\" not implemented for 'Bool'"),
        (lambda i: F.linear(i, i, i[0]), "\"addmm_cuda\" not implemented for 'Long'"),
        (lambda i: i[None] @ i[None], "\"baddbmm_cuda\" not implemented for 'Long'"),
        (lambda i: i @ i[0], "\"addmv_impl_cuda\" not implemented for 'Long'"),
        (lambda i: i[0] @ i[0], "\"dot\" not implemented for 'Long'"),
        (
            lambda i: F.interpolate(i[None, None].byte(), scale_factor=2, mode="bilinear"),
            "\"upsample_bilinear2d_out_frame\" not implemented for 'Byte'",
        ),
        (
            lambda i: F.max_pool2d(i[None], 2),
            "\"max_pool2d_with_indices_out_cuda_frame\" not implemented for 'Long'",
        ),
        (lambda i: F.dropout(i), "\"fused_dropout\" not implemented for 'Long'"),
        (lambda i: i.softmax(0), "\"host_softmax\" not implemented for 'Long'"),
        (lambda i: F.gelu(i), "\"GeluCUDAKernelImpl\" not implemented for 'Long'"),
        (lambda i: torch.randn_like(i), "\"normal_kernel_cuda\" not implemented for 'Long'"),
        (
            lambda i: i.masked_fill(i.byte(), 0),
            "masked_fill only supports boolean masks, but got dtype Byte",
        ),
        (
            lambda i: i.masked_fill_(i, i[0, 0]),
            "masked_fill only supports boolean masks, but got dtype Long",
        ),
        (
            lambda i: F.conv1d(i.double(), i[..., None].float()),
            "Input type (torch.cuda.DoubleTensor) and weight type (torch.cuda.FloatTensor) "
            "should be the same",
        ),
        (lambda i: i.erfinv_(), "result type Float can't be cast to the desired output type Long"),
    ],
)
def test_refused_in_the_words_of_cuda(call, text):
    with pytest.raises((NotImplementedError, RuntimeError)) as caught:
        call(INTEGERS.to(CARD))
    assert str(caught.value) == text


def test_a_refused_call_changes_nothing():
    gc.collect()  # tracebacks of tests before hold tensors
    i = INTEGERS.to(CARD)
    before = torch.cuda.memory_allocated(CARD)
    with pytest.raises(NotImplementedError):
        torch.mm(i, i, out=i)
    assert torch.equal(i.cpu(), INTEGERS) and torch.cuda.memory_allocated(CARD) == before


def test_halves_that_the_cpu_does_not_take():
    x = torch.linspace(0, 1, 8, device=CARD).half()
    spectrum = torch.fft.rfft(x)
    assert spectrum.dtype is torch.complex32
    torch.testing.assert_close(torch.fft.irfft(spectrum), x, rtol=1e-2, atol=1e-3)
    with pytest.raises(RuntimeError, match=r"powers of two .* but got a signal size of\[6\]"):
        torch.fft.rfft(x[:6])
    volume = torch.ones(1, 1, 2, 2, 2, device=CARD, dtype=torch.float16)
    assert F.avg_pool3d(volume, 2).flatten().tolist() == [1.0]
    assert torch.tensor([True], device=CARD).abs().tolist() == [True]
    y = torch.mm(x[None], x[:, None], out_dtype=torch.float32)
    assert y.dtype is torch.float32


@pytest.mark.parametrize("product", [torch.mm, torch.bmm, F.linear], ids=lambda f: f.__name__)
def test_a_product_in_bfloat16_is_that_in_float32_rounded(product):
    x, y = torch.randn(2, *[2] * (product is torch.bmm), 3, 3, device=CARD).bfloat16()
    before = torch.cuda.memory_allocated(CARD)
    z = product(x, y)
    assert torch.equal(z.cpu(), product(x.cpu().float(), y.cpu().float()).bfloat16())
    assert torch.cuda.memory_allocated(CARD) == before + 512
    if product is not F.linear:
        assert torch.equal(product(x, y, out=torch.empty_like(z)), z)


@pytest.mark.parametrize("softmax", [F.softmax, F.log_softmax])
def test_gradient_of_a_softmax_from_halves_to_floats(softmax):
    x = torch.randn(3, 4, device=CARD).half().requires_grad_()
    softmax(x, -1, dtype=torch.float32)[:, 0].sum().backward()
    y = x.detach().cpu().float().requires_grad_()
    softmax(y, -1)[:, 0].sum().backward()
    assert x.grad.dtype is torch.float16
    torch.testing.assert_close(x.grad.cpu().float(), y.grad, rtol=1e-2, atol=1e-3)


def test_operators_of_the_cpu_alone():
    with pytest.raises(NotImplementedError) as caught:
        torch.histogram(torch.ones(3, device=CARD), 2)
    text = str(caught.value)
    assert text.startswith(
        "Could not run 'aten::histogram.bin_ct' with arguments from the 'CUDA' backend."
    )
    assert "is only available for these backends: [CPU, Meta, " in text


def test_the_lists_are_those_of_torch():
    """native_functions.yaml names the devices that have a kernel of their own."""
    source = importlib.resources.files("torchgen") / "packaged/ATen/native/native_functions.yaml"
    composite, alone = set(), set()
    for function in yaml.load(source.read_text(), Loader=yaml.CSafeLoader):
        name = function["func"].partition("(")[0]
        keys = {key.strip() for keys in function.get("dispatch", ()) for key in keys.split(",")}
        if "CPU" in keys and "CUDA" not in keys:
            (composite if any("Composite" in key for key in keys) else alone).add(name)
    assert composite == registration.COMPOSITE | {"_stack.out"}
    assert alone >= registration.CPU_ONLY
    # The rest never meets a tensor of a card, or stands for something that CUDA does elsewhere.
    other = (
        "mkldnn",
        "quant",
        "_test_",
        "int4pack",
        "4bit",
        "slow_conv3d",
        "for_cpu",
        "from_file",
        "_foobar",
        "_make_dep_token",
        "_functional_assert_async",
        "narrow_copy.out",
        "lanczos",
    )
    named = {name for name in alone if not any(part in name for part in other)}
    assert named | {"to_mkldnn"} == registration.CPU_ONLY


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_smoothed_images(mode):
    def halved(dtype: torch.dtype) -> torch.Tensor:
        image = torch.ones(1, 3, 8, 8, dtype=dtype, device=CARD)
        return F.interpolate(image, (4, 4), mode=mode, antialias=True)

    assert torch.equal(halved(torch.float16), torch.ones(1, 3, 4, 4, device=CARD).half())
    with pytest.raises(NotImplementedError, match="not implemented for 'Byte'"):
        halved(torch.uint8)


WITH_NUMBERS = {
    **{
        f.__name__: f
        for f in (
            *(operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift),
            *(operator.mod, operator.floordiv, operator.truediv, operator.pow),
            *(operator.add, operator.sub, operator.mul),
            *(operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge),
            *(operator.iand, operator.imod, operator.iadd, operator.imul, operator.ifloordiv),
            *(torch.fmod, torch.copysign, torch.xlogy),
        )
    },
    **{
        f"number {f.__name__} tensor": lambda x, number, f=f: f(number, x)
        for f in (operator.and_, operator.mod, operator.sub, operator.floordiv, operator.lshift)
    },
    "fmod out": lambda x, number: torch.fmod(x, number, out=torch.empty_like(x)),
}
DTYPES = (torch.bool, torch.uint8, torch.int32, torch.int64, torch.float16, torch.bfloat16)


@pytest.mark.parametrize("seen", [nullcontext, virtual_cuda.trace], ids=["usual", "traced"])
@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_a_number_leaves_the_type_of_a_tensor_alone(name, seen):
    def result(dtype: torch.dtype, shape: tuple[int, ...], number: float, device: str) -> object:
        try:
            y = WITH_NUMBERS[name](torch.full(shape, 3, device=device).to(dtype), number)
        except (NotImplementedError, RuntimeError) as error:
            return type(error)
        return y.dtype, y.tolist()

    with seen():
        for case in itertools.product((*DTYPES, torch.float32), [(), (2,)], [2, 1.5, True]):
            assert result(*case, CARD) == result(*case, "cpu"), case
