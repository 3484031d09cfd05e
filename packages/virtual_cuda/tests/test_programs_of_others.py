"""What programs of other people do, each in small: a case for each fault that one of them found."""

from __future__ import annotations

import copy
import sys
import time
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn

import virtual_cuda
from ranks import start


class Picture(Tensor):
    """A tensor with attributes of its own, as fastai's and MONAI's are."""


class Weight(nn.Parameter):
    """A parameter with attributes of its own, as those of quantized models are."""


@pytest.mark.parametrize("take_over", [lambda kept: kept, copy.copy])
def test_tensors_that_take_over_the_attributes_of_others(take_over):
    class Late(Picture):
        pass

    small, large = torch.arange(2.0, device="cuda"), torch.ones(3, 2, device="cuda")
    for kind in (Picture, Late):
        picture = (large * 2).as_subclass(kind)
        picture.__dict__ = take_over(small.__dict__)
        assert (picture + 1).tolist() == [[3, 3]] * 3
        plain = picture.as_subclass(Tensor)
        plain.__dict__ = take_over(picture.__dict__)
        assert plain.sum().item() == 12 and torch.stack([plain, plain], 1).shape == (3, 2, 2)
    weight = Weight(large)
    weight.__dict__.update(small.__dict__)
    assert (weight * 2).tolist() == [[2, 2]] * 3
    assert small.tolist() == [0, 1]


def test_parameters_of_the_cpu_keep_their_attributes():
    """Accelerate makes parameters anew: ``type(p)(p.to(device), **p.__dict__)``."""
    parameter = nn.Parameter(torch.ones(2))
    moved = nn.Parameter(parameter.to("cuda"), **parameter.__dict__)
    assert moved.is_cuda and not vars(parameter)


def gradients(device: str, dtype: torch.dtype) -> list[Tensor]:
    given = [
        torch.linspace(-1, 1, n).view(shape).half().to(device, dtype).requires_grad_()
        for n, shape in [(128, (1, 2, 8, 8)), (36, (2, 2, 3, 3)), (2, (2,))]
    ]
    nn.functional.conv2d(*given, padding=1).double().square().sum().backward()
    return [tensor.grad for tensor in given]


def test_gradients_of_a_convolution_in_halves():
    """Against doubles: what the CPU makes of halves differs with its instructions."""
    halves, doubles = gradients("cuda:1", torch.float16), gradients("cpu", torch.float64)
    for ours, exact in zip(halves, doubles, strict=True):
        assert ours.dtype is torch.float16 and str(ours.device) == "cuda:1"
        torch.testing.assert_close(ours.cpu().double(), exact, rtol=0.002, atol=0.05)


def test_a_convolution_in_halves_ends():
    """The CPU takes about a hundred times as long for the gradients in halves as in floats."""
    seconds = {}
    for dtype in (torch.float32, torch.float16):
        x = torch.randn(4, 32, 16, 16, device="cuda", dtype=dtype)  # the first layer: no gradient
        weight = torch.randn(32, 32, 3, 3, device="cuda", dtype=dtype, requires_grad=True)
        times = []
        for _ in range(3):
            y = nn.functional.conv2d(x, weight)
            start = time.thread_time()
            y.sum().backward()
            times.append(time.thread_time() - start)
        seconds[dtype] = min(times)
    assert seconds[torch.float16] < 20 * seconds[torch.float32]


def average(rank: int) -> None:
    """Lightning averages sizes of batches over its ranks."""
    mean, root = dist.ReduceOp.AVG, 1
    x = torch.tensor([1, 2, -5], device="cuda") * (rank + 1)
    everywhere, there = x.clone(), x.clone()
    dist.all_reduce(everywhere, mean)
    dist.reduce(there, root, mean)
    assert everywhere.tolist() == [1, 3, -7]  # what is left over is dropped
    assert rank != root or there.tolist() == [1, 3, -7]
    parts = torch.arange(4, device="cuda") * (rank + 1)
    part, same_part = torch.empty_like(parts[:2]), torch.empty_like(parts[:2])
    dist.reduce_scatter(part, list(parts.chunk(2)), mean)
    dist.reduce_scatter_tensor(same_part, parts, mean)
    assert part.tolist() == same_part.tolist() == [[0, 1], [3, 4]][rank]
    work = dist.all_reduce(x, mean, async_op=True)
    work.wait()
    assert x.tolist() == [1, 3, -7] == work.get_future().value()[0].tolist()
    with pytest.raises(TypeError, match="AVG with boolean inputs"):
        dist.all_reduce(x > 0, mean)


