"""DistributedDataParallel over gloo, each rank with a virtual card of its own."""

from __future__ import annotations

import copy
import warnings
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import virtual_cuda
from ranks import start

RANKS = 2


def programs(rank: int, folder: Path) -> None:
    """One after the other in the same two processes, which take long to start."""
    torch.set_num_threads(1)
    virtual_cuda.enable(RANKS, quiet=True)
    for backend, program in (
        ("gloo", train),
        ("gloo", train_network),
        ("nccl", collectives),
        ("nccl", collectives_in_graphs),
        ("nccl", training_step_in_a_graph),
    ):
        store = f"file://{folder}/{program.__name__}"
        dist.init_process_group(backend, store, rank=rank, world_size=RANKS)
        program(rank, folder)
        dist.destroy_process_group()


def train(rank: int, folder: Path) -> None:
    torch.cuda.set_device(rank)
    total = torch.ones(3, device="cuda") * (rank + 1)
    dist.all_reduce(total)
    torch.manual_seed(rank)  # different weights: DDP must send those of rank 0
    model = DistributedDataParallel(nn.Linear(3, 2).cuda(rank), device_ids=[rank])
    model(torch.full((4, 3), rank + 1.0, device="cuda")).sum().backward()
    weight = model.module.weight
    torch.save((total.cpu(), weight.detach().cpu(), weight.grad.cpu()), f"{folder}/{rank}.pt")


