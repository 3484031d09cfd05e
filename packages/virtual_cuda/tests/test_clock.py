"""The virtual clock and its traces: a model, so its numbers are exact."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import virtual_cuda
from virtual_cuda.timing import costs
from virtual_cuda.timing.clock import current_streams

MIB = 1 << 20
FLOATS = 4 * MIB  # of 16 MiB


def timed(work) -> float:
    """Modelled ms between two events around some work."""
    torch.cuda.synchronize()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def host_held(work) -> float:
    """Modelled µs for which the host was busy or waited."""
    torch.cuda.synchronize()
    before = virtual_cuda.now()
    work()
    return virtual_cuda.now() - before


def test_a_copy_from_pageable_and_from_pinned_memory():
    pageable = torch.zeros(FLOATS)
    pinned = pageable.pin_memory()
    assert timed(lambda: pageable.cuda()) == pytest.approx(2.81, abs=0.005)
    assert timed(lambda: pinned.cuda(non_blocking=True)) == pytest.approx(0.686, abs=0.005)
    assert timed(lambda: pinned.cuda().cpu()) == pytest.approx(0.686 + 2.81, abs=0.01)


@pytest.mark.parametrize(
    ("pin", "non_blocking", "held"),
    [
        (False, False, 2811),
        (False, True, 2811),
        (True, False, 686),
        (True, True, 5),
    ],
)
def test_how_long_a_copy_holds_the_host(pin, non_blocking, held):
    x = torch.zeros(FLOATS)
    x = x.pin_memory() if pin else x
    assert host_held(lambda: x.to("cuda", non_blocking=non_blocking)) == pytest.approx(held, abs=1)
    on_card = x.cuda()
    target = torch.empty(FLOATS, pin_memory=pin)
    copying_back = host_held(lambda: target.copy_(on_card, non_blocking=non_blocking))
    assert copying_back == pytest.approx(held, abs=1)


def test_a_non_blocking_copy_to_the_cpu_is_pinned():
    x = torch.zeros(FLOATS, device="cuda")
    assert host_held(lambda: x.to("cpu", non_blocking=True)) == pytest.approx(5)
    assert x.to("cpu", non_blocking=True).is_pinned() and not x.cpu().is_pinned()


def test_kernels_follow_the_roofline():
    profile = virtual_cuda.machine().devices[0]
    x, small = torch.zeros(2048, 2048, device="cuda"), torch.zeros(8, device="cuda")
    launch, least = costs.LAUNCH / 1e6, costs.KERNEL / 1e6  # ms
    product = 2 * 2048**3 / profile.peak_flops * 1e3
    assert timed(lambda: x @ x) == pytest.approx(launch + least + product, rel=1e-4)
    added = 3 * x.nbytes / profile.memory_bandwidth * 1e3
    assert timed(lambda: x + x) == pytest.approx(launch + least + added, rel=1e-4)
    assert timed(lambda: small + small) == pytest.approx(launch + least, abs=1e-6)
    assert timed(lambda: x.view(-1).t()) == 0


def test_cards_of_one_machine_differ():
    virtual_cuda.disable()
    virtual_cuda.enable(cards=["T4", "H100"], quiet=True)
    try:
        x = {i: torch.zeros(1024, 1024, device=i) for i in range(2)}  # the fastest comes first
        torch.cuda.synchronize()
        times = []
        for card in range(2):
            with torch.cuda.device(card):
                times.append(timed(lambda card=card: x[card] @ x[card]))
        assert times[1] > 5 * times[0]
    finally:
        virtual_cuda.disable()
        virtual_cuda.enable(4, "2 GiB", quiet=True)


@pytest.mark.slow
def test_the_host_runs_ahead_and_item_waits():
    x = torch.zeros(2048, 2048, device="cuda")
    assert host_held(lambda: [x @ x for _ in range(4)]) == pytest.approx(20)
    assert host_held(lambda: x @ x) == pytest.approx(5)
    assert host_held(lambda: (x @ x).sum().item()) > 800
    assert host_held(lambda: x.nonzero()) > 10
    x @ x
    assert host_held(torch.cuda.synchronize) == 0  # host_held has waited already


def test_sleep_lasts_its_cycles():
    clock_mhz = virtual_cuda.machine().devices[0].clock
    assert timed(lambda: torch.cuda._sleep(1000 * clock_mhz)) == pytest.approx(1.007, abs=1e-3)
    assert host_held(lambda: torch.cuda._sleep(1000 * clock_mhz)) == pytest.approx(5)


def test_utilization_is_the_share_of_time_with_a_kernel():
    virtual_cuda.disable()
    virtual_cuda.enable(4, "2 GiB", quiet=True)
    clock = virtual_cuda.clock()
    assert clock.utilization(0) == 0
    cycles = virtual_cuda.machine().devices[0].clock * 300_000  # 0.3 s
    torch.cuda._sleep(cycles)
    torch.cuda.synchronize()
    clock.work(700_000)
    assert clock.utilization(0) == 30 and clock.utilization(1) == 0
    pytest.importorskip("pynvml")
    assert torch.cuda.utilization() == 30
    clock.work(150_000)
    assert clock.utilization(0) == 15, "half of the kernel is longer ago than a second"
    clock.work(2_000_000)
    assert clock.utilization(0) == 0
    for _ in range(4):
        torch.cuda._sleep(cycles)
    assert clock.utilization(0) == 100


def test_utilization_remembers_more_than_a_second_of_short_kernels():
    virtual_cuda.disable()
    virtual_cuda.enable(4, "2 GiB", quiet=True)
    cycles = virtual_cuda.machine().devices[0].clock * 1_000  # 1 ms
    for _ in range(1_500):
        torch.cuda._sleep(cycles)
        torch.cuda.synchronize()
        virtual_cuda.clock().work(1_000)
    assert virtual_cuda.clock().utilization(0) == 50


def test_a_card_that_was_hardly_used_is_idle():
    virtual_cuda.disable()
    virtual_cuda.enable(4, "2 GiB", quiet=True)
    torch.ones(3, device="cuda").add_(1)
    assert virtual_cuda.clock().utilization(0) == 0, "microseconds out of a second"
    torch.cuda._sleep(virtual_cuda.machine().devices[0].clock * 5_000)  # 5 ms, soon after
    virtual_cuda.clock().work(1_500_000)
    assert virtual_cuda.clock().utilization(0) == 0, "no work is left over from before the second"


def train(steps: int = 5) -> virtual_cuda.Trace:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Dropout(), nn.Linear(64, 4)).cuda()
    parallel = nn.DataParallel(net)
    optimizer = torch.optim.Adam(net.parameters())
    x, y = torch.randn(32, 32), torch.randint(0, 4, (32,)).cuda()
    with virtual_cuda.trace() as trace:
        for _ in range(steps):
            optimizer.zero_grad()
            nn.functional.cross_entropy(parallel(x), y).backward()
            optimizer.step()
    return trace


def test_time_is_deterministic_even_with_replica_threads():
    # Autograd numbers the functions of each thread from 0, so those of replicas could be taken for
    # ones that this thread made while another test had chosen a stream (README, Limits).
    current_streams.history.clear()
    first, second = train(), train()
    assert first.intervals == second.intervals and first.host == second.host
    assert len(first.intervals) > 100 and first.end == second.end
    assert {work.device for work in first.intervals} == {0, 1, 2, 3}
    assert not first.hazards


def test_a_trace_does_not_change_the_time():
    x = torch.randn(64, 64, device="cuda", requires_grad=True)

    def work() -> None:
        (nn.functional.gelu(x @ x).softmax(1) * 2).sum().backward()
        torch._foreach_mul_([x.grad], 0.5)
        x.grad.add_(1).clamp_(max=3.0)

    work()
    untraced = host_held(lambda: (work(), torch.cuda.synchronize()))
    x.grad = None
    work()
    with virtual_cuda.trace():
        traced = host_held(lambda: (work(), torch.cuda.synchronize()))
    assert traced == pytest.approx(untraced, abs=1e-6)


# The lesson: the same training loop with and without prefetched copies.


BATCHES, BATCH = 5, 2048


def epoch(prefetch: bool) -> virtual_cuda.Trace:
    net = nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    batches = [torch.zeros(BATCH, 512) for _ in range(BATCHES)]
    if prefetch:
        batches = [batch.pin_memory() for batch in batches]
    copying = torch.cuda.Stream()

    def fetch(number: int) -> torch.Tensor:
        with torch.cuda.stream(copying):
            return batches[number].to("cuda", non_blocking=True)

    with virtual_cuda.trace() as trace:
        upcoming = fetch(0) if prefetch else None
        for number in range(BATCHES):
            if prefetch:
                torch.cuda.current_stream().wait_stream(copying)
                x = upcoming
                x.record_stream(torch.cuda.current_stream())
                if number + 1 < BATCHES:
                    upcoming = fetch(number + 1)
            else:
                x = batches[number].to("cuda")
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()
        torch.cuda.synchronize()
    return trace


def longest(spans: list[tuple[float, float]]) -> float:
    return max((end - start for start, end in spans), default=0.0)


@pytest.mark.slow
def test_prefetched_pinned_copies_hide_behind_the_kernels():
    plain, prefetched = epoch(prefetch=False), epoch(prefetch=True)
    copy = BATCH * 512 * 4 / 6e9 * 1e6  # µs, pageable
    assert sum(end - start > copy / 2 for start, end in plain.gaps()) >= BATCHES - 1
    assert plain.overlap() < 0.25 * plain.busy(engine="H2D")
    assert longest(prefetched.gaps()) < 100
    hidden = (BATCHES - 1) / BATCHES  # all but the first, for which there is nothing to do
    assert prefetched.overlap() == pytest.approx(hidden * prefetched.busy(engine="H2D"), rel=0.01)
    assert prefetched.end < 0.8 * plain.end
    assert plain.busy() == pytest.approx(prefetched.busy(), rel=0.01)
    assert not plain.hazards and not prefetched.hazards


@pytest.mark.slow
def test_the_table_and_the_figure_say_modelled():
    trace = epoch(prefetch=True)
    text = repr(trace)
    assert "modelled" in text and "H2D pinned" in text and "more" in text
    figure = trace.draw()
    axes = figure.axes[0]
    assert "odelled" in axes.get_title() and "modelled" in axes.get_xlabel()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[0].startswith("host") and "cuda:0 kernels" in labels
    faces = {patch.get_facecolor()[:3] for patch in axes.patches}
    assert all(red == green == blue for red, green, blue in faces)  # nothing depends on colour
    figure.canvas.draw()


def test_host_work_shows_up():
    with virtual_cuda.trace() as trace:
        virtual_cuda.clock().work(250, "prepare batch")
        torch.ones(4, device="cuda")
    assert next((w.name, w.start, w.end) for w in trace.host) == ("prepare batch", 0, 250)
    with pytest.raises(ValueError, match="negative"):
        virtual_cuda.clock().work(-1)


def test_one_trace_at_a_time():
    with virtual_cuda.trace(), pytest.raises(RuntimeError, match="already on"):
        virtual_cuda.trace().__enter__()
    assert torch.ones(2, device="cuda").sum().item() == 2


def test_without_a_machine():
    virtual_cuda.disable()
    try:
        for ask in (virtual_cuda.clock, virtual_cuda.now, lambda: virtual_cuda.trace().__enter__()):
            with pytest.raises(RuntimeError, match=r"Call virtual_cuda\.enable"):
                ask()
    finally:
        virtual_cuda.enable(4, "2 GiB", quiet=True)
