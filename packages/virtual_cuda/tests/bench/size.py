"""What virtual GPUs take: memory of a process, and time as devices and tensors become more.

    python bench/size.py

Each line is a process of its own, without the compiled helper and, where it is there, with it.
Times are the least of many short rounds, which a busy computer disturbs little.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import torch
from torch import nn

# virtual_cuda is imported where it is used: one of the processes does without.

ROUNDS, REPEATS = 200, 100
DEVICES = (1, 4, 64)
TENSORS = (10, 10_000, 100_000)


def microseconds(function: Callable[[], object]) -> float:
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(REPEATS):
            function()
        least = min(least, time.perf_counter() - start)
    return least / REPEATS * 1e6


def train(device: str) -> None:
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    x, target = torch.randn(64, 64).to(device), torch.zeros(64, dtype=torch.long).to(device)
    for _ in range(20):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), target).backward()
        optimizer.step()


def resident(devices: int) -> None:
    """MiB of a process that trains, with so many virtual GPUs or with none."""
    if devices:
        import virtual_cuda

        virtual_cuda.enable(devices, quiet=True)
    train("cuda" if devices else "cpu")
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    print(f"{pages * resource.getpagesize() / 2**20:.0f}")


def operation(devices: int, tensors: int) -> None:
    """µs of an addition, and of a look at the counter, with so many tensors alive."""
    import virtual_cuda

    virtual_cuda.enable(devices, quiet=True)
    x = torch.randn(10, device=f"cuda:{devices - 1}")
    kept = [x + k for k in range(tensors)]
    times = microseconds(lambda: x + x), microseconds(torch.cuda.memory_allocated)
    print(*(f"{time:9.1f}" for time in times))
    del kept


def ask(*question: object, **environment: str) -> str:
    command = [sys.executable, __file__, *map(str, question)]
    done = subprocess.run(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.rstrip()


def main() -> None:
    from virtual_cuda.platform import helper

    for choice in ("off", "on"):
        if choice == "on" and not helper.file().exists():
            print("The compiled helper is not there; `make helper` compiles it.")
            return
        print(f"With the compiled helper {choice}:", flush=True)
        chosen = {helper.VARIABLE: choice}
        print(f"{'devices':>8} {'tensors':>8}    add, µs  memory_allocated(), µs")
        for devices, tensors in [(n, TENSORS[0]) for n in DEVICES] + [(4, n) for n in TENSORS[1:]]:
            times = ask("operation", devices, tensors, **chosen)
            print(f"{devices:8} {tensors:8}  {times}", flush=True)
        for devices in (0, *DEVICES):
            print(
                f"{ask('resident', devices, **chosen):>5} MiB in a process that trains on "
                f"{devices or 'no'} virtual GPUs",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["resident"]:
        resident(int(sys.argv[2]))
    elif sys.argv[1:2] == ["operation"]:
        operation(*map(int, sys.argv[2:]))
    else:
        main()
