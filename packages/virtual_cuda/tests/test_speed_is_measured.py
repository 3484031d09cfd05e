"""What keeps virtual cards fast: nothing here looks at a watch, ``bench/`` does that."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn

import virtual_cuda
from virtual_cuda.kernels import boxed, registration
from virtual_cuda.memory import allocator
from virtual_cuda.platform import helper

BENCH = Path(__file__).with_name("bench") / "speed.py"
CARD = "cuda:1"


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(CARD)


def test_every_aim_has_its_line(capsys):
    bench = runpy.run_path(str(BENCH))
    x, y = torch.randn(10), torch.randn(10, device=CARD)
    bench["compare"].__globals__["ROUNDS"] = 1
    bench["compare"]("add", 5, lambda: x + x, lambda: y + y, 2)
    (line,) = capsys.readouterr().out.splitlines()
    assert "aim ≤ 5×" in line and "reached" in line and line.count("µs") == 2


def test_frequent_operators_take_the_short_way(monkeypatch):
    long_way = []
    general = boxed.BoxedKernel.general

    def noted(self: boxed.BoxedKernel, *args: object, **kwargs: object) -> object:
        long_way.append(self._name)
        return general(self, *args, **kwargs)

    x = torch.ones(2, 2, device=CARD)
    x + x  # the cards are open to short kernels
    monkeypatch.setattr(boxed.BoxedKernel, "general", noted)
    mm, add = boxed.BoxedKernel("mm"), boxed.BoxedKernel("add.Tensor")
    for result in (mm(x, x), add(x, 2.0), add(x, torch.tensor(1.0)), add(x.t(), x, alpha=2)):
        assert result.device == x.device
    assert not long_way
    with virtual_cuda.trace():  # which wants to see everything
        mm(x, x)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        add(x, torch.ones(2, 2))
    assert long_way == ["mm", "add"]


def alias(tensor: torch.Tensor) -> torch.Tensor | None:
    known = getattr(tensor, "_on_cpu", None)
    return None if known is None else known[0]


def test_enabling_collects_no_garbage(no_machine):
    generations = []

    def note(phase: str, about: dict[str, int]) -> None:
        generations.append(about["generation"])

    thresholds = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(1, 1, 1)  # always due
    try:
        generations.clear()
        virtual_cuda.enable(4, quiet=True)
        collected = len(generations)
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(note)
    assert collected <= 20 and gc.isenabled()  # only before and after


@pytest.mark.skipif(helper.load() is not None, reason="the compiled helper needs to remember none")
def test_results_remember_where_their_bytes_are():
    x = torch.randn(4, 6, device=CARD)
    assert alias(x + 1) is not None and alias(x).data_ptr() == x.data_ptr()
    assert alias(x.t()) is None  # a view has another shape
    weight = nn.Parameter(x.detach())
    weight + 1
    assert alias(weight).data_ptr() == x.data_ptr()


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.t_(),
        lambda x: x.transpose_(0, 1),
        lambda x: x.unsqueeze_(0),
        lambda x: x.squeeze_(),
        lambda x: x.squeeze_(0),
        lambda x: x.squeeze_((0,)),
        lambda x: x.as_strided_((2, 2), (1, 1)),
        lambda x: x.swapaxes_(0, 1),
        lambda x: x.swapdims_(0, 1),
        lambda x: x.resize_(2, 2),
        lambda x: x.resize_(9, 9),
        lambda x: x.resize_as_(x[:1]),
        lambda x: x.set_(torch.ones(3, device=CARD)),
        lambda x: x.set_(),
        lambda x: x.set_(torch.ones(3, device=CARD).untyped_storage()),
        lambda x: setattr(x, "data", torch.zeros(2, 2, device=CARD)),
        lambda x: torch.utils.swap_tensors(x, torch.zeros(2, 2, device=CARD)),
        lambda x: torch.add(torch.ones(5, device=CARD), 1, out=x.resize_(0)),
    ],
)
def test_whatever_changes_a_tensor_makes_it_forget(change):
    x = torch.randn(4, 6, device=CARD)
    x + x  # has an alias by now
    change(x)
    fresh = x.cpu()
    known = alias(x)
    assert known is None or (known.shape, known.stride()) == (x.shape, x.stride())
    assert known is None or known.data_ptr() == x.data_ptr()
    # resize_ brings in whatever was in memory, NaN among it.
    torch.testing.assert_close((x + 1).cpu(), fresh + 1, equal_nan=True)


def test_every_in_place_view_of_torch_is_known():
    names = {
        name.removeprefix("aten::")
        for name in torch._C._dispatch_get_all_op_names()
        if name.startswith("aten::") and name.partition(".")[0].endswith("_")
    }
    marked = {name for name in names if torch.Tag.inplace_view in boxed.operator(name).tags}
    composite = {"swapaxes_", "swapdims_", "resize_as_", "set_.source_Tensor_storage_offset"}
    composite |= names & {"rename_", "squeeze_.dimname"}  # of named tensors, until torch 2.12
    ours = {n for n in marked if n.startswith(("set_", "resize_"))} | {"detach_"}
    assert marked == ours | composite | set(registration._IN_PLACE_VIEWS)


def test_copies_and_files_know_nothing_of_it():
    parameter = nn.Parameter(torch.randn(3, device=CARD))
    for x in (torch.randn(3, device=CARD), parameter):
        x + 1
        for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert "_on_cpu" not in vars(twin) or alias(twin).data_ptr() == twin.data_ptr()
            with torch.no_grad():
                twin.add_(1)
            assert torch.equal((twin + 0).cpu(), twin.cpu())
    assert b"_on_cpu" not in pickle.dumps(torch.randn(3, device=CARD) + 1)


def test_calls_leave_no_cycles_behind():
    net, x = mlp(), torch.randn(8, 64, device=CARD)

    def calls() -> None:
        y = net(x).softmax(1)
        (y * 2 + y[0].view(2, 5).sum() - 1).mean().backward()
        net.zero_grad()
        y.detach().cpu(), y.to("cuda:2"), torch.cat([y, y]), y.topk(2), y.max().item()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        event.synchronize()

    calls()
    gc.collect()
    gc.disable()
    try:
        before = virtual_cuda.live_bytes()  # torch's own memory_stats() makes cycles
        for _ in range(20):
            calls()
        assert gc.collect() == 0 and virtual_cuda.live_bytes() == before
    finally:
        gc.enable()


@pytest.mark.slow
def test_steps_leave_nothing_in_the_computers_memory(run_python):
    printed = run_python("""
        import resource, torch
        from torch import nn
        import virtual_cuda

        def resident():  # bytes
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        torch.set_num_threads(1)
        virtual_cuda.enable(4, quiet=True)
        net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).cuda()
        parallel, optimizer = nn.DataParallel(net), torch.optim.Adam(net.parameters())
        x, y = torch.randn(32, 16), torch.zeros(32, dtype=torch.long, device="cuda")

        def steps(count):
            for _ in range(count):
                optimizer.zero_grad()
                nn.functional.cross_entropy(parallel(x), y).backward()
                optimizer.step()

        steps(50)
        live, memory = virtual_cuda.live_bytes(), resident()
        steps(100)
        print(virtual_cuda.live_bytes() - live, resident() - memory < 5e6)
    """)
    assert printed.split() == ["0", "True"]


def ups_and_downs(look: Callable[[], object]) -> dict[str, int]:
    """Many blocks on an empty card, seen after each of them; the statistics at the end."""
    virtual_cuda.disable()
    virtual_cuda.enable(2, "64 MiB", quiet=True)
    chance, kept, refused = random.Random(0), [], 0
    for _ in range(3000):
        if kept and chance.random() < 0.48:
            kept.pop(chance.randrange(len(kept)))
        else:
            nbytes = chance.choice([100, 5000, 700_000, 3 << 20])
            try:
                kept.append(torch.empty(nbytes, dtype=torch.uint8, device=CARD))
            except torch.OutOfMemoryError:
                refused += 1
                kept.clear()
        look()
    assert refused
    return torch.cuda.memory_stats(CARD)


def test_books_that_are_kept_later_say_the_same(no_machine):
    seen_each_time = ups_and_downs(lambda: torch.cuda.memory_allocated(CARD))
    assert ups_and_downs(lambda: None) == seen_each_time
    assert seen_each_time["num_ooms"] and seen_each_time["allocation.small_pool.peak"]


def test_counters_walk_over_no_blocks(monkeypatch):
    kept = [torch.ones(3, device=CARD) for _ in range(50)]
    monkeypatch.setattr(allocator.Allocator, "stats", None)
    assert torch.cuda.memory_allocated(CARD) >= 50 * 512
    assert torch.cuda.max_memory_reserved(CARD) >= torch.cuda.memory_reserved(CARD) > 0
    del kept
