"""nn.DataParallel and torch.cuda.comm: torch's own Python over virtual copies."""

from __future__ import annotations

import copy
import gc
import re

import pytest
import torch
from torch import nn
from torch.nn.parallel import comm, gather, parallel_apply, replicate, scatter


class Spy(nn.Module):
    """A linear layer that notes where it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 2)
        self.seen: list[tuple[int, int, int, int]] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        current = torch.cuda.current_device()
        self.seen.append((x.get_device(), self.linear.weight.get_device(), current, len(x)))
        return self.linear(x)


@pytest.mark.parametrize(
    ("batch", "sizes"), [(16, [4, 4, 4, 4]), (10, [3, 3, 3, 1]), (5, [2, 2, 1]), (9, [3, 3, 3])]
)
def test_batch_is_split_like_chunk(batch, sizes):
    net = Spy().cuda()
    out = nn.DataParallel(net)(torch.randn(batch, 4))
    assert sorted(net.seen) == [(i, i, i, size) for i, size in enumerate(sizes)]
    assert out.device == torch.device("cuda:0") and out.shape == (batch, 2)


def test_values_and_gradients_are_the_cpus():
    net = nn.Linear(4, 2)
    reference, x = copy.deepcopy(net), torch.randn(10, 4)
    parallel = nn.DataParallel(net.cuda(), device_ids=[0, 1, 2])
    out, expected = parallel(x), reference(x)
    assert torch.allclose(out.cpu(), expected, atol=1e-6)
    out.pow(2).sum().backward()
    expected.pow(2).sum().backward()
    assert net.weight.grad.device == torch.device("cuda:0")
    assert torch.allclose(net.weight.grad.cpu(), reference.weight.grad, atol=1e-5)


def test_devices_can_be_chosen():
    net = nn.Linear(4, 2).cuda(2)
    assert nn.DataParallel(net, device_ids=[2, 1])(torch.randn(4, 4)).get_device() == 2
    spread = nn.DataParallel(net, device_ids=[2, 1], output_device=3)
    assert spread(torch.randn(4, 4)).get_device() == 3
    assert nn.DataParallel(nn.Linear(1, 1)).device_ids == [0, 1, 2, 3]


@pytest.mark.parametrize(("place", "found"), [("cuda:2", "cuda:2"), ("cpu", "cpu")])
def test_module_must_be_on_the_first_device(place, found):
    parallel = nn.DataParallel(nn.Linear(4, 2).to(place), device_ids=[1, 2])
    text = (
        "module must have its parameters and buffers on device cuda:1 (device_ids[0]) "
        f"but found one of them on device: {found}"
    )
    with pytest.raises(RuntimeError, match=re.escape(text)):
        parallel(torch.randn(4, 4))


def test_error_in_a_replica_is_reported_with_its_number():
    class ForgetsToMove(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(4, 2)
            self.scale = torch.ones(4, device="cuda:0")  # no buffer: replicas share it

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.linear(x * self.scale)

    with pytest.raises(RuntimeError, match="Caught RuntimeError in replica 1 on device 1") as info:
        nn.DataParallel(ForgetsToMove().cuda())(torch.randn(8, 4))
    assert "found at least two devices, cuda:1 and cuda:0!" in str(info.value)


def test_buffers_of_the_first_replica_are_the_modules():
    net = nn.BatchNorm1d(4).cuda()
    x = torch.randn(16, 4) + 3
    nn.DataParallel(net)(x)
    assert torch.allclose(net.running_mean.cpu(), 0.1 * x[:4].mean(0), atol=1e-5)


def test_the_parts():
    devices = [0, 1, 2, 3]
    parts = scatter(torch.arange(10.0), devices)
    assert [(p.get_device(), len(p)) for p in parts] == [(0, 3), (1, 3), (2, 3), (3, 1)]
    net = nn.Linear(1, 1).cuda()
    replicas = replicate(net, devices)
    assert [r.weight.get_device() for r in replicas] == devices
    outputs = parallel_apply(replicas, [(p[:, None],) for p in parts])
    joined = gather(outputs, 3)
    assert joined.get_device() == 3
    assert torch.allclose(joined.cpu(), net(torch.arange(10.0, device="cuda")[:, None]).cpu())


def test_comm_functions():
    x = torch.arange(6.0, device="cuda")
    assert [t.get_device() for t in comm.broadcast(x, [0, 1, 3])] == [0, 1, 3]
    out = [torch.empty(6, device=f"cuda:{i}") for i in (1, 2)]
    comm.broadcast(x, out=out)
    assert all(torch.equal(t.cpu(), x.cpu()) for t in out)
    parts = comm.scatter(x, [1, 2], chunk_sizes=[2, 4])
    assert [t.tolist() for t in parts] == [[0, 1], [2, 3, 4, 5]]
    target = torch.empty(6, device="cuda:3")
    assert comm.gather(parts, out=target) is target and torch.equal(target.cpu(), x.cpu())
    assert comm.gather(parts, destination="cpu").device.type == "cpu"
    added = comm.reduce_add([torch.ones(2, device=f"cuda:{i}") for i in range(3)], destination=1)
    assert added.get_device() == 1 and added.tolist() == [3, 3]


def test_state_dict_names():
    assert [*nn.DataParallel(nn.Linear(1, 1)).state_dict()] == ["module.weight", "module.bias"]


def train(steps: int) -> tuple[float, float]:
    """Loss before and after; asserts that no step leaves memory behind."""
    net = nn.Sequential(
        nn.Linear(16, 32), nn.ReLU(), nn.BatchNorm1d(32), nn.Dropout(0.2), nn.Linear(32, 4)
    ).cuda()
    parallel, optimizer = nn.DataParallel(net), torch.optim.Adam(net.parameters())
    x, y = torch.randn(32, 16), torch.randint(0, 4, (32,), device="cuda")

    def step() -> float:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(parallel(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    first = step()
    step()
    before = [torch.cuda.memory_allocated(i) for i in range(4)]
    losses = [step() for _ in range(steps)]
    assert [torch.cuda.memory_allocated(i) for i in range(4)] == before
    return first, losses[-1]


@pytest.mark.slow
def test_two_hundred_steps_leave_nothing_behind():
    gc.collect()
    gc.disable()  # reference counting alone must free everything
    try:
        first, last = train(200)
    finally:
        gc.enable()
    assert last < first
    gc.collect()
    assert [torch.cuda.memory_allocated(i) for i in range(4)] == [0, 0, 0, 0]
