"""What NCCL refuses, in torch 2.13's words: two ranks on one card, and tensors that do not fit."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

import virtual_cuda
from ranks import start

RANKS = 2


@pytest.fixture
def alone() -> Iterator[None]:
    """A group of one rank: what tensors have to be does not depend on their number."""
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def ones(*shape: int, dtype: torch.dtype = torch.float32, on: str = "cuda:0") -> Tensor:
    return torch.ones(shape, dtype=dtype, device=on)


GAPS = "Tensors must be contiguous"
TYPE = "Input tensor data type is not supported for NCCL process group: Short"
ILLEGAL = "CUDA error: an illegal memory access was encountered"
GATHERED = "output tensor size must be equal to world_size times input tensor size"
SCATTERED = "input tensor must be the same size as output size times world size"
UNCHECKED = "Neither torch nor NCCL checks this"
SHORT = torch.int16
SUM = dist.ReduceOp.SUM


@pytest.mark.parametrize(
    ("refused", "error", "text"),
    [
        (lambda: dist.all_reduce(ones(2, 3).t()), ValueError, GAPS),
        (lambda: dist.broadcast(ones(2, 3)[:, 0], 0), ValueError, GAPS),
        (lambda: dist.reduce(ones(2, 3).t(), 0), ValueError, GAPS),
        (lambda: dist.all_gather([ones(3, 2)], ones(2, 3).t()), ValueError, GAPS),
        (lambda: dist.reduce_scatter(ones(2, 3).t(), [ones(3, 2)]), ValueError, GAPS),
        (lambda: dist.all_gather_into_tensor(ones(3, 2), ones(2, 3).t()), ValueError, GAPS),
        (lambda: dist.all_to_all_single(ones(3, 2), ones(2, 3).t()), ValueError, GAPS),
        (lambda: dist.all_to_all([ones(3, 2)], [ones(2, 3).t()]), ValueError, GAPS),
        (lambda: dist.gather(ones(2, 3).t(), [ones(3, 2)]), ValueError, GAPS),
        (
            lambda: dist.isend(ones(6)[::2], 0),
            ValueError,
            "Tensors for P2P must be non-overlapping and dense",
        ),
        (lambda: dist.all_reduce(ones(2, dtype=SHORT)), TypeError, TYPE),
        (lambda: dist.broadcast(ones(2, dtype=SHORT), 0), TypeError, TYPE),
        (
            lambda: dist.all_gather([ones(2, dtype=SHORT)], ones(2, dtype=SHORT)),
            TypeError,
            TYPE,
        ),
        (
            lambda: dist.all_to_all_single(ones(2, dtype=SHORT), ones(2, dtype=SHORT)),
            RuntimeError,
            "Unconvertible NCCL type Short",
        ),
        (
            lambda: dist.all_reduce(ones(2, dtype=torch.int32), op=dist.ReduceOp.BAND),
            ValueError,
            "Cannot use ReduceOp.BAND with NCCL",
        ),
        (
            lambda: dist.reduce_scatter_tensor(
                ones(2).long(), ones(2).long(), op=dist.ReduceOp.BXOR
            ),
            ValueError,
            "Cannot use ReduceOp.BXOR with NCCL",
        ),
        (
            lambda: dist.all_reduce(ones(2) > 0, op=dist.ReduceOp.AVG),
            TypeError,
            "Cannot use ReduceOp.AVG with boolean inputs",
        ),
        (lambda: dist.all_reduce(ones(2).to_sparse()), RuntimeError, "NCCL does not support all_r"),
        (lambda: dist.all_gather_into_tensor(ones(3), ones(2)), ValueError, GATHERED),
        (
            lambda: dist.all_gather_into_tensor(ones(2).long(), ones(2)),
            TypeError,
            "output tensor must have the same type as input tensor",
        ),
        (lambda: dist.reduce_scatter_tensor(ones(2), ones(3)), ValueError, SCATTERED),
        (
            lambda: dist.reduce_scatter_tensor(ones(2).long(), ones(2)),
            TypeError,
            "input tensor must be the same type as the output tensor.",
        ),
        (lambda: dist.all_gather([ones(2, on="cuda:1")], ones(2)), RuntimeError, ILLEGAL),
        (lambda: dist.all_gather([ones(2, on="cpu")], ones(2)), RuntimeError, ILLEGAL),
        (
            lambda: dist.all_gather_into_tensor(ones(2, on="cuda:1"), ones(2)),
            RuntimeError,
            ILLEGAL,
        ),
        (
            lambda: dist.reduce_scatter_tensor(ones(2, on="cuda:1"), ones(2)),
            RuntimeError,
            ILLEGAL,
        ),
        (lambda: dist.gather(ones(2), [ones(2, on="cuda:1")]), RuntimeError, ILLEGAL),
        (
            lambda: dist.all_to_all([ones(2, on="cuda:1")], [ones(2)]),
            RuntimeError,
            "Tensors must be on the same device",
        ),
        (
            lambda: dist.gather(ones(2), [ones(2, on="cpu")]),
            ValueError,
            "ProcessGroupNCCL::gather: invalid tensor type at index 0 (expected TensorOptions("
            "dtype=float, device=cuda:0, layout=Strided, requires_grad=false (default), "
            "pinned_memory=false (default), memory_format=(nullopt)), got TensorOptions("
            "dtype=float, device=cpu,",
        ),
        (
            lambda: dist.scatter(ones(2), [ones(3)]),
            ValueError,
            "ProcessGroupNCCL::scatter: invalid tensor size at index 0 (expected [2], got [3])",
        ),
        (
            lambda: dist.gather(ones(2), [ones(2), ones(2)]),
            ValueError,
            "ProcessGroupNCCL::gather: Incorrect output list size 2. Output list size should be "
            "1, same as size of the process group.",
        ),
        (lambda: dist.all_gather([ones(2), ones(2)], ones(2)), RuntimeError, UNCHECKED),
        (lambda: dist.all_gather([ones(3)], ones(2)), RuntimeError, UNCHECKED),
        (lambda: dist.reduce_scatter(ones(2), [ones(2)] * 2), RuntimeError, UNCHECKED),
        (lambda: dist.all_to_all([ones(2)] * 2, [ones(2)] * 2), RuntimeError, UNCHECKED),
        (lambda: dist.all_gather([], ones(2)), RuntimeError, "Received an empty list"),
        (
            lambda: dist.all_gather([ones(3), ones(2)], ones(2)),
            ValueError,
            "Tensor input and output of _broadcast_oop must have the same number of elements ",
        ),
        (
            lambda: dist.group.WORLD.allreduce_coalesced([ones(2), ones(2).long()]),
            TypeError,
            "Tensors must have identical type",
        ),
        (
            lambda: dist.group.WORLD.allreduce_coalesced([ones(2), ones(2, on="cuda:1")]),
            ValueError,
            "Expected list of tensors on the same device",
        ),
        (
            lambda: dist.group.WORLD.allreduce([ones(2), ones(2)]),
            RuntimeError,
            "Expecting one tensor only but got multiple.",
        ),
        (
            lambda: dist.recv(ones(2)),
            NotImplementedError,
            "ProcessGroupNCCL does not support recvAnysource",
        ),
        (
            lambda: dist.group.WORLD._get_backend(torch.device("cuda")).allreduce([ones(2, 3).t()]),
            ValueError,
            GAPS,
        ),
    ],
)
def test_what_nccl_refuses(refused, error, text, alone):
    with pytest.raises(error, match="^" + re.escape(text) if text != UNCHECKED else text) as caught:
        refused()
    assert "gloo" not in str(caught.value).lower()


@pytest.mark.slow
def test_two_ranks(tmp_path):
    """A failure in a rank fails the test."""
    start(programs, (tmp_path,), RANKS)


@pytest.mark.slow
def test_a_batch_connects_all_ranks_at_once(tmp_path):
    """Pair after pair, a ring of three would wait for ever."""
    start(ring, (tmp_path,), 3)


def ring(rank: int, folder: Path) -> None:
    virtual_cuda.enable(3, quiet=True)
    begin(rank, f"{folder}/ring", size=3)
    after, before = (rank + 1) % 3, (rank - 1) % 3
    own, other = (torch.tensor([rank], device=f"cuda:{rank}") for _ in range(2))
    steps = [dist.P2POp(dist.isend, own, after), dist.P2POp(dist.irecv, other, before)]
    for work in dist.batch_isend_irecv(steps):
        work.wait()
    assert other.item() == before


def programs(rank: int, folder: Path) -> None:
    """One after the other in the same two processes, which take long to start."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for program, cards in (
        (on_one_card, ""),
        (bound_to_one_card, ""),
        (changing_cards, ""),
        (each_its_own, str(rank)),
        (parts_of_several_sizes, ""),
    ):
        monkeypatch = pytest.MonkeyPatch()
        if cards:
            monkeypatch.setenv("CUDA_VISIBLE_DEVICES", cards)
        virtual_cuda.enable(RANKS, quiet=True)
        try:
            program(rank, str(folder / program.__name__))
        finally:
            virtual_cuda.disable()
            monkeypatch.undo()
        if dist.is_initialized():
            dist.destroy_process_group()


