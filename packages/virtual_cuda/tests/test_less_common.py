"""Less common corners of torch.cuda: generators' states, snapshots, old types, libraries."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest
import torch
from torch import nn

import virtual_cuda

MIB = 1 << 20


# Generators: a seed and an offset


def test_generator_state_is_seed_and_offset():
    generator = torch.Generator("cuda:1").manual_seed(7)
    assert generator.get_state().tolist() == [7] + [0] * 15
    first = torch.rand(3, device="cuda:1", generator=generator)
    assert generator.get_offset() == 4
    second = torch.rand(3, device="cuda:1", generator=generator)
    generator.set_offset(4)
    assert torch.equal(second, torch.rand(3, device="cuda:1", generator=generator))
    generator.set_offset(0)
    assert torch.equal(first, torch.rand(3, device="cuda:1", generator=generator))
    with pytest.raises(RuntimeError, match="offset must be a multiple of 4"):
        generator.set_offset(3)


def test_generator_copies_go_on_alike():
    generator = torch.Generator("cuda:1").manual_seed(7)
    torch.rand(3, device="cuda:1", generator=generator)
    twins = [copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))]
    twins.append(generator.clone_state())
    expected = torch.rand(3, device="cuda:1", generator=generator)
    for twin in twins:
        assert twin.device == torch.device("cuda:1")
        assert torch.equal(expected, torch.rand(3, device="cuda:1", generator=twin))


@pytest.mark.parametrize(
    "draw",
    [
        lambda g: torch.rand(2, generator=g),
        lambda g: torch.empty(2).normal_(generator=g),
        lambda g: torch.randperm(4, generator=g),
        lambda g: torch.utils.data.random_split(range(4), [2, 2], generator=g),
    ],
)
def test_cpu_operators_refuse_a_generator_of_a_card(draw):
    with pytest.raises(RuntimeError, match=r"Expected a 'cpu' .*but found 'cuda"):
        draw(torch.Generator("cuda"))


def test_states_that_are_none():
    with pytest.raises(RuntimeError, match="RNG state is wrong size"):
        torch.cuda.set_rng_state(torch.zeros(5, dtype=torch.uint8))
    with pytest.raises(TypeError, match=r"RNG state must be a torch\.ByteTensor"):
        torch.cuda.set_rng_state(torch.cuda.get_rng_state().cuda())  # loaded to the wrong place


def test_state_survives_a_file(tmp_path):
    torch.save(torch.cuda.get_rng_state(2), tmp_path / "state.pt")
    expected = torch.randn(4, device="cuda:2")
    torch.cuda.set_rng_state(torch.load(tmp_path / "state.pt"), 2)
    assert torch.equal(expected, torch.randn(4, device="cuda:2"))


# The allocator: counters, snapshots, history


def test_counters_by_pool():
    torch.cuda.empty_cache()
    torch.cuda.reset_accumulated_memory_stats(3)
    start = torch.cuda.memory_stats(3)
    small = torch.empty(1000, dtype=torch.uint8, device="cuda:3")
    large = torch.empty(30 * MIB, dtype=torch.uint8, device="cuda:3")
    stats = torch.cuda.memory_stats(3)
    change = {key: stats[key] - start[key] for key in stats}
    assert change["allocated_bytes.small_pool.current"] == 1024
    assert change["requested_bytes.small_pool.current"] == 1000
    assert change["allocated_bytes.large_pool.current"] == 30 * MIB
    assert change["allocated_bytes.all.allocated"] == 30 * MIB + 1024
    assert change["allocation.all.current"] == change["active.all.allocated"] == 2
    assert change["segment.all.current"] == change["num_device_alloc"] == 2
    assert change["reserved_bytes.all.current"] == 32 * MIB
    assert change["inactive_split_bytes.all.current"] == 2 * MIB - 1024
    del small, large
    torch.cuda.empty_cache()
    after = torch.cuda.memory_stats(3)
    assert after["num_device_free"] - start["num_device_free"] == 2
    assert after["allocated_bytes.all.freed"] - start["allocated_bytes.all.freed"] == (
        30 * MIB + 1024
    )
    assert after["segment.all.current"] == start["segment.all.current"]


def test_snapshot_and_history(tmp_path):
    torch.cuda.memory._record_memory_history()
    try:
        x = torch.ones(1000, device="cuda:2")
        y = x + 1
        del x
        torch.cuda.memory_allocated(2)
        torch.cuda.memory._dump_snapshot(str(tmp_path / "snapshot.pickle"))
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    with open(tmp_path / "snapshot.pickle", "rb") as file:
        snapshot = pickle.load(file)
    segments = [s for s in snapshot["segments"] if s["device"] == 2]
    (segment,) = segments
    assert segment["total_size"] == 2 * MIB and segment["segment_type"] == "small"
    block = segment["blocks"][0]
    assert (block["requested_size"], block["size"]) == (4000, 4096)
    assert block["frames"][0]["name"] == "test_snapshot_and_history"
    actions = [event["action"] for event in snapshot["device_traces"][2]]
    assert actions.count("alloc") == 2 and actions.count("free_completed") == 1
    assert torch.cuda.memory._snapshot()["device_traces"]
    assert len(torch.cuda.memory_snapshot()) >= 1
    del y


def test_raw_memory():
    before = torch.cuda.memory_allocated(1)
    address = torch.cuda.caching_allocator_alloc(5000, device=1)
    assert torch.cuda.memory_allocated(1) == before + 5120
    torch.cuda.caching_allocator_delete(address)
    assert torch.cuda.memory_allocated(1) == before


def test_pinned_memory_is_counted():
    torch.cuda.init()
    before = torch.cuda.host_memory_stats()
    pinned = torch.ones(1000).pin_memory()
    now = torch.cuda.host_memory_stats()
    assert now["active_bytes.current"] - before["active_bytes.current"] == 4096
    assert now["num_host_alloc"] == before["num_host_alloc"] + 1
    del pinned
    assert torch.cuda.host_memory_stats()["active_bytes.current"] == before["active_bytes.current"]
    torch.cuda.reset_peak_host_memory_stats()
    torch.cuda.reset_accumulated_host_memory_stats()
    assert torch.cuda.host_memory_stats()["num_host_alloc"] == 0


# Waiting for a card


WAITING = {
    "item": lambda x: x.sum().item(),
    "if": lambda x: bool((x > 0).all()),
    "print": lambda x: repr(x),
    "cpu": lambda x: x.cpu(),
    "to": lambda x: torch.ones(2).to("cuda"),
    "copy_": lambda x: x.copy_(torch.ones(2)),
    "nonzero": lambda x: x.nonzero(),
    "mask": lambda x: x[x > 0],
}
NOT_WAITING = {
    "kernel": lambda x: x + 1,
    "pinned": lambda x: torch.ones(2).pin_memory().to("cuda", non_blocking=True),
    "copy on the card": lambda x: x.clone().copy_(x),
    "conversion": lambda x: x.double(),
}


@pytest.fixture
def quiet_again():
    yield
    torch.cuda.set_sync_debug_mode("default")


@pytest.mark.parametrize("wait", WAITING.values(), ids=WAITING.keys())
def test_sync_debug_mode_tells_of_waiting(wait, quiet_again):
    x = torch.ones(2, device="cuda")
    torch.cuda.set_sync_debug_mode("warn")
    with pytest.warns(UserWarning, match="called a synchronizing CUDA operation"):
        wait(x)
    torch.cuda.set_sync_debug_mode("error")
    with pytest.raises(RuntimeError, match="called a synchronizing CUDA operation"):
        wait(x)
    torch.cuda.set_sync_debug_mode("default")
    wait(x)


@pytest.mark.parametrize(
    "wait",
    (WAITING["item"], WAITING["mask"], lambda x: torch.tensor([1.0, 2.0], device="cuda")),
    ids=("item", "mask", "list"),
)
def test_the_warning_names_the_line_of_the_program(wait, quiet_again):
    x = torch.ones(2, device="cuda")
    torch.cuda.set_sync_debug_mode("warn")
    with pytest.warns(UserWarning, match="called a synchronizing CUDA operation") as told:
        wait(x)
    assert {each.filename for each in told} == {__file__}


@pytest.mark.parametrize("work", NOT_WAITING.values(), ids=NOT_WAITING.keys())
def test_sync_debug_mode_is_silent_otherwise(work, quiet_again):
    x = torch.ones(2, device="cuda")
    torch.cuda.set_sync_debug_mode("error")
    assert torch.cuda.get_sync_debug_mode() == 2
    work(x)


# Types with a device in their name


def test_cuda_tensor_types():
    x = torch.cuda.FloatTensor([1, 2])
    assert x.device == torch.device("cuda:0") and x.dtype == torch.float32
    assert torch.cuda.LongTensor(2, 3).shape == (2, 3)
    assert isinstance(x, torch.cuda.FloatTensor) and not isinstance(x, torch.cuda.HalfTensor)
    assert not isinstance(x.cpu(), torch.cuda.FloatTensor)
    assert repr(torch.cuda.FloatTensor) == "<class 'torch.cuda.FloatTensor'>"


@pytest.mark.filterwarnings("ignore:torch.sparse.SparseTensor")
def test_sparse_cuda_tensor_types():
    kind = torch.cuda.sparse.FloatTensor
    indices, values = torch.tensor([[0, 2]], device="cuda:1"), torch.ones(2, device="cuda:1")
    x = kind(indices, values, torch.Size([4]))
    assert (x.get_device(), x.type()) == (1, "torch.cuda.sparse.FloatTensor")
    assert x.to_dense().tolist() == [1, 0, 1, 0]
    assert isinstance(x, kind) and not isinstance(x.cpu(), kind) and not isinstance(values, kind)
    assert kind(2, 3).shape == kind(torch.Size([2, 3])).shape == (2, 3)
    assert kind().device == torch.device("cuda:0")
    with pytest.raises(RuntimeError, match="expects device type: cuda but device type: cpu"):
        kind(2, device="cpu")
    assert kind.is_sparse and repr(kind) == "<class 'torch.cuda.sparse.FloatTensor'>"


@pytest.mark.parametrize("kind", ["torch.cuda.HalfTensor", "HalfTensor"])
def test_type_converts_and_moves(kind):
    target = kind if "." in kind else getattr(torch.cuda, kind)
    y = torch.ones(2).type(target)
    assert (y.get_device(), y.dtype, y.type()) == (0, torch.float16, "torch.cuda.HalfTensor")
    assert y.type(torch.FloatTensor).device.type == "cpu"
    assert torch.ones(2, device="cuda:2").type(target).get_device() == 2


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
def test_cuda_type_as_default():
    try:
        torch.set_default_tensor_type(torch.cuda.FloatTensor)
        assert torch.ones(1).is_cuda
    finally:
        torch.set_default_tensor_type("torch.FloatTensor")
    assert not torch.ones(1).is_cuda


@pytest.mark.filterwarnings("ignore:TypedStorage")
def test_storages():
    storage = torch.UntypedStorage(10, device="cuda:1")
    assert storage.device == torch.device("cuda:1") and len(storage) == 10
    assert torch.cuda.FloatStorage(3).device == torch.device("cuda:0")
    assert torch.UntypedStorage(10).device.type == "cpu"
    assert torch.ones(2, device="cuda").storage().type() == "torch.cuda.FloatStorage"


# Libraries, and silence


def test_versions():
    major, minor = map(int, torch.version.cuda.split("."))
    assert (major, minor) >= (12, 0)
    assert torch.backends.cudnn.is_available() and torch.backends.cudnn.version() > 90000
    assert torch.cuda.nccl.version()[0] == 2
    assert torch.distributed.is_nccl_available()


def test_nothing_warns_without_reason():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.LSTM(2, 2).cuda()(torch.ones(3, 1, 2, device="cuda"))
        nn.BatchNorm2d(2).cuda()(torch.ones(2, 2, 3, 3, device="cuda"))
        nn.DataParallel(nn.Linear(2, 2).cuda())(torch.ones(8, 2)).sum().backward()
        assert not torch.cuda.nccl.is_available([torch.ones(1, device="cuda")])
        torch.cuda.get_device_properties(0)
        torch.cuda.synchronize()


def test_readings_of_the_card():
    assert 0 <= torch.cuda.utilization() <= 100
    assert 0 <= torch.cuda.memory_usage() <= 100
    assert torch.cuda.temperature() > 0
    assert torch.cuda.power_draw() > 0 and torch.cuda.clock_rate() > 0
    assert "GPU:0" in torch.cuda.list_gpu_processes()
    assert "CUDA memory summary" in torch.cuda.memory_summary()


def test_runtime_errors_have_names():
    torch.cuda.check_error(0)
    with pytest.raises(torch.cuda.CudaError, match=r"out of memory \(2\)"):
        torch.cuda.check_error(2)


def test_accelerator_caches():
    torch.accelerator.empty_cache()
    if hasattr(torch.accelerator, "empty_host_cache"):  # since torch 2.12
        torch.accelerator.empty_host_cache()
    assert torch.accelerator.get_memory_info(0) == torch.cuda.mem_get_info(0)


def test_convolution_in_three_dimensions_with_short_arguments():
    x, w = torch.randn(1, 2, 4, 4, 4), torch.randn(3, 2, 3, 3, 3)
    conv = torch.nn.functional.conv3d
    result = conv(x.cuda(), w.cuda(), None, (1,), (1,), (1,))
    assert torch.allclose(result.cpu(), conv(x, w, None, 1, 1, 1), atol=1e-5)


def test_pinning_on_a_card_is_refused():
    for create in (torch.empty, torch.zeros):
        with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
            create(2, device="cuda", pin_memory=True)


def test_properties_follow_the_capability():
    card = torch.cuda.get_device_properties(0)
    assert (card.major, card.max_threads_per_multi_processor) == (8, 2048)
    assert card.shared_memory_per_multiprocessor == 164 << 10
    assert card.shared_memory_per_block_optin == 163 << 10


def test_scripts_know_creation_functions():
    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.ones_like(x) + torch.zeros([2], device=x.device)

    scripted = torch.jit.script(f)
    assert scripted(torch.ones(2, device="cuda:1")).device == torch.device("cuda:1")


def test_forward_mode():
    x = torch.ones(2, device="cuda:1")
    value, tangent = torch.func.jvp(torch.sin, (x,), (x,))
    assert value.device == tangent.device == x.device
    torch.testing.assert_close(tangent, x.cos())


def test_a_tensor_of_a_card_that_is_gone(no_machine):
    virtual_cuda.enable(4, quiet=True)
    x = torch.ones(2, device="cuda:3")
    virtual_cuda.disable()
    virtual_cuda.enable(2, quiet=True)
    uses = (lambda: x + 1, x.cpu, lambda: x[0].item(), x.normal_, lambda: x.to("cuda:0"))
    for use in (*uses, *uses):  # the first use starts CUDA
        with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
            use()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["eager", pytest.param("aot_eager", marks=pytest.mark.more)])
def test_compiling_without_a_code_generator(run_python, backend):
    printed = run_python(f"""
        import torch
        from torch import nn
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        net = torch.compile(nn.Sequential(nn.Linear(3, 3), nn.ReLU()).cuda(1), backend="{backend}")
        y = net(torch.ones(2, 3, device="cuda:1"))
        y.sum().backward()
        print(y.device, next(net.parameters()).grad.device)
    """)
    assert printed.split() == ["cuda:1", "cuda:1"]


@pytest.mark.slow
@pytest.mark.more
def test_inductor_runs_the_graph_and_says_so(run_python):
    printed = run_python("""
        import warnings, torch
        from torch import nn
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        net = nn.Sequential(nn.Linear(3, 3), nn.Tanh()).cuda(1)
        x = torch.ones(2, 3, device="cuda:1")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            y = torch.compile(net, mode="reduce-overhead")(x)
        print([str(w.message)[:27] for w in caught if "virtual" in str(w.message)])
        made = torch.compile(lambda: torch.ones(1, device="cuda"))()
        print(torch.allclose(y, net(x)), made.device)
    """)
    assert printed.splitlines() == ["['torch.compile: virtual GPUs']", "True cuda:0"]


@pytest.mark.slow
@pytest.mark.more
def test_streams_and_graphs_in_compiled_functions(run_python):
    printed = run_python("""
        import warnings, torch
        from torch import nn
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        x = torch.ones(2, 3, device="cuda:1")

        def on_streams(x):
            side, event = torch.cuda.Stream(x.device), torch.cuda.Event()
            side.wait_stream(torch.cuda.current_stream(x.device))
            with torch.cuda.stream(side):
                y = x + 1
                event.record()
            event.synchronize()
            return y * 2

        print(torch.compile(on_streams, backend="eager")(x).sum().item())
        net = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).cuda(1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graphed = torch.compile(net, backend="cudagraphs")
            for step in range(3):
                graphed(x + step).sum().backward()
        print([str(w.message)[:27] for w in caught if "virtual" in str(w.message)])
        print(net[0].weight.grad.device)
    """)
    assert printed.splitlines() == ["24.0", "['torch.compile: virtual GPUs']", "cuda:1"]


def _on_a_stream(x: torch.Tensor) -> torch.Tensor:
    with torch.cuda.stream(torch.cuda.Stream(0, 0)):
        return x + 1


def _waiting(x: torch.Tensor) -> torch.Tensor:
    torch.cuda.synchronize(0)
    return x


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [_on_a_stream, _waiting])
def test_streams_in_scripts_are_refused_in_a_sentence(function):
    with pytest.raises(
        virtual_cuda.VirtualCudaUnsupported, match=r"no torch.cuda.\w+ in TorchScript"
    ):
        torch.jit.script(function)
