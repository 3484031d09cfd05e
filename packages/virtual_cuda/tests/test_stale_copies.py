"""Copies to the host that nobody waited for: a hazard in a trace, and stale values on request."""

from __future__ import annotations

import pytest
import torch

import virtual_cuda


@pytest.fixture(autouse=True)
def idle_cards():
    torch.cuda.synchronize()


@pytest.mark.parametrize(
    "look",
    [
        lambda y: y.numpy(),
        lambda y: y.tolist(),
        lambda y: y.sum(),
        lambda y: y[0].item(),
        lambda y: memoryview(y.numpy()),
        lambda y: y.add_(1),
    ],
)
def test_every_look_at_it_is_a_hazard(look):
    x = torch.ones(4, device="cuda")
    with virtual_cuda.trace() as trace:
        look(x.to("cpu", non_blocking=True))
    assert "on the host does not wait for 'D2H pinned' on stream 0" in str(trace.hazards[0])
    with virtual_cuda.trace() as trace:
        y = x.to("cpu", non_blocking=True)
        torch.cuda.synchronize()
        look(y)
        look(x.cpu())
    assert not trace.hazards
    assert "numpy" not in vars(torch.Tensor)  # nothing is left behind


def test_values_come_when_they_were_waited_for():
    x = torch.arange(3, device="cuda")
    target = torch.zeros(3, dtype=torch.int64).pin_memory()
    with virtual_cuda.stale_copies():
        for wait in (
            torch.cuda.synchronize,
            torch.cuda.current_stream().synchronize,
            lambda: torch.cuda.current_stream().record_event().synchronize(),
            lambda: x.cpu(),
        ):
            target.zero_()
            target.copy_(x, non_blocking=True)
            fresh = x.float().to("cpu", non_blocking=True)
            assert target.tolist() == [0, 0, 0] and fresh.isnan().all()
            wait()
            assert target.tolist() == [0, 1, 2] == fresh.tolist()


def test_a_query_that_says_true_is_a_wait():
    with virtual_cuda.stale_copies():
        torch.cuda._sleep(1_000_000)
        y = torch.ones(2, device="cuda").to("cpu", non_blocking=True)
        event = torch.cuda.current_stream().record_event()
        assert not event.query() and y.isnan().all()
        while not event.query():
            pass
        assert y.tolist() == [1, 1]


def test_what_the_copy_took_is_what_arrives():
    x = torch.ones(2, device="cuda")
    with virtual_cuda.stale_copies():
        y = x.to("cpu", non_blocking=True)
        x.zero_()  # later on the same stream
    assert y.tolist() == [1, 1]  # the end of the block waits


def test_other_copies_are_not_late():
    x = torch.ones(2, device="cuda")
    with virtual_cuda.stale_copies():
        assert x.cpu().tolist() == [1, 1]
        assert torch.zeros(2).copy_(x, non_blocking=True).tolist() == [1, 1]  # not pinned
        assert x.to("cuda:1", non_blocking=True).tolist() == [1, 1]
        with pytest.raises(RuntimeError, match="late already"), virtual_cuda.stale_copies():
            pass
    assert x.to("cpu", non_blocking=True).tolist() == [1, 1]


def test_needs_a_machine(no_machine):
    with (
        pytest.raises(RuntimeError, match=r"Call virtual_cuda\.enable"),
        virtual_cuda.stale_copies(),
    ):
        pass
