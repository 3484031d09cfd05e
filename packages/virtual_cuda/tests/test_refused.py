"""Tensors and names that virtual cards have not: CUDA's words, or a sentence with a way out."""

from __future__ import annotations

import pathlib
import re
from importlib import resources

import pytest
import torch

import virtual_cuda
from virtual_cuda.kernels import registration, specialise

CARD = "cuda:1"
NAME = re.compile(r"torch\._C\.(_cu\w+)")
IMPORT = re.compile(r"from torch\._C import ([^\n(]+|\([^)]*\))")


def names_torch_asks_for() -> set[str]:
    """The names of CUDA in ``torch._C`` that the Python of the installed torch mentions."""
    names: set[str] = set()
    for file in pathlib.Path(torch.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8", errors="replace")
        names.update(NAME.findall(text))
        for imported in IMPORT.findall(text):
            names.update(re.findall(r"\b_cu\w+", imported))
    return names


def is_dummy(thing: object) -> bool:
    """Whether torch put a class there that only says it was built without CUDA."""
    return isinstance(thing, type) and thing.__init__.__qualname__.startswith("_dummy_type")


@pytest.mark.slow
def test_every_name_that_torch_asks_for_is_there():
    names = names_torch_asks_for()
    assert len(names) > 80
    assert not {n for n in names if not hasattr(torch._C, n) or is_dummy(getattr(torch._C, n))}


@pytest.mark.parametrize(
    "use",
    [
        lambda: torch.cuda.memory._get_current_allocator(),
        lambda: torch.cuda.MemPool(allocator=object()),
        lambda: torch.cuda.memory._allocation_traceback(0),
        lambda: torch.cuda.jiterator._create_jit_fn("template <typename T> T f(T x) { return x; }")(
            torch.ones(1, device=CARD)
        ),
        lambda: torch._C._cuda_getCheckpointState(0, (0, 1)),
        lambda: torch.cuda.nccl.unique_id(),
        lambda: torch.cuda.nccl.init_rank(1, b"", 0),
        lambda: torch.cuda.cudart().cudaMalloc(0),
        lambda: torch.cuda.CUDAGraph().raw_cuda_graph(),
        lambda: torch.cuda.Event(interprocess=True).ipc_handle(),
        lambda: torch.empty(3, dtype=torch.qint8, device=CARD),
        lambda: torch.quantize_per_tensor(torch.ones(3, device=CARD), 0.5, 0, torch.qint8),
        lambda: torch.quantize_per_tensor(torch.ones(3), 0.5, 0, torch.qint8).to(CARD),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_sentence_says_what_to_do_instead(use):
    sentence = r"Virtual GPUs have no [^:\n]+: [^\n]+\.$"
    with pytest.raises(virtual_cuda.VirtualCudaUnsupported, match=sentence) as caught:
        use()
    assert isinstance(caught.value, NotImplementedError) and len(str(caught.value)) < 200


def test_nested_tensors_of_the_jagged_layout():
    nested = torch.nested.nested_tensor(
        [torch.ones(2, 3), torch.ones(1, 3)], device=CARD, layout=torch.jagged
    )
    assert nested.values().device == nested.offsets().device == torch.device(CARD)
    assert [part.sum().item() for part in (nested * 2).unbind()] == [12, 6]


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_of_the_strided_layout():
    parts = [torch.ones(2, 3, device=CARD, requires_grad=True), torch.ones(1, 3, device=CARD)]
    nested = torch.nested.as_nested_tensor(parts)
    padded = (nested * 2 + nested).to_padded_tensor(0.0)
    assert padded.device == torch.device(CARD) and padded[1].tolist() == [[3, 3, 3], [0, 0, 0]]
    padded.sum().backward()
    assert parts[0].grad.tolist() == [[3, 3, 3], [3, 3, 3]]
    with pytest.raises(RuntimeError, match="at least two devices"):
        nested + nested.cpu()
    with pytest.raises(NotImplementedError, match="from the 'NestedTensorCUDA' backend"):
        torch.median(nested)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_and_dense_tensors():
    parts = [torch.ones(2, 3, device=CARD, requires_grad=True), torch.ones(1, 3, device=CARD)]
    nested = torch.nested.as_nested_tensor(parts)
    rows = torch.tensor([[[1.0, 2, 3]], [[4, 5, 6]]], device=CARD)
    product = (nested * rows + rows).unbind()
    assert [part.tolist() for part in product] == [[[2, 4, 6], [2, 4, 6]], [[8, 10, 12]]]
    assert product[0].device == torch.device(CARD)
    with torch.no_grad():
        assert (nested * rows).unbind()[1].tolist() == [[4, 5, 6]]
        assert (rows + nested).unbind()[1].tolist() == [[5, 6, 7]]
        lengths = torch.nested.nested_tensor([torch.ones(3), torch.ones(1)], device=CARD)
        ends = torch.tensor([[2.0], [3]], device=CARD)
        assert [part.tolist() for part in (lengths + ends).unbind()] == [[3, 3, 3], [4]]
        for others in (rows[:1], rows.expand(2, 2, 3), rows[..., :1], rows[0]):
            with pytest.raises(RuntimeError, match=r"Expected both self and other to be nested"):
                nested + others


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_transformers_take_their_fast_path():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2).eval()
    x, ends = torch.randn(2, 4, 8), torch.tensor([[False] * 4, [False, False, True, True]])
    with torch.no_grad():
        on_cpu = encoder(x, src_key_padding_mask=ends)
        on_card = encoder.to(CARD)(x.to(CARD), src_key_padding_mask=ends.to(CARD))
    torch.testing.assert_close(on_card.cpu(), on_cpu)
    assert not on_card[1, 2:].any()  # what was left out of the nested tensor


def test_copies_that_wait_for_the_first_write():
    x = torch.arange(4.0, device=CARD)
    view, before = x[2:], torch.cuda.memory_allocated(CARD)
    copy = torch._lazy_clone(x)
    assert torch.cuda.memory_allocated(CARD) == before
    view += 1
    assert (x.tolist(), copy.tolist()) == ([0, 1, 3, 4], [0, 1, 2, 3])
    assert torch._C._is_cow_tensor(copy) and not torch._C._is_cow_tensor(x)
    copy.zero_()
    assert (x.tolist(), copy.tolist()) == ([0, 1, 3, 4], [0, 0, 0, 0])


def test_products_with_weights_of_four_bits():
    numbers = torch.randint(0, 16, (8, 32), device=CARD)
    packed = (numbers[:, ::2] << 4 | numbers[:, 1::2]).to(torch.uint8)
    scales = torch.stack([torch.full((1, 8), 0.5), torch.ones(1, 8)], dim=-1).bfloat16().to(CARD)
    x = torch.ones(2, 32, dtype=torch.bfloat16, device=CARD)
    result = torch._weight_int4pack_mm(x, torch._convert_weight_to_int4pack(packed, 2), 32, scales)
    torch.testing.assert_close(result, (x.float() @ ((numbers - 8) * 0.5 + 1).t()).bfloat16())


def test_sums_of_sparse_halves():
    def sparse(dtype: torch.dtype, row: int) -> torch.Tensor:
        indices = torch.tensor([[row, 1, 2], [0, 1, 2]])
        return torch.sparse_coo_tensor(indices, torch.tensor([1, 2, 3]).to(dtype), device=CARD)

    for dtype in (torch.float16, torch.bfloat16):
        a, b = sparse(dtype, 0), sparse(dtype, 1)
        for total in (a + b, a.clone().add_(b)):
            assert total.is_sparse and total.dtype is dtype and total.device == a.device
            assert torch.equal(total.to_dense(), a.to_dense() + b.to_dense())
        assert torch.equal(torch.sub(a, b, alpha=2).to_dense(), a.to_dense() - 2 * b.to_dense())
    a = sparse(torch.float16, 0)
    assert (a + a)._nnz() == 6  # one after the other, as CUDA does it
    mixed = a + sparse(torch.int8, 1)
    assert mixed.dtype is torch.float16 and mixed.to_dense()[2, 2] == 6
    a = sparse(torch.bool, 0)
    with pytest.raises(NotImplementedError, match=r"add_out_sparse_cuda\W+not .*Bool"):
        a + a


def test_streams_of_other_devices():
    for create in (torch.cuda.Stream, lambda device: torch.cuda.ExternalStream(1, device)):
        for device in ("cpu", torch.device("meta")):
            with pytest.raises(ValueError, match="Expected a cuda device, but got: "):
                create(device)
    assert torch.Stream("cpu").device.type == "cpu"
    assert torch.cuda.Stream(torch.device("cuda")).device == torch.device("cuda:0")


# What works.


def test_observers_hear_when_memory_runs_out(no_machine):
    virtual_cuda.enable(2, "64 MiB", quiet=True)
    heard = []

    def observe(card: int, asked: int, limit: int, free: int) -> None:
        heard.append((card, asked, limit, free))
        torch.cuda.memory._snapshot()  # they may look at everything

    torch._C._cuda_attach_out_of_memory_observer(observe)
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(1 << 30, device=CARD)
    kept = []
    with pytest.raises(torch.OutOfMemoryError):
        while True:
            kept.append(torch.ones(1 << 18, device=CARD))
    assert heard[0] == (1, 4 << 30, 64 << 20, 64 << 20)
    assert len(heard) == 2 and heard[1][:3] == (1, 1 << 20, 64 << 20)


def test_settings_are_kept(no_machine):
    virtual_cuda.enable(2, quiet=True)
    from torch.cuda import tunable

    assert not tunable.is_enabled() and tunable.get_results() == ()
    tunable.enable()
    tunable.set_max_tuning_iterations(7)
    assert tunable.is_enabled() and tunable.get_max_tuning_iterations() == 7
    assert torch.backends.cuda.cublas_workspace_size(4096) == 4096
    torch.backends.cuda.cufft_plan_cache[1].max_size = 10
    assert [torch.backends.cuda.cufft_plan_cache[k].max_size for k in range(2)] == [4096, 10]
    virtual_cuda.disable()
    virtual_cuda.enable(2, quiet=True)
    assert not tunable.is_enabled() and torch.backends.cuda.cublas_workspace_size() > 4096


def test_the_runtime():
    cudart = torch.cuda.cudart()
    assert not hasattr(cudart, "cudaMalloc")
    assert cudart.cudaMemGetInfo(1) == torch.cuda.mem_get_info(1)
    assert cudart.cudaGetErrorString(cudart.cudaError(2)) == "out of memory"
    x = torch.zeros(8)
    assert int(cudart.cudaHostRegister(x.data_ptr(), x.nbytes, 0)) == 0
    assert x.is_pinned() and x[2:].is_pinned() and not torch.zeros(8).is_pinned()
    assert int(cudart.cudaHostRegister(x.data_ptr(), x.nbytes, 0)) == 712
    assert int(cudart.cudaHostUnregister(x.data_ptr())) == 0 and not x.is_pinned()
    assert int(cudart.cudaHostUnregister(x.data_ptr())) == 713
    handle = torch.zeros(1, dtype=torch.int64)
    cudart.cudaStreamCreate(handle.data_ptr())
    stream = torch.cuda.ExternalStream(handle.item())
    assert stream.cuda_stream == handle.item() != 0
    torch.cuda.check_error(0)
    assert torch.cuda.get_stream_from_external(5, "cuda:1").device == torch.device(CARD)


def test_collectives_of_one_process():
    def cards(count: int = 3) -> list[torch.Tensor]:
        return [torch.arange(3.0, device=f"cuda:{i}")[:count] + i for i in range(2)]

    nccl = torch.cuda.nccl
    for op, expected in ((nccl.SUM, [1, 3, 5]), (1, [0, 2, 6]), (2, [1, 2, 3]), (3, [0, 1, 2])):
        outputs = [torch.zeros_like(x) for x in cards()]
        nccl.all_reduce(cards(), outputs, op)
        assert [x.tolist() for x in outputs] == [expected] * 2
    total = torch.zeros(3, device="cuda:1")
    nccl.reduce(cards(), total, 1)
    assert total.tolist() == [1, 3, 5]
    gathered = [torch.zeros(6, device=x.device) for x in cards()]
    nccl.all_gather(cards(), gathered)
    assert [x.tolist() for x in gathered] == [[0, 1, 2, 1, 2, 3]] * 2
    parts = cards()
    nccl.reduce_scatter(gathered, parts)
    assert [x.tolist() for x in parts] == [[0, 2, 4], [2, 4, 6]]
    nccl.broadcast(parts)
    assert parts[1].tolist() == [0, 2, 4]
    with pytest.raises(RuntimeError, match="unique devices"):
        nccl.all_reduce([total, total])
    with pytest.raises(RuntimeError, match="have to be cuda dense Tensors"):
        nccl.all_reduce([torch.ones(3)])


def names_of_cuda_alone() -> list[str]:
    """The operators that torch's own list has for CUDA, and its tables not for the CPU."""
    source = resources.files("torchgen") / "packaged/ATen/native/native_functions.yaml"
    names = []
    for entry in source.read_text(encoding="utf-8").split("\n- func: ")[1:]:
        name = entry.split("(", 1)[0].strip()
        if re.search(r"^    [\w, ]*\bCUDA\b[\w, ]*:", entry, re.MULTILINE):
            known = torch._C._dispatch_has_computed_kernel_for_dispatch_key
            if not known(f"aten::{name}", "CPU"):
                names.append(name)
    return names


def test_what_cuda_alone_has_is_refused_in_a_sentence():
    names = set(names_of_cuda_alone())
    assert len(names) > 60
    sentence = r"^Virtual GPUs have no kernel for aten::[\w.]+, because torch has no CPU kernel"
    for name in names:
        with pytest.raises(virtual_cuda.VirtualCudaUnsupported, match=sentence):
            registration._fallback(specialise.operator(name))
    with pytest.raises(virtual_cuda.VirtualCudaUnsupported, match="aten::_cslt_compress"):
        torch._cslt_compress(torch.ones(32, 32, device=CARD))


@pytest.mark.parametrize(
    ("dtype", "words"),
    [
        (torch.int64, "getCudnnDataTypeFromScalarType() not supported for Long"),
        (torch.int8, "GET was unable to find an engine to execute this computation"),
    ],
)
def test_cudnn_refuses_whole_numbers(dtype, words):
    x, weight = torch.ones(1, 1, 4, 4, dtype=dtype), torch.ones(1, 1, 3, 3, dtype=dtype)
    with pytest.raises(RuntimeError, match=re.escape(words)):
        torch.nn.functional.conv2d(x.to(CARD), weight.to(CARD))


def test_products_of_narrow_types(no_machine):
    virtual_cuda.enable(cards=["A100", "H100"], quiet=True)
    new, old = torch.device("cuda:0"), torch.device("cuda:1")  # the fastest first
    ones = torch.ones(32, 16, device=old)
    small = ones.to(torch.float8_e4m3fn)
    for product in (lambda: small @ small.mT, lambda: torch.addmm(small, small, small[:16])):
        with pytest.raises(NotImplementedError, match=r"addmm_cuda.*'Float8_e4m3fn'"):
            product()
    one = torch.ones((), device=old)
    with pytest.raises(RuntimeError, match=r"compute capability >= 9.0 or 8.9"):
        torch._scaled_mm(small, small.mT, one, one)
    there = [x.to(new) for x in (small, small.contiguous(), one)]
    found = torch._scaled_mm(there[0], there[1].mT, there[2], there[2], out_dtype=torch.bfloat16)
    assert found.device == new and found[0, 0] == 16
    whole = ones.to(torch.int8)
    assert torch._int_mm(whole, whole.mT)[0, 0] == 16
    for refused, words in (
        (lambda: torch._int_mm(whole[:16], whole.mT), r"self.size\(0\) .* greater than 16, .* 16"),
        (lambda: torch._int_mm(whole, whole.mT[:, :7]), r"mat2.size\(1\) .* multiple of 8, .* 7"),
    ):
        with pytest.raises(RuntimeError, match=words):
            refused()