def add_multiples(rank: int) -> None:
    """torchtitan divides gradients by a number of its own, and FSDP2 asks NCCL to do it."""
    multiple = torch.distributed._make_nccl_premul_sum
    x = torch.tensor([1.0, 2.0], device="cuda") * (rank + 1)
    everywhere = x.clone()
    work = dist.all_reduce(everywhere, multiple(0.5), async_op=True)
    work.wait()
    assert everywhere.tolist() == [1.5, 3.0]
    parts = torch.tensor([30_000.0, 2.0, 4.0, 40_000.0], device="cuda", dtype=torch.float16)
    part, same_part = torch.empty_like(parts[:2]), torch.empty_like(parts[:2])
    operation = multiple(torch.tensor([0.25], device="cuda", dtype=torch.float16))
    dist.reduce_scatter(part, list(parts.chunk(2)), operation)
    dist.reduce_scatter_tensor(same_part, parts, operation)
    assert part.tolist() == same_part.tolist() == [[15_000, 1], [2, 20_000]][rank]
    assert parts.tolist() == [30_000, 2, 4, 40_000]  # what is only read stays as it was

    from torch.distributed.fsdp import fully_shard  # a second, which collecting shall not take

    net = fully_shard(nn.Linear(2, 2, bias=False).cuda())
    net.set_gradient_divide_factor(4)
    net(torch.ones(1, 2, device="cuda") * (rank + 1)).sum().backward()
    assert net.weight.grad.full_tensor().tolist() == [[0.75, 0.75]] * 2


def programs(rank: int, folder: Path) -> None:
    """One after the other in the same two processes, which take long to start."""
    virtual_cuda.enable(2, quiet=True)
    torch.cuda.set_device(rank)
    for program in (average, add_multiples):
        store = f"file://{folder}/{program.__name__}"
        dist.init_process_group("nccl", store, rank=rank, world_size=2)
        program(rank)
        dist.destroy_process_group()


@pytest.mark.slow
def test_programs_of_two_ranks(tmp_path):
    """A failure in a rank fails the test."""
    start(programs, (tmp_path,), 2)


@pytest.mark.skipif(sys.platform != "linux", reason="RPC with device maps is for Linux")
def test_rpc_with_device_maps_is_refused():
    from torch.distributed.rpc import TensorPipeRpcBackendOptions

    sentence = "Virtual GPUs have no device maps for RPC: send tensors of the CPU."
    with pytest.raises(virtual_cuda.UnsupportedFeature, match=sentence):
        TensorPipeRpcBackendOptions().set_device_map("worker", {0: 1})
    with pytest.raises(virtual_cuda.UnsupportedFeature, match=sentence):
        TensorPipeRpcBackendOptions(device_maps={"worker": {0: 1}})
    assert TensorPipeRpcBackendOptions().device_maps == {}


@pytest.mark.slow  # imports the tracer
def test_tensors_are_made_in_the_compiled_graph(run_python):
    """gpt-fast compiles with ``fullgraph``: what makes a tensor must not break the graph."""
    printed = run_python("""
        import torch
        import virtual_cuda
        virtual_cuda.enable(1, quiet=True)

        @torch.compile(fullgraph=True)
        def f(x):
            n = x.shape[0]
            filled = torch.full((n,), x.sum(), device="cuda") + torch.zeros_like(x) + x.new_ones(n)
            return torch.vmap(lambda y: y + torch.arange(2, device=y.device))(x), filled

        print([y.tolist() for y in f(torch.ones(2, device="cuda"))])
    """)
    assert printed.strip() == "[[[1.0, 2.0], [1.0, 2.0]], [3.0, 3.0]]"
