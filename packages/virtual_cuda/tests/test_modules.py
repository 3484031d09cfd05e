"""Modules, gradients, optimizers and mixed precision: the same as on the CPU, on the card."""

from __future__ import annotations

import copy
import threading

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

CUDA1 = torch.device("cuda:1")


def small_net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))


def test_module_to_keeps_parameters_and_replaces_buffers():
    net = small_net()
    parameters, buffers = [*net.parameters()], [*net.buffers()]
    assert net.to("cuda:1") is net
    assert all(new is old for new, old in zip(net.parameters(), parameters, strict=True))
    assert all(new is not old for new, old in zip(net.buffers(), buffers, strict=True))
    assert all(type(p) is nn.Parameter and p.is_leaf for p in net.parameters())
    assert {t.device for t in net.state_dict().values()} == {CUDA1}


@pytest.mark.parametrize(
    ("move", "index"),
    [
        (lambda net: net.cuda(), 0),
        (lambda net: net.cuda(2), 2),
        (lambda net: net.to(1), 1),
        (lambda net: net.to(torch.device("cuda:3")), 3),
        (lambda net: net.to("cuda"), 0),
    ],
)
def test_every_way_to_move_a_module(move, index):
    assert {p.get_device() for p in move(small_net()).parameters()} == {index}


def test_back_to_the_cpu_and_other_types():
    net = small_net().cuda().cpu()
    assert not next(net.parameters()).is_cuda
    assert next(net.cuda(1).half().parameters()).dtype == torch.float16


def test_lazy_modules_move_before_they_know_their_shape():
    net = nn.LazyLinear(3).to("cuda:2")
    assert net(torch.ones(2, 5, device="cuda:2")).device == torch.device("cuda:2")
    assert net.weight.shape == (3, 5)


def test_parameter_repr():
    text = repr(nn.Parameter(torch.ones(1, device="cuda:1")))
    assert text == "Parameter containing:\ntensor([1.], device='cuda:1', requires_grad=True)"


def test_gradients_are_the_cpus():
    net, x = small_net(), torch.randn(6, 4)
    labels = torch.tensor([0, 1, 0, 1, 1, 0])
    twin = copy.deepcopy(net).to(CUDA1)
    F.cross_entropy(net(x), labels).backward()
    F.cross_entropy(twin(x.to(CUDA1)), labels.to(CUDA1)).backward()
    for p, q in zip(net.parameters(), twin.parameters(), strict=True):
        assert q.grad.device == CUDA1
        assert torch.allclose(p.grad, q.grad.cpu(), atol=1e-6)


def test_gradients_flow_through_a_model_on_two_cards():
    first, second = nn.Linear(4, 8).cuda(0), nn.Linear(8, 2).cuda(1)
    on_cpu = nn.Sequential(copy.deepcopy(first).cpu(), nn.ReLU(), copy.deepcopy(second).cpu())
    x = torch.randn(5, 4)
    second(first(x.cuda()).relu().to("cuda:1")).pow(2).sum().backward()
    on_cpu(x).pow(2).sum().backward()
    assert (first.weight.grad.get_device(), second.weight.grad.get_device()) == (0, 1)
    assert torch.allclose(first.weight.grad.cpu(), on_cpu[0].weight.grad, atol=1e-5)
    assert torch.allclose(second.weight.grad.cpu(), on_cpu[2].weight.grad, atol=1e-5)


def test_gradient_of_a_moved_tensor_comes_back_to_the_cpu():
    x = torch.randn(3, requires_grad=True)
    x.cuda(1).pow(2).sum().backward()
    assert torch.allclose(x.grad, 2 * x)


def test_backward_in_another_thread():
    seen = []

    def work() -> None:
        w = torch.randn(2, device="cuda:2", requires_grad=True)
        w.pow(2).sum().backward()
        seen.append(torch.equal(w.grad, 2 * w))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [True]


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_repeats_dropout(reentrant):
    w = torch.ones(1000, device="cuda:1", requires_grad=True)
    out = checkpoint(lambda a: F.dropout(a, 0.5) * a, w, use_reentrant=reentrant)
    out.sum().backward()
    assert torch.equal(w.grad != 0, out != 0)