def begin(rank: int, store: str, card: torch.device | None = None, size: int = RANKS) -> None:
    dist.init_process_group(
        "nccl",
        f"file://{store}",
        rank=rank,
        world_size=size,
        device_id=card,
        timeout=timedelta(seconds=60),
    )


def refused(rank: int, use: Callable[[], object], bus: str = "1a000") -> None:
    text = (
        r"^NCCL error in: .*NCCLUtils.cpp:92, invalid usage \(run with NCCL_DEBUG=WARN for "
        r"details\), NCCL version 2\.29\.7\nncclInvalidUsage: This usually reflects invalid usage "
        r"of NCCL library\.\nLast error:\nDuplicate GPU detected : "
        rf"rank {rank} and rank {1 - rank} both on CUDA device {bus}$"
    )
    with pytest.raises(dist.DistBackendError, match=text):
        use()


def on_one_card(rank: int, store: str) -> None:
    begin(rank, store)
    x = torch.ones(2, device="cuda")
    refused(rank, lambda: DistributedDataParallel(nn.Linear(2, 1).cuda()))
    refused(rank, lambda: fully_shard(nn.Linear(2, 4, device="cuda:0"))(x))
    torch.cuda.set_device(0)  # a mesh of devices has chosen one for each rank
    refused(rank, lambda: dist.all_reduce(x))
    refused(rank, lambda: dist.all_gather_object([None, None], rank))
    refused(rank, lambda: dist.barrier(device_ids=[0]))
    refused(rank, lambda: dist.recv(x, 0) if rank else dist.send(x, 1))
    swap = [dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, x.clone(), 1 - rank)]
    refused(rank, lambda: dist.batch_isend_irecv(swap))
    group = dist.new_group([0, 1])
    refused(rank, lambda: dist.broadcast(x, 0, group=group))
    dist.barrier(group=dist.new_group([0, 1]))  # by rank, where no card was used


