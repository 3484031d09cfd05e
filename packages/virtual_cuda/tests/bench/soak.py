"""DDP and FSDP2 for as many minutes as you like, with four threads of Python beside each rank.

    python bench/soak.py 60             two ranks, two processes
    python bench/soak.py 60 --kernel    the first rank is a Jupyter kernel

Each step trains one model with DDP, one with FSDP2 (forward prefetch, bfloat16 reduction) and
saves now and then, while threads make tensors, views, cycles for the garbage collector, and copies.
After each tenth step the ranks compare a checksum of all weights, to the bit; it ends at the first
difference, error or crash of a thread. One line a minute, and one at the end.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel

import virtual_cuda

RANKS = 2


def views(card: int) -> None:
    x = torch.randn(8, 8, device=card)
    assert torch.equal(x.T[2:4].T.contiguous().cpu(), x.cpu()[:, 2:4])


def cycles(card: int) -> None:
    node: list[object] = [torch.ones(64, device=card)]
    node.append(node)
    del node
    gc.collect(0)


def copies(card: int) -> None:
    stream = torch.cuda.Stream(card)
    with torch.cuda.stream(stream):
        copied = torch.arange(100.0).pin_memory().to(card, non_blocking=True)
    stream.synchronize()
    assert copied.sum().item() == 4950


def gradients(card: int) -> None:
    x = torch.ones(16, device=card, requires_grad=True)
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3] * 16


def net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 64), nn.Linear(64, 4))


def checksum(models: list[nn.Module]) -> Tensor:
    whole = [
        p.full_tensor() if isinstance(p, DTensor) else p for m in models for p in m.parameters()
    ]
    bits = torch.cat([p.detach().flatten() for p in whole]).view(torch.int32).long()
    return (bits * torch.arange(1, bits.numel() + 1, device=bits.device)).sum()


def train(rank: int, folder: str, minutes: float) -> None:
    """One rank. Raises AssertionError where ranks differ, and what a thread raised."""
    virtual_cuda.enable(RANKS, quiet=True)
    torch.set_num_threads(1)
    torch.cuda.set_device(rank)
    store = dist.FileStore(f"{folder}/store", RANKS)
    dist.init_process_group(
        "nccl", store=store, rank=rank, world_size=RANKS, timeout=timedelta(minutes=10)
    )
    ends, failed = threading.Event(), []

    def beside(work: Callable[[int], None]) -> None:
        try:
            while not ends.wait(0.001):
                work(rank)
        except BaseException as error:
            failed.append(error)

    threads = [
        threading.Thread(target=beside, args=[w]) for w in (views, cycles, copies, gradients)
    ]
    for thread in threads:
        thread.start()
    try:
        _steps(rank, folder, time.monotonic() + 60 * minutes, failed)
    finally:
        ends.set()
        for thread in threads:
            thread.join()
    dist.destroy_process_group()


def _steps(rank: int, folder: str, end: float, failed: list[BaseException]) -> None:
    torch.manual_seed(0)
    whole = DistributedDataParallel(net().cuda(), device_ids=[rank])
    sharded = net().cuda()
    for layer in sharded:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mp_policy=MixedPrecisionPolicy(reduce_dtype=torch.bfloat16))
    fully_shard(sharded)
    models = [whole, sharded]
    optimizers = [torch.optim.AdamW(m.parameters(), foreach=True) for m in models]
    torch.manual_seed(rank)
    step, told, going = 0, time.monotonic(), torch.ones(1, device=rank)
    while going.item():
        x = torch.randn(32, 16).pin_memory().cuda(non_blocking=True)
        for model, optimizer in zip(models, optimizers, strict=True):
            nn.functional.mse_loss(model(x), x[:, :4]).backward()
            optimizer.step()
            optimizer.zero_grad()
        step += 1
        if step % 10 == 0:
            sums = [torch.zeros((), dtype=torch.long, device=rank) for _ in range(RANKS)]
            dist.all_gather(sums, checksum(models))
            assert len({s.item() for s in sums}) == 1, f"ranks differ after {step} steps: {sums}"
            going.fill_(time.monotonic() < end)
            dist.broadcast(going, 0)
        if step % 200 == 0:
            torch.save(whole.module.state_dict(), f"{folder}/{rank}.pt")
            kept = torch.load(f"{folder}/{rank}.pt", map_location=f"cuda:{rank}")
            assert all(torch.equal(kept[name], p) for name, p in whole.module.state_dict().items())
        if failed:
            raise failed[0]
        if rank == 0 and time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{step} steps, {torch.cuda.memory_allocated()} B", flush=True)
    if rank == 0:
        print(f"{step} steps, {step // 10} comparisons, no difference", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--kernel", action="store_true", help="the first rank is a Jupyter kernel")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        call = f"import soak; soak.train({{}}, {folder!r}, {given.minutes})"
        here = Path(__file__).parent
        other = subprocess.Popen([sys.executable, "-c", call.format(1)], cwd=here)
        if given.kernel:
            _in_kernel(call.format(0), here)
        else:
            train(0, folder, given.minutes)
        if other.wait():
            sys.exit(f"the other rank ended with {other.returncode}")


def _in_kernel(cell: str, folder: Path) -> None:
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(cwd=str(folder))
    try:
        reply = client.execute_interactive(cell, timeout=None)
        if reply["content"]["status"] != "ok":
            sys.exit("\n".join(reply["content"]["traceback"]))
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


if __name__ == "__main__":
    main()