def test_gradcheck():
    x = torch.randn(3, device="cuda:1", dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a: (a**2).sin().sum(), x)


LAYERS = {
    "lstm": (lambda: nn.LSTM(4, 8, batch_first=True), [(2, 5, 4)]),
    "gru": (lambda: nn.GRU(4, 8, batch_first=True), [(2, 5, 4)]),
    "rnn": (lambda: nn.RNN(4, 8), [(5, 2, 4)]),
    "transformer": (lambda: nn.TransformerEncoderLayer(8, 2, 16, 0.0), [(2, 5, 8)]),
    "attention": (lambda: nn.MultiheadAttention(8, 2, batch_first=True), [(2, 3, 8)] * 3),
    "conv": (lambda: nn.Conv2d(3, 4, 3, padding=1), [(2, 3, 8, 8)]),
    "batch norm": (lambda: nn.BatchNorm2d(3), [(2, 3, 8, 8)]),
    "layer norm": (lambda: nn.LayerNorm(8), [(2, 3, 8)]),
}


@pytest.mark.parametrize(("make", "sizes"), LAYERS.values(), ids=LAYERS.keys())
def test_layer_gives_the_cpus_values_and_gradients(make, sizes):
    layer = make()
    twin = copy.deepcopy(layer).cuda(1)
    inputs = [torch.randn(size) for size in sizes]

    def output(module: nn.Module, tensors: list[torch.Tensor]) -> torch.Tensor:
        result = module(*tensors)
        return result[0] if isinstance(result, tuple) else result

    expected, got = output(layer, inputs), output(twin, [x.cuda(1) for x in inputs])
    assert torch.allclose(expected, got.cpu(), atol=1e-5)
    expected.pow(2).sum().backward()
    got.pow(2).sum().backward()
    for p, q in zip(layer.parameters(), twin.parameters(), strict=True):
        assert torch.allclose(p.grad, q.grad.cpu(), atol=1e-3)


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "fused sgd": lambda p: torch.optim.SGD(p, lr=0.1, fused=True),
    "adam": lambda p: torch.optim.Adam(p, lr=0.1),
    "adam foreach": lambda p: torch.optim.Adam(p, lr=0.1, foreach=True),
    "adam for-loop": lambda p: torch.optim.Adam(p, lr=0.1, foreach=False),
    "fused adamw": lambda p: torch.optim.AdamW(p, lr=0.1, fused=True),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.1),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1),
}


@pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS.keys())
def test_optimizer_steps_are_the_cpus(make):
    net = nn.Linear(4, 3)
    twin = copy.deepcopy(net).cuda(1)
    x, start = torch.randn(5, 4), net.weight.detach().clone()
    for module, data in ((net, x), (twin, x.cuda(1))):
        optimizer = make(module.parameters())
        for _ in range(3):
            optimizer.zero_grad()
            module(data).pow(2).sum().backward()
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
    assert not torch.equal(net.weight, start)
    assert torch.allclose(net.weight, twin.weight.cpu(), atol=1e-4)
    moved = [v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)]
    assert all(v.device == CUDA1 for v in moved if v.dim())


def test_autocast_chooses_types():
    net, x = nn.Linear(4, 2).cuda(), torch.randn(3, 4, device="cuda")
    with torch.autocast("cuda"):
        y = net(x)
        assert y.dtype == torch.float16 and y.softmax(1).dtype == torch.float32
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32  # not on the CPU
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert net(x).dtype == torch.bfloat16


def test_grad_scaler_trains_and_skips_infinite_steps():
    net, x = nn.Linear(4, 2).cuda(), torch.randn(3, 4, device="cuda")
    optimizer, scaler = torch.optim.SGD(net.parameters(), lr=0.1), torch.amp.GradScaler("cuda")
    before = net.weight.detach().clone()
    with torch.autocast("cuda"):
        loss = net(x).float().pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 65536.0 and not torch.equal(net.weight, before)
    before = net.weight.detach().clone()
    net.weight.grad.fill_(float("inf"))
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 32768.0 and torch.equal(net.weight, before)
