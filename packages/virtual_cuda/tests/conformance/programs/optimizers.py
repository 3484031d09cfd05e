"""Optimizers: where their state lives, and in which order to make them."""

from __future__ import annotations

import copy
import math

import torch
from torch import nn

from ..registry import Devices, Facts, caught, close, program, refused
from .same_device_rule import two

OPTIM = "torch/optim"

OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, lr=0.1),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.1),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.1),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1),
    "single tensor": lambda p: torch.optim.Adam(p, lr=0.1, foreach=False),
}


def one_step(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    optimizer.zero_grad()
    net(x).pow(2).sum().backward()
    optimizer.step()


@program(dict.fromkeys(OPTIMIZERS, True), source="the CPU's steps")
def steps_are_the_cpu_s(devices: Devices) -> Facts:
    """Three steps give the CPU's weights."""
    start, x = nn.Linear(4, 3), torch.randn(5, 4)
    facts: Facts = {}
    for name, make in OPTIMIZERS.items():
        here, there = copy.deepcopy(start), copy.deepcopy(start).to(devices[0])
        for net, data in ((here, x), (there, x.to(devices[0]))):
            optimizer = make(net.parameters())
            for _ in range(3):
                one_step(net, optimizer, data)
        moved = not torch.equal(here.weight, start.weight)
        facts[name] = moved and there.weight.is_cuda and close(there.weight, here.weight)
    return facts


@program(
    {"exp_avg": "cuda:0", "exp_avg_sq": "cuda:0", "step": ["cpu", "torch.float32", 1.0]},
    source=OPTIM + "/adam.py: step is on the CPU unless capturable or fused",
)
def adam_state(devices: Devices) -> Facts:
    """Adam's averages live with their parameter, its step counter on the CPU."""
    net = nn.Linear(2, 1).to(devices[0])
    optimizer = torch.optim.Adam(net.parameters())
    one_step(net, optimizer, torch.ones(1, 2, device=devices[0]))
    state = optimizer.state[net.weight]
    step = state["step"]
    return {
        "exp_avg": state["exp_avg"].device,
        "exp_avg_sq": state["exp_avg_sq"].device,
        "step": [step.device, step.dtype, step.item()],
    }


@program({"step": "cuda:0", "close": True}, source=OPTIM + "/adam.py capturable")
def capturable_adam(devices: Devices) -> Facts:
    """With ``capturable`` the step counter is on the card as well."""
    net = nn.Linear(2, 1)
    twin = copy.deepcopy(net).to(devices[0])
    optimizer = torch.optim.Adam(twin.parameters(), capturable=True)
    one_step(twin, optimizer, torch.ones(1, 2, device=devices[0]))
    one_step(net, torch.optim.Adam(net.parameters()), torch.ones(1, 2))
    return {
        "step": optimizer.state[twin.weight]["step"].device,
        "close": close(twin.weight, net.weight),
    }


@program({"step": "cuda:0", "close": True}, source=OPTIM + "/adam.py fused")
def fused_adam(devices: Devices) -> Facts:
    """The fused kernel gives the same step."""
    net = nn.Linear(2, 1)
    twin = copy.deepcopy(net).to(devices[0])
    optimizer = torch.optim.Adam(twin.parameters(), fused=True)
    one_step(twin, optimizer, torch.ones(1, 2, device=devices[0]))
    one_step(net, torch.optim.Adam(net.parameters()), torch.ones(1, 2))
    return {
        "step": optimizer.state[twin.weight]["step"].device,
        "close": close(twin.weight, net.weight),
    }


@program({"buffer": "cuda:0"}, source=OPTIM + "/sgd.py")
def momentum(devices: Devices) -> Facts:
    """SGD's momentum buffer lives with its parameter."""
    net = nn.Linear(2, 1).to(devices[0])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    one_step(net, optimizer, torch.ones(1, 2, device=devices[0]))
    return {"buffer": optimizer.state[net.weight]["momentum_buffer"].device}


@program({"updates": True, "same_parameter": True}, source="ERRATA E06; MAP X3.5")
def made_before_the_move(devices: Devices) -> Facts:
    """An optimizer made before ``to`` still updates the model."""
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.to(devices[0])
    before = net.weight.detach().clone()
    one_step(net, optimizer, torch.ones(1, 2, device=devices[0]))
    return {
        "updates": not torch.equal(before, net.weight),
        "same_parameter": optimizer.param_groups[0]["params"][0] is net.weight,
    }


@refused(
    two("cuda:0", "cpu"),
    source="torch/optim/adam.py _multi_tensor_adam: _foreach_lerp_ of averages on the CPU takes "
    "the slow path, lerp_ by lerp_; ERRATA E06",
)
def state_left_behind(devices: Devices) -> None:
    """State that exists does not move with the model."""
    net = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters())
    one_step(net, optimizer, torch.ones(1, 2))
    net.to(devices[0])
    one_step(net, optimizer, torch.ones(1, 2, device=devices[0]))


