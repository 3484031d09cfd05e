"""How much slower virtual GPUs are than plain CPU tensors, measured side by side in one run.

    python bench/speed.py

One line per aim: the medians of both, their ratio, and the aim beside it; first without the
compiled helper, then with it, where it is compiled (`make helper`). Times are processor time, and
rounds on the CPU and on the virtual card alternate, so that a busy computer disturbs little, and
both alike. Torch uses one thread, and freed memory stays with the process: to hand it back and
fetch it again costs the larger tensors up to a tenth of a step, on either side, as chance has it.
Last what keeps the ratios from 1 without the helper: the floor, measured with Python kernels that
do nothing else, and with ours where they keep no books.
"""

from __future__ import annotations

import copy
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

import virtual_cuda
from virtual_cuda.cards import open_cards
from virtual_cuda.platform import helper

ROUNDS = 15
CARD = "cuda:1"


def seconds(function: Callable[[], object], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        function()
    return (time.process_time() - start) / repeats


def compare(
    name: str, aim: float, plain: Callable[[], object], virtual: Callable[[], object], repeats: int
) -> None:
    for function in (plain, virtual):
        seconds(function, max(3, repeats // 10))
    rounds = [(seconds(plain, repeats), seconds(virtual, repeats)) for _ in range(ROUNDS)]
    base, ours = (statistics.median(times) * 1e6 for times in zip(*rounds, strict=True))
    ratio = statistics.median(ours / base for base, ours in rounds)
    verdict = "reached" if ratio <= aim else "NOT reached"
    print(f"{name:34} {base:9.1f} µs {ours:9.1f} µs {ratio:6.2f}×   aim ≤ {aim:g}×  {verdict}")


def training(model: nn.Module, x: torch.Tensor, device: str) -> Callable[[], None]:
    model = copy.deepcopy(model).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    inputs, target = x.to(device), torch.randint(0, 10, (len(x),)).to(device)
    return lambda: step(model, optimizer, inputs, target)


def step(
    model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, target: torch.Tensor
) -> None:
    optimizer.zero_grad()
    F.cross_entropy(model(x), target).backward()
    optimizer.step()


def mlp() -> nn.Module:
    return nn.Sequential(
        nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)
    )


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 49, 10),
    )


def operators() -> None:
    x, y = torch.randn(10), torch.randn(10, device=CARD)
    compare("add, ten elements", 5, lambda: x + x, lambda: y + y, 3000)
    compare("view", 3, lambda: x.view(2, 5), lambda: y.view(2, 5), 3000)


def models() -> None:
    x = torch.randn(64, 64)
    compare("MLP training step", 2, training(mlp(), x, "cpu"), training(mlp(), x, CARD), 50)
    x = torch.randn(64, 1, 28, 28)
    compare("small CNN training step", 1.1, training(cnn(), x, "cpu"), training(cnn(), x, CARD), 5)


def data_parallel() -> None:
    x = torch.randn(64, 64)
    one = training(mlp(), x, "cuda:0")
    four = training(nn.DataParallel(mlp()), x, "cuda:0")
    compare("DataParallel ×4 against one card", 6, one, four, 10)


def switching_on() -> None:
    """In fresh processes. Importing torch leaves a garbage collection due, which falls into
    whatever comes next; the second line shows enable() without it."""
    for name, before in (
        ("enable(), right after the import", ""),
        ("  by itself", "gc.collect(); "),
    ):
        code = (
            "import gc, time, torch; import virtual_cuda; "
            f"{before}t = time.process_time(); virtual_cuda.enable(4, quiet=True); "
            "print(time.process_time() - t)"
        )
        command = [sys.executable, "-c", code]
        times = [
            float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            for _ in range(5)
        ]
        median = statistics.median(times)
        verdict = "reached" if median <= 0.1 else "NOT reached"
        print(f"{name:34} {median:9.3f} s {'':23} aim ≤ 0.1 s  {verdict}")


def floor() -> None:
    """What one call costs in Python before anything of ours runs."""
    x, y = torch.randn(10), torch.randn(10, device=CARD)
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    add, view = (
        op.default._handle.redispatch_boxed
        if op is torch.ops.aten.view
        else op.Tensor._handle.redispatch_boxed
        for op in (torch.ops.aten.add, torch.ops.aten.view)
    )
    library = torch.library.Library("aten", "IMPL", "CUDA")
    answer = torch.randn(10, device=CARD)

    def only(
        name: str,
        overload: str,
        kernel: Callable[..., object],
        use: Callable[[], object],
        text: str,
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            library.m.impl(overload, "CUDA", kernel, False)
        times = statistics.median(seconds(use, 3000) for _ in range(ROUNDS))
        print(f"  {name:10} {text:58} {times * 1e6:6.2f} µs")

    print("The floor, in this run:")
    inputs = torch.randn(64, 64)
    on_cpu, on_card = training(mlp(), inputs, "cpu"), training(mlp(), inputs, CARD)
    on_card()
    card = open_cards[torch.device(CARD).index]
    books = card.run, card.lend_to
    card.run = card.lend_to = lambda *args: None
    compare("MLP training step without books", 2, on_cpu, on_card, 50)
    card.run, card.lend_to = books
    only("add", "add.Tensor", lambda *a, **k: answer, lambda: y + y, "a Python kernel that returns")
    only(
        "add",
        "add.Tensor",
        lambda *a, **k: add(keys, x, x),
        lambda: y + y,
        "the same, and the CPU's kernel called through the dispatcher",
    )
    only(
        "view",
        "view",
        lambda a, size: view(keys, a, size),
        lambda: y.view(2, 5),
        "a Python kernel that calls the CPU's and does nothing else",
    )


def measure() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    virtual_cuda.enable(4, quiet=True)
    print(f"{'':34} {'plain CPU':>12} {'virtual':>12}   ratio")
    operators()
    models()
    data_parallel()
    if helper.loaded is None:
        floor()


def main() -> None:
    # glibc's malloc reads these; other systems do without.
    keep = {"MALLOC_MMAP_THRESHOLD_": str(1 << 28), "MALLOC_TRIM_THRESHOLD_": str(1 << 29)}
    command = [sys.executable, __file__, "measure"]
    switching_on()
    print("Without the compiled helper:", flush=True)
    subprocess.run(command, env=os.environ | keep | {helper.VARIABLE: "off"}, check=True)
    if helper.file().exists():
        print("With the compiled helper:", flush=True)
        subprocess.run(command, env=os.environ | keep, check=True)
    else:
        print("The compiled helper is not there; `make helper` compiles it.")


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        measure()
    else:
        main()
