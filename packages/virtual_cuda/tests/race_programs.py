"""Ten programs with one race each, and the same ten without it: ``right`` says which.

Each returns numbers as a list; what eager execution returns is right for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext

import torch
from torch import Tensor, nn

SIZE = 1 << 10


def _side() -> torch.cuda.Stream:
    return torch.cuda.Stream()


def _wait(right: bool, waiting: torch.cuda.Stream, first: torch.cuda.Stream) -> None:
    if right:
        waiting.wait_stream(first)


def no_wait_before(right: bool) -> list[float]:
    """A side stream uses what the default stream makes."""
    here, side = torch.cuda.current_stream(), _side()
    x = torch.arange(4.0, device="cuda") * 3
    _wait(right, side, here)
    with torch.cuda.stream(side):
        y = x + 1
    here.wait_stream(side)
    return y.tolist()


def no_wait_after(right: bool) -> list[float]:
    """The default stream uses what a side stream makes."""
    here, side = torch.cuda.current_stream(), _side()
    x = torch.arange(4.0, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        y = x @ torch.eye(4, device="cuda")
    _wait(right, here, side)
    y.record_stream(here)
    return (y * 2).tolist()


def event_too_early(right: bool) -> list[float]:
    """An event that was recorded before the work that it is for."""
    here, side = torch.cuda.current_stream(), _side()
    done = torch.cuda.Event()
    x = torch.ones(4, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        if not right:
            done.record()
        x.mul_(5)
        if right:
            done.record()
    here.wait_event(done)
    return (x + 1).tolist()


def overwritten_while_read(right: bool) -> list[float]:
    """A buffer is filled anew while a side stream still reads it."""
    here, side = torch.cuda.current_stream(), _side()
    buffer, total = torch.zeros(4, device="cuda"), torch.zeros(4, device="cuda")
    for k in range(3):
        buffer.fill_(k + 1)
        side.wait_stream(here)
        with torch.cuda.stream(side):
            total += buffer
        _wait(right, here, side)
    here.wait_stream(side)
    return total.tolist()


def two_writers(right: bool) -> list[float]:
    """Two side streams add to the same sum."""
    here, one, other = torch.cuda.current_stream(), _side(), _side()
    total = torch.ones(4, device="cuda")
    for side in (one, other):
        side.wait_stream(here)
    with torch.cuda.stream(one):
        total.mul_(3)
    _wait(right, other, one)
    with torch.cuda.stream(other):
        total.add_(1)
    for side in (one, other):
        here.wait_stream(side)
    return total.tolist()


def pinned_reused(right: bool) -> list[float]:
    """One pinned buffer for all batches, filled while the copy may still read it."""
    pinned, copied = torch.empty(4).pin_memory(), torch.cuda.Event()
    batches = []
    for k in range(3):
        if right:
            copied.synchronize()
        pinned.fill_(k)
        batches.append(pinned.to("cuda", non_blocking=True))
        copied.record()
    return torch.stack(batches).sum(0).tolist()


def read_before_it_arrives(right: bool) -> list[float]:
    """A copy to pinned memory, whose values the host looks at without waiting."""
    result = torch.zeros(4).pin_memory()
    result.copy_(torch.arange(4.0, device="cuda") + 1, non_blocking=True)
    if right:
        torch.cuda.current_stream().synchronize()
    return result.tolist()


def memory_given_back(right: bool) -> list[float]:
    """A tensor of the default stream ends while a side stream uses it, without record_stream."""
    here, side = torch.cuda.current_stream(), _side()
    x = torch.full((SIZE,), 2.0, device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        y = x * 2
        if right:
            x.record_stream(side)
    del x
    other = torch.full((SIZE,), 7.0, device="cuda")
    here.wait_stream(side)
    return [y.sum().item(), other.sum().item()]


def batches_ahead(right: bool) -> list[float]:
    """Batches are copied on a side stream, one ahead, and used without a wait."""
    here, side = torch.cuda.current_stream(), _side()

    def ahead() -> Iterator[Tensor]:
        loaded: Tensor | None = None
        for k in [*range(4), None]:
            now = loaded
            with torch.cuda.stream(side) if k is not None else nullcontext():
                if k is not None:
                    loaded = torch.full((4,), float(k)).pin_memory().to("cuda", non_blocking=True)
            if now is not None:
                _wait(right, here, side)
                now.record_stream(here)
                yield now

    return [batch.square().sum().item() for batch in ahead()]


def training_on_a_side_stream(right: bool) -> list[float]:
    """A warm-up on a side stream, as before a capture, and a step that does not wait for it."""
    torch.manual_seed(0)
    here, side = torch.cuda.current_stream(), _side()
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 1)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    x = torch.randn(16, 4, device="cuda")
    side.wait_stream(here)
    for stream in (side, side, here):
        if stream is here:
            _wait(right, here, side)
        with torch.cuda.stream(stream):
            optimizer.zero_grad(set_to_none=False)
            loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
    return [loss.item(), *(p.sum().item() for p in net.parameters())]


PROGRAMS: dict[str, Callable[[bool], list[float]]] = {
    program.__name__: program
    for program in (
        no_wait_before,
        no_wait_after,
        event_too_early,
        overwritten_while_read,
        two_writers,
        pinned_reused,
        read_before_it_arrives,
        memory_given_back,
        batches_ahead,
        training_on_a_side_stream,
    )
}
