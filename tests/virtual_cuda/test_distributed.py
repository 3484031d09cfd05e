"""DistributedDataParallel over gloo, each rank with a virtual card of its own."""

from __future__ import annotations

import os
import socket

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils import virtual_cuda

RANKS = 2


def train(rank: int, port: int, folder: str) -> None:
    torch.set_num_threads(1)
    virtual_cuda.enable(RANKS, quiet=True)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    torch.cuda.set_device(rank)
    total = torch.ones(3, device="cuda") * (rank + 1)
    dist.all_reduce(total)
    torch.manual_seed(rank)  # different weights: DDP must send those of rank 0
    model = DistributedDataParallel(nn.Linear(3, 2).cuda(rank), device_ids=[rank])
    model(torch.full((4, 3), rank + 1.0, device="cuda")).sum().backward()
    weight = model.module.weight
    torch.save((total.cpu(), weight.detach().cpu(), weight.grad.cpu()), f"{folder}/{rank}.pt")
    dist.destroy_process_group()


@pytest.mark.slow
def test_gradients_are_averaged(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    mp.start_processes(train, args=(port, str(tmp_path)), nprocs=RANKS, start_method="spawn")
    (total, weight, grad), (total1, weight1, grad1) = (
        torch.load(tmp_path / f"{rank}.pt") for rank in range(RANKS)
    )
    assert total.tolist() == total1.tolist() == [3, 3, 3]
    assert torch.equal(weight, weight1) and torch.equal(grad, grad1)
    assert torch.equal(grad, torch.full((2, 3), (4 * 1 + 4 * 2) / 2))