def bound_to_one_card(rank: int, store: str) -> None:
    refused(rank, lambda: begin(rank, store, torch.device("cuda", 1)), "3d000")


def changing_cards(rank: int, store: str) -> None:
    begin(rank, store, torch.device("cuda", rank))
    dist.all_reduce(torch.ones(2, device=f"cuda:{rank}"))
    with pytest.raises(dist.DistBackendError, match="not on device passed to init_process_group"):
        dist.all_reduce(torch.ones(2, device=f"cuda:{1 - rank}"))
    dist.destroy_process_group()
    begin(rank, f"{store}-lazy")
    for card in (rank, 1 - rank, rank):
        x = torch.ones(2, device=f"cuda:{card}")
        dist.all_reduce(x)
        assert x.tolist() == [2, 2]
    group = dist.new_group([0, 1])
    refused(rank, lambda: dist.all_reduce(torch.ones(2, device="cuda:0"), group=group))


def each_its_own(rank: int, store: str) -> None:
    begin(rank, store)
    x = torch.full((2,), rank + 1.0, device="cuda:0")
    dist.all_reduce(x)
    assert x.tolist() == [3, 3]
    model = DistributedDataParallel(nn.Linear(2, 1).cuda())
    model(x[None]).sum().backward()
    assert model.module.weight.grad.tolist() == [[3, 3]]


def parts_of_several_sizes(rank: int, store: str) -> None:
    """What NCCL takes and gloo does not: sizes, orders and types of their own."""
    begin(rank, store)
    torch.cuda.set_device(rank)
    x = torch.arange(rank + 1.0, device="cuda")
    parts = [torch.empty(1, device="cuda"), torch.empty(2, device="cuda")]
    dist.all_gather(parts, x)
    assert [part.tolist() for part in parts] == [[0], [0, 1]]
    dist.reduce_scatter(x, [part + rank for part in parts])
    assert x.tolist() == [[1], [1, 3]][rank]
    square = torch.arange(4.0, device="cuda").view(2, 2)
    gathered = [torch.empty(4, device="cuda") for _ in range(RANKS)]
    dist.all_gather(gathered, square + rank)
    assert [part.tolist() for part in gathered] == [[0, 1, 2, 3], [1, 2, 3, 4]]
    turned = [torch.empty(2, 2, device="cuda").t() for _ in range(RANKS)]
    dist.all_gather(turned, square + rank)
    assert turned[1].tolist() == [[1, 2], [3, 4]]
    if rank:
        received = torch.empty(2, 2, device="cuda").t()
        dist.recv(received, 0)
        assert received.tolist() == [[0, 2], [1, 3]]
    else:
        dist.send(square.t(), 1)
    small = torch.full((2,), rank + 1.0, device="cuda").to(torch.float8_e5m2)
    dist.broadcast(small, 1)
    assert small.float().tolist() == [2, 2]
