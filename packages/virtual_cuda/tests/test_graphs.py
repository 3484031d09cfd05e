"""CUDA graphs: captured once, replayed on new values."""

from __future__ import annotations

import copy
import gc

import pytest
import torch
from torch import nn

import virtual_cuda

CARD = "cuda:0"

# One that was left by an error has nothing in it.
pytestmark = pytest.mark.filterwarnings("ignore:The CUDA Graph is empty")


def step(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> torch.Tensor:
    optimizer.zero_grad(set_to_none=True)
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1)).to(CARD)


@pytest.mark.parametrize(
    "make",
    [
        lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
        lambda parameters: torch.optim.Adam(parameters, capturable=True),
    ],
)
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


@pytest.mark.parametrize(
    "wait",
    [
        lambda x: x.sum().item(),
        lambda x: x.cpu(),
        lambda x: x.nonzero(),
        lambda x: bool(x[0] > 0),
    ],
)
def test_nothing_waits_while_a_graph_is_captured(wait):
    x = torch.ones(4, device=CARD)
    refused = pytest.raises(torch.AcceleratorError, match="previous error during capture")
    with refused as caught, torch.cuda.graph(torch.cuda.CUDAGraph()):
        wait(x)
    assert caught.value.error_code == 901
    assert caught.value.__context__.error_code == 900
    assert "not permitted when stream is capturing" in str(caught.value.__context__)
    torch.cuda.set_stream(torch.cuda.default_stream())  # torch's own `graph` leaves its stream on
    assert not torch.cuda.is_current_stream_capturing() and wait(x) is not None


def test_a_graph_is_captured_once():
    x, graph = torch.ones(4, device=CARD), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x.add_(1)
    refused = pytest.raises(RuntimeError, match="already owns a captured graph")
    with refused, torch.cuda.graph(graph):
        x.add_(1)
    torch.cuda.set_stream(torch.cuda.default_stream())  # torch's own `graph` leaves its stream on


def test_replays_draw_the_numbers_that_would_come_next():
    x, graph = torch.ones(1000, device=CARD), torch.cuda.CUDAGraph()
    torch.cuda.manual_seed(5)
    expected = [nn.functional.dropout(x + torch.rand_like(x)) for _ in range(3)]
    torch.cuda.manual_seed(5)
    with torch.cuda.graph(graph):
        y = nn.functional.dropout(x + torch.rand_like(x))
    graph.replay()
    assert torch.equal(y, expected[0])
    assert torch.equal(nn.functional.dropout(x + torch.rand_like(x)), expected[1])
    graph.replay()
    assert torch.equal(y, expected[2])


def test_a_graph_draws_from_the_state_that_it_was_captured_with():
    generator, twin = (torch.Generator(CARD).manual_seed(3) for _ in range(2))
    graph, others = torch.cuda.CUDAGraph(), generator.clone_state().manual_seed(9)
    gc.collect()  # tests before may have left cycles
    before = torch.cuda.memory_stats(CARD)["active.all.current"]
    graph.register_generator_state(generator)
    assert torch.cuda.memory_stats(CARD)["active.all.current"] == before + 2  # seed and offset
    with torch.cuda.graph(graph):
        x = torch.rand(4, device=CARD, generator=generator)
    generator.graphsafe_set_state(others)
    graph.replay()
    assert torch.equal(x, torch.rand(4, device=CARD, generator=twin))
    assert generator.initial_seed() == 9 and generator.get_offset() == 0


def test_a_graph_draws_from_registered_generators_alone():
    generator = torch.Generator(CARD)
    refused = pytest.raises(RuntimeError, match="for a CUDA generator not in capture mode")
    with refused, torch.cuda.graph(torch.cuda.CUDAGraph()):
        torch.rand(4, device=CARD, generator=generator)


def test_what_was_made_while_capturing_is_used_in_part_and_as_a_whole():
    """torchtitan captures FSDP2, one of whose operators returns a part of what it fills."""
    import torch.distributed.fsdp  # registers it

    part, graph = torch.ones(3, device=CARD), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        whole = torch.zeros(6, device=CARD)
        mine, _ = torch.ops.fsdp.all_gather_copy_in([part], whole, [3], 3, 1)
        mine.mul_(2)
        result = whole + 1
    part.fill_(5)
    graph.replay()
    assert result.tolist() == [1, 1, 1, 11, 11, 11]


def test_an_empty_graph_is_suspicious():
    warned = pytest.warns(UserWarning, match="The CUDA Graph is empty")
    with warned, torch.cuda.graph(torch.cuda.CUDAGraph()):
        torch.ones(3)


def test_optimizers_know_that_a_graph_is_captured():
    parameter = nn.Parameter(torch.ones(1, device=CARD))
    optimizer = torch.optim.Adam([parameter])
    parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    refused = pytest.raises(RuntimeError, match="Attempting CUDA graph capture of step")
    with refused, torch.cuda.graph(torch.cuda.CUDAGraph()):
        assert torch.cuda.current_stream().is_capturing()
        optimizer.step()
    assert not torch.cuda.current_stream().is_capturing()
    torch.cuda.set_stream(torch.cuda.default_stream())


def test_a_drawing(tmp_path):
    x, graph, file = torch.ones(4, device=CARD), torch.cuda.CUDAGraph(), tmp_path / "graph.dot"
    with pytest.warns(UserWarning, match="debug not enabled"):
        graph.debug_dump(str(file))
    assert not file.exists()
    graph.enable_debug_mode()
    with torch.cuda.graph(graph):
        (x + 1).relu()
    graph.debug_dump(str(file))
    drawing = file.read_text().splitlines()
    assert drawing == [
        "digraph {",
        '0 [label="aten.add.Tensor"];',
        '1 [label="aten.relu.default"];',
        "0 -> 1;",
        "}",
    ]
