"""Groups of ranks as NCCL has them: split, coalesced, awaited, with options, and past a group."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist

import virtual_cuda
from ranks import start

RANKS = 2
CARD = torch.device("cuda")


def programs(rank: int, folder: Path) -> None:
    """One after the other in the same two processes, which take long to start."""
    torch.set_num_threads(1)
    virtual_cuda.enable(RANKS, quiet=True)
    torch.cuda.set_device(rank)
    for program, backend, eager in (
        (futures, "nccl", False),
        (coalesced, "nccl", False),
        (without_a_group, "nccl", False),
        (options, "nccl", False),
        (parts, "nccl", True),
        (parts_with_the_cpu, "cpu:gloo,cuda:nccl", True),
    ):
        dist.init_process_group(
            backend,
            f"file://{folder}/{program.__name__}",
            rank=rank,
            world_size=RANKS,
            device_id=torch.device("cuda", rank) if eager else None,
        )
        program(rank)
        dist.destroy_process_group()


@pytest.mark.more
@pytest.mark.slow
def test_programs_of_two_ranks(tmp_path):
    """A failure in a rank fails the test."""
    start(programs, (tmp_path,), RANKS)


def futures(rank: int) -> None:
    x = torch.arange(4.0, device=CARD) + rank
    for op, expected in ((dist.ReduceOp.SUM, [[1, 3], [5, 7]]), (dist.ReduceOp.AVG, None)):
        out, other = torch.empty(2, device=CARD), torch.empty(2, device=CARD)
        works = [
            dist.reduce_scatter_tensor(out, x, op=op, async_op=True),
            dist.reduce_scatter(other, list(x.chunk(2)), op=op, async_op=True),
        ]
        for work, written in zip(works, (out, other), strict=True):
            (value,) = work.get_future().then(lambda done: done.value()).wait()
            assert value is written and value.device == torch.device("cuda", rank)
            work.wait()
            if expected is not None:
                assert written.tolist() == expected[rank]
        assert out.equal(other)


def coalesced(rank: int) -> None:
    x = torch.arange(4.0, device=CARD) + rank
    here = torch.device("cuda", rank)
    first, second = x.clone(), 2 * x
    with dist._coalescing_manager(device=here):
        dist.all_reduce(first)
        dist.all_reduce(second)
    assert (first.tolist(), second.tolist()) == ([1, 3, 5, 7], [2, 6, 10, 14])
    parts = [torch.empty(2, device=CARD) for _ in range(2)]
    with dist._coalescing_manager(device=here, async_ops=True) as both:
        dist.reduce_scatter_tensor(parts[0], x)
        dist.reduce_scatter_tensor(parts[1], 2 * x)
    both.wait()
    assert [part.tolist() for part in parts] == [[[1, 3], [2, 6]], [[5, 7], [10, 14]]][rank]
    received, sent = torch.empty(4, device=CARD), x.clone()
    with dist._coalescing_manager(device=here, async_ops=True) as swap:
        dist.isend(sent, 1 - rank)
        dist.irecv(received, 1 - rank)
    swap.wait()
    assert received.tolist() == [k + 1.0 - rank for k in range(4)]


def without_a_group(rank: int) -> None:
    store = dist.distributed_c10d._get_default_store()
    for kind in (dist.ProcessGroupGloo, dist.ProcessGroupNCCL):
        group = kind(dist.PrefixStore(kind.__name__, store), rank, RANKS)
        x = torch.arange(2.0, device=CARD) + rank
        work = group.allreduce([x])
        assert work.get_future().wait()[0].is_cuda and x.tolist() == [1, 3]
        gathered = [[torch.empty(2, device=CARD) for _ in range(RANKS)]]
        group.allgather(gathered, [x + rank]).wait()
        assert [part.tolist() for part in gathered[0]] == [[1, 3], [2, 4]]


def options(rank: int) -> None:
    wanted = dist.ProcessGroupNCCL.Options(is_high_priority_stream=True)
    wanted.config.cga_cluster_size = 2
    group = dist.new_group(pg_options=wanted)
    backend = group._get_backend(CARD)
    assert isinstance(backend, dist.ProcessGroupNCCL) and backend.name() == "nccl"
    assert backend.options.config.cga_cluster_size == 2
    x = torch.ones(1, device=CARD)
    dist.all_reduce(x, group=group)
    assert x.item() == RANKS


def parts(rank: int) -> None:
    x = torch.full((1,), rank + 1.0, device=CARD)
    alone = dist.new_group([1])
    if rank == 1:
        dist.all_reduce(x, group=alone)
    own = dist.split_group(split_ranks=[[0], [1]])
    dist.all_reduce(x, group=own)
    assert x.item() == rank + 1 and dist.get_backend(own) == "nccl"
    assert isinstance(own._get_backend(CARD), dist.ProcessGroupNCCL)
    of_one = dist.split_group(split_ranks=[[1]])
    assert (of_one is None) == (rank == 0)
    mesh = dist.init_device_mesh("cuda", (RANKS, 1), mesh_dim_names=("replicate", "shard"))
    dist.all_reduce(x, group=mesh["replicate"].get_group())
    dist.all_reduce(x, group=mesh["shard"].get_group())
    assert x.item() == 3


def parts_with_the_cpu(rank: int) -> None:
    both = dist.split_group(split_ranks=[[0, 1]])
    for x in (torch.ones(1), torch.ones(1, device=CARD)):
        dist.all_reduce(x, group=both)
        assert x.item() == RANKS
