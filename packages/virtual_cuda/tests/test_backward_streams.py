"""Backward runs where forward ran: each function of the graph on its own stream."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import virtual_cuda
from virtual_cuda.timing.clock import current_streams

SIZE = 1024


@pytest.fixture(autouse=True)
def no_streams_of_before():
    current_streams.history.clear()
    torch.cuda.synchronize()


def leaf() -> torch.Tensor:
    return torch.randn(SIZE, SIZE, device="cuda", requires_grad=True)


def products(trace: virtual_cuda.Trace) -> list[virtual_cuda.Interval]:
    return [work for work in trace.intervals if work.name == "mm"]


def test_on_the_stream_of_forward():
    x, side = leaf(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        with torch.cuda.stream(side):
            y = x @ x
        torch.cuda.current_stream().wait_stream(side)
        y.sum().backward()
        x.grad + 1  # the caller's stream has waited
    assert [work.stream for work in products(trace)] == [side.stream_id] * 3
    assert {w.stream for w in trace.intervals if w.name == "sum"} == {0}
    assert not trace.hazards
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    assert torch.allclose(x.grad, x.sum(1) + x.sum(0)[:, None], atol=1e-1)


def test_branches_run_side_by_side():
    x, streams = leaf(), [torch.cuda.Stream() for _ in range(2)]
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        parts = []
        for stream in streams:
            with torch.cuda.stream(stream):
                parts.append(x @ x)
        for stream in streams:
            torch.cuda.current_stream().wait_stream(stream)
        (parts[0] + parts[1]).sum().backward()
        x.grad.sum()
    backward = products(trace)[2:]
    assert sorted(work.stream for work in backward) == sorted(2 * [s.stream_id for s in streams])
    last, first = backward[:2], backward[2:]  # of the second branch, whose backward begins
    assert last[0].stream != first[0].stream and first[0].start < last[1].end
    assert not trace.hazards


def test_backward_under_a_stream_of_its_own():
    """Functions of the default stream stay on it."""
    x, side = leaf(), torch.cuda.Stream()
    y = (x @ x).sum()
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace, torch.cuda.stream(side):
        y.backward()
    assert {work.stream for work in products(trace)} == {0}
    assert not trace.hazards


def test_two_cards_checkpoints_and_errors():
    streams = [torch.cuda.Stream(card) for card in range(2)]
    nets = [nn.Linear(8, 8).cuda(card) for card in range(2)]
    twins = [copy.deepcopy(net).cpu() for net in nets]
    x = torch.randn(4, 8)
    with virtual_cuda.trace() as trace:
        with torch.cuda.stream(streams[0]):
            y = checkpoint(nets[0], x.cuda(0), use_reentrant=False)
        with torch.cuda.stream(streams[1]):
            streams[1].wait_stream(streams[0])
            out = nets[1](y.to("cuda:1")).sum()
        torch.cuda.current_stream(1).wait_stream(streams[1])
        out.backward(retain_graph=True)
        (grad,) = torch.autograd.grad(out, nets[0].weight)
    assert not trace.hazards
    twins[1](twins[0](x)).sum().backward()
    for net, twin in zip(nets, twins, strict=True):
        torch.testing.assert_close(net.weight.grad.cpu(), twin.weight.grad)
    torch.testing.assert_close(grad.cpu(), twins[0].weight.grad)
    current = dict(current_streams.ids)

    def fail(grad: torch.Tensor) -> None:
        raise ValueError("on purpose")

    out.register_hook(fail)
    with pytest.raises(ValueError, match="on purpose"):
        out.backward()
    assert current_streams.ids == current


@pytest.mark.slow
def test_streams_without_functions_leave_no_history():
    side = torch.cuda.Stream()
    for _ in range(100):  # as a loader that fetches ahead
        with torch.cuda.stream(side):
            torch.ones(3, device="cuda")
        (leaf() * 2).sum()
    assert not current_streams.history