@program({"updates": False, "stale": "cuda:0"}, source="ERRATA I: assign=True before the optimizer")
def assigned_after_the_optimizer(devices: Devices) -> Facts:
    """After ``assign=True`` an older optimizer trains tensors nobody uses."""
    net = nn.Linear(2, 1).to(devices[0])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.load_state_dict(copy.deepcopy(net.state_dict()), assign=True)
    before = net.weight.detach().clone()
    one_step(net, optimizer, torch.ones(1, 2, device=devices[0]))
    return {
        "updates": not torch.equal(before, net.weight),
        "stale": optimizer.param_groups[0]["params"][0].device,
    }


@program({"exp_avg": "cuda:0", "step": "cpu"}, source=OPTIM + "/optimizer.py load_state_dict")
def loading_state(devices: Devices) -> Facts:
    """A loaded state goes to its parameter's device."""
    net = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters())
    one_step(net, optimizer, torch.ones(1, 2))
    twin = copy.deepcopy(net).to(devices[0])
    restored = torch.optim.Adam(twin.parameters())
    restored.load_state_dict(optimizer.state_dict())
    state = restored.state[twin.weight]
    return {"exp_avg": state["exp_avg"].device, "step": state["step"].device}


@program({"norm": ["cuda:0", 2.0], "clipped": True}, source="torch/nn/utils/clip_grad.py")
def clipping(devices: Devices) -> Facts:
    """The norm of clipped gradients is a tensor of the card."""
    x = torch.ones(4, device=devices[0], requires_grad=True)
    x.sum().backward()
    norm = nn.utils.clip_grad_norm_([x], 1.0)
    return {
        "norm": [norm.device, round(norm.item(), 3)],
        "clipped": math.isclose(x.grad.norm().item(), 1.0, rel_tol=1e-3),
    }


@program({"norm": "cuda:0", "value": 2.0}, devices=2, source="torch/nn/utils/clip_grad.py")
def clipping_two_cards(devices: Devices) -> Facts:
    """Gradients of two cards have one norm, on the first gradient's card."""
    both = [torch.ones(2, device=d, requires_grad=True) for d in devices]
    torch.autograd.backward([x.sum() for x in both])
    norm = nn.utils.clip_grad_norm_(both, 1.0)
    return {"norm": norm.device, "value": round(norm.item(), 3)}


@program({"zero_grad": True, "kept": [0.0, 0.0]}, source=OPTIM + "/optimizer.py zero_grad")
def clearing_gradients(devices: Devices) -> Facts:
    """``zero_grad`` drops gradients, or zeroes them."""
    net = nn.Linear(2, 1, bias=False).to(devices[0])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(1, 2, device=devices[0])).sum().backward()
    optimizer.zero_grad(set_to_none=False)
    kept = net.weight.grad.flatten().tolist()
    optimizer.zero_grad()
    return {"zero_grad": net.weight.grad is None, "kept": kept}


@program({"error": None, "updated": [True, True]}, devices=2, source=OPTIM + ": groups by device")
def parameters_of_two_cards(devices: Devices) -> Facts:
    """One optimizer can serve parameters of two cards."""
    both = [nn.Parameter(torch.ones(2, device=d)) for d in devices]
    optimizer = torch.optim.Adam(both, lr=0.1)
    torch.autograd.backward([p.sum() for p in both])
    error = caught(optimizer.step)["type"]
    return {"error": error, "updated": [bool((p != 1).all()) for p in both]}
