"""CUDA graphs: captured once, replayed on new values."""

from __future__ import annotations

import copy
import gc

import pytest
import torch
from torch import nn

import virtual_cuda

CARD = "cuda:0"


def step(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> torch.Tensor:
    optimizer.zero_grad(set_to_none=True)
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1)).to(CARD)


@pytest.mark.parametrize("make", [
    lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
    lambda parameters: torch.optim.Adam(parameters, capturable=True),
])  # fmt: skip
def test_a_whole_training_step(make):
    net = network()
    twin = copy.deepcopy(net)
    optimizer, its = make(net.parameters()), make(twin.parameters())
    x = torch.randn(16, 4, device=CARD)
    with torch.cuda.stream(torch.cuda.Stream()):
        step(net, optimizer, x)
    step(twin, its, x)
    graph = torch.cuda.CUDAGraph()
    before = copy.deepcopy(net.state_dict())
    with torch.cuda.graph(graph):
        loss = step(net, optimizer, x)
    for name, value in net.state_dict().items():
        assert torch.equal(value, before[name]), name
    for _ in range(3):
        x.copy_(torch.randn(16, 4))
        graph.replay()
        torch.testing.assert_close(loss, step(twin, its, x))
    torch.testing.assert_close(net.state_dict(), twin.state_dict())


def test_results_keep_their_place_and_memory_returns():
    gc.collect()  # tests before may have left cycles
    live = virtual_cuda.live_bytes()
    x, graph = torch.ones(4, device=CARD), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = (x.view(2, 2) + 1).sum(0)
    address = y.data_ptr()
    for value in (1.0, 3.0):
        x.fill_(value)
        graph.replay()
        assert y.tolist() == [2 * (value + 1)] * 2 and y.data_ptr() == address
    graph.reset()
    del x, y, graph
    assert virtual_cuda.live_bytes() == live


def test_a_replay_is_one_launch():
    x, graph = torch.ones(4, device=CARD), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(20):
            x.add_(1)

    def host_time(work) -> float:
        start = virtual_cuda.clock().now()
        work()
        return virtual_cuda.clock().now() - start

    assert host_time(graph.replay) == 5
    assert host_time(lambda: [x.add_(1) for _ in range(20)]) == 100


def test_graphed_callables():
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh()).to(CARD)
    plain = copy.deepcopy(net)
    x = torch.randn(3, 4, device=CARD, requires_grad=True)
    graphed = torch.cuda.make_graphed_callables(net, (x,))
    new = torch.randn(3, 4, device=CARD, requires_grad=True)
    graphed(new).sum().backward()
    gradient, new.grad = new.grad, None
    plain(new).sum().backward()
    torch.testing.assert_close(gradient, new.grad)
    torch.testing.assert_close(net[0].weight.grad, plain[0].weight.grad)


@pytest.mark.parametrize("wait", [
    lambda x: x.sum().item(), lambda x: x.cpu(), lambda x: x.nonzero(), lambda x: bool(x[0] > 0),
])  # fmt: skip
def test_nothing_waits_while_a_graph_is_captured(wait):
    x = torch.ones(4, device=CARD)
    refused = pytest.raises(torch.AcceleratorError, match="not permitted when stream is")
    with refused as caught, torch.cuda.graph(torch.cuda.CUDAGraph()):
        wait(x)
    assert caught.value.error_code == 900
    assert not torch.cuda.is_current_stream_capturing() and wait(x) is not None


def test_a_graph_is_captured_once():
    x, graph = torch.ones(4, device=CARD), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x.add_(1)
    refused = pytest.raises(RuntimeError, match="already owns a captured graph")
    with refused, torch.cuda.graph(graph):
        x.add_(1)
    torch.cuda.set_stream(torch.cuda.default_stream())  # torch's own `graph` leaves its stream on