class Network(nn.Module):
    """A layer that knows the whole batch, and one that only the first rank uses."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU())
        self.extra = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, use_extra: bool) -> torch.Tensor:
        y = self.layers(x).mean((2, 3))
        return self.extra(y) if use_extra else y


def train_network(rank: int, folder: Path) -> None:
    torch.manual_seed(0)
    net, x = Network(), torch.randn(6, 2, 5, 5)
    plain = copy.deepcopy(net)
    synced = nn.SyncBatchNorm.convert_sync_batchnorm(net).cuda(rank)
    model = DistributedDataParallel(synced, device_ids=[rank], find_unused_parameters=True)
    parts = x[:2], x[2:]  # of different sizes
    model(parts[rank].cuda(rank), use_extra=rank == 0).sum().backward()
    y = plain.layers(x).mean((2, 3))
    ((plain.extra(y[:2]).sum() + y[2:].sum()) / RANKS).backward()
    torch.testing.assert_close(
        synced.layers[1].running_var.cpu(), plain.layers[1].running_var, rtol=1e-4, atol=1e-5
    )
    for ours, its in zip(synced.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(ours.grad.cpu(), its.grad, rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_programs_of_two_ranks(tmp_path):
    """A failure in a rank fails the test."""
    start(programs, (tmp_path,), RANKS)
    (total, weight, grad), (total1, weight1, grad1) = (
        torch.load(tmp_path / f"{rank}.pt") for rank in range(RANKS)
    )
    assert total.tolist() == total1.tolist() == [3, 3, 3]
    assert torch.equal(weight, weight1) and torch.equal(grad, grad1)
    assert torch.equal(grad, torch.full((2, 3), (4 * 1 + 4 * 2) / 2))


def collectives(rank: int, folder: Path) -> None:
    torch.cuda.set_device(rank)
    assert dist.get_backend() == "nccl" and dist.is_nccl_available()
    x = torch.arange(4.0, device="cuda") + rank

    total = x.clone()
    dist.all_reduce(total, async_op=True).wait()
    mean = x.clone()
    dist.all_reduce(mean, op=dist.ReduceOp.AVG)
    assert total.tolist() == [1, 3, 5, 7] and mean.tolist() == [0.5, 1.5, 2.5, 3.5]
    everything = [torch.empty(4, device="cuda") for _ in range(RANKS)]
    dist.all_gather(everything, x)
    assert [t.tolist() for t in everything] == [[0, 1, 2, 3], [1, 2, 3, 4]]
    assert everything[1].device == x.device
    part = torch.empty(2, device="cuda")
    dist.reduce_scatter(part, list(x.chunk(2)))
    assert part.tolist() == [[1, 3], [5, 7]][rank]
    received = torch.empty(4, device="cuda")
    swap = [dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, received, 1 - rank)]
    for request in dist.batch_isend_irecv(swap):
        request.wait()
    assert received.tolist() == [1.0 - rank + k for k in range(4)]
    names: list[object] = [None] * RANKS
    dist.all_gather_object(names, f"rank {rank}")
    assert names == ["rank 0", "rank 1"]
    dist.barrier()
    with pytest.raises(RuntimeError, match="No backend type associated with device type cpu"):
        dist.all_reduce(torch.ones(2))

    torch.manual_seed(0)
    with virtual_cuda.trace() as trace:
        model = DistributedDataParallel(nn.Linear(4, 1).cuda(), device_ids=[rank])
        before = len(trace.collectives)
        model(x[None]).sum().backward()
    assert [call.name for call in trace.collectives[before:]] == ["allreduce_"]
    assert "allreduce_" in repr(trace) and trace.collectives[0].name == "allgather_"
    assert model.module.weight.grad.tolist() == [[0.5, 1.5, 2.5, 3.5]]


def _reduced(x: torch.Tensor, op: dist.ReduceOp, wait_later: bool = False) -> torch.Tensor:
    total = x * 1
    work = dist.all_reduce(total, op=op, async_op=wait_later)
    if work is not None:
        work.wait()
    return total


def _broadcast(x: torch.Tensor) -> torch.Tensor:
    dist.broadcast(x, 1)  # which no operator here has made
    return x + 0


def _gathered(x: torch.Tensor) -> torch.Tensor:
    parts = [torch.empty_like(x) for _ in range(RANKS)]
    dist.all_gather(parts, x)
    return torch.stack(parts)


def _exchanged(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    dist.all_to_all_single(y, x)
    return y


def collectives_in_graphs(rank: int, folder: Path) -> None:
    torch.cuda.set_device(rank)
    x = torch.zeros(2, device="cuda")

    def fill(step: int) -> None:
        x.copy_(torch.arange(2.0) + 10 * rank + step)

    for collective in (
        lambda: _reduced(x, dist.ReduceOp.SUM),
        lambda: _reduced(_reduced(x, dist.ReduceOp.MAX), dist.ReduceOp.SUM, wait_later=True),
        lambda: _reduced(x.long(), dist.ReduceOp.AVG),
        lambda: functional.all_reduce(x, "sum", dist.group.WORLD) + 1,
        lambda: _broadcast(x),
        lambda: _gathered(x),
        lambda: _exchanged(x),
    ):
        graph = torch.cuda.CUDAGraph()
        fill(0)
        with torch.cuda.graph(graph):
            result = collective()
        assert x.tolist() == [10.0 * rank, 10.0 * rank + 1]
        for step in range(3):
            fill(step)
            graph.replay()
            found = result.tolist()
            fill(step)
            assert found == collective().tolist()
    refused = pytest.raises(virtual_cuda.VirtualCudaUnsupported, match="no sends and receives in")
    with warnings.catch_warnings(), refused, torch.cuda.graph(torch.cuda.CUDAGraph()):
        warnings.simplefilter("ignore")  # the graph is empty
        dist.send(x, 1 - rank)
    torch.cuda.set_stream(torch.cuda.default_stream())  # torch's own `graph` leaves its stream on


def training_step_in_a_graph(rank: int, folder: Path) -> None:
    torch.cuda.set_device(rank)
    torch.manual_seed(0)
    plain, batches = nn.Linear(4, 2).cuda(), torch.randn(RANKS, 3, 5, 4)
    net, x = copy.deepcopy(plain), torch.zeros(5, 4, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        model = DistributedDataParallel(net, device_ids=[rank])
        for _ in range(11):  # as torch's notes on graphs ask for
            model(x).sum().backward()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model.zero_grad(set_to_none=False)
        model(x).pow(2).mean().backward()
    for step in range(3):
        x.copy_(batches[rank, step])
        graph.replay()
        plain.zero_grad()
        plain(batches[:, step].flatten(0, 1).cuda()).pow(2).mean().backward()
        torch.testing.assert_close(net.weight.grad, plain.weight.grad)
