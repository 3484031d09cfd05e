"""Modules: what moves with them and what is left behind."""

from __future__ import annotations

import copy

import torch
from torch import nn

from ..registry import Devices, Facts, caught, close, places, program, refused

MODULE = "torch/nn/modules/module.py _apply; ERRATA E06"


def small_net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))


@program(
    {
        "module": True,
        "parameters": True,
        "memory": True,
        "buffers": True,
        "devices": ["cuda:0"] * 9,
    },
    source=MODULE,
)
def to_keeps_parameters(devices: Devices) -> Facts:
    """``Module.to`` keeps module and parameters, changes their memory, replaces buffers."""
    net = small_net()
    parameters, buffers = [*net.parameters()], [*net.buffers()]
    pointers = [p.data_ptr() for p in parameters]
    moved = net.to(devices[0])
    return {
        "module": moved is net,
        "parameters": all(a is b for a, b in zip(net.parameters(), parameters, strict=True)),
        "memory": all(p.data_ptr() != old for p, old in zip(parameters, pointers, strict=True)),
        "buffers": all(a is not b for a, b in zip(net.buffers(), buffers, strict=True)),
        "devices": places(*net.parameters(), *net.buffers()),
    }


@program({"parameters": True, "buffers": True, "memory": True}, source=MODULE)
def to_where_it_is(devices: Devices) -> Facts:
    """Moving a module to where it is changes nothing."""
    net = small_net().to(devices[0])
    parameters, buffers = [*net.parameters()], [*net.buffers()]
    pointer = parameters[0].data_ptr()
    net.to(devices[0])
    return {
        "parameters": all(a is b for a, b in zip(net.parameters(), parameters, strict=True)),
        "buffers": all(a is b for a, b in zip(net.buffers(), buffers, strict=True)),
        "memory": parameters[0].data_ptr() == pointer,
    }


@program(
    {"weights": True, "output": True, "place": "cuda:0", "grad_fn": "AddmmBackward0"},
    source="ERRATA E27",
)
def the_same_values(devices: Devices) -> Facts:
    """A moved model computes what it computed."""
    net, x = nn.Linear(3, 1), torch.randn(2, 3)
    twin = copy.deepcopy(net).to(devices[0])
    out = twin(x.to(devices[0]))
    return {
        "weights": torch.equal(net.weight, twin.weight.cpu()),
        "output": close(out, net(x)),
        "place": out.device,
        "grad_fn": type(out.grad_fn).__name__,
    }


@program(
    {
        "plain": "cpu",
        "in_list": "cpu",
        "module_in_list": "cpu",
        "buffer": "cuda:0",
        "not_saved": "cuda:0",
        "names": ["weight", "mask"],
    },
    source=MODULE,
)
def what_stays_behind(devices: Devices) -> Facts:
    """Plain attributes and lists stay, buffers move, saved or not."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(1))
            self.plain = torch.ones(1)
            self.listed = [torch.ones(1)]
            self.layers = [nn.Linear(1, 1)]
            self.register_buffer("mask", torch.ones(1))
            self.register_buffer("cache", torch.ones(1), persistent=False)

    net = Net().to(devices[0])
    return {
        "plain": net.plain.device,
        "in_list": net.listed[0].device,
        "module_in_list": net.layers[0].weight.device,
        "buffer": net.mask.device,
        "not_saved": net.cache.device,
        "names": list(net.state_dict()),
    }


@program({"same_object": True, "device": "cuda:0", "values": True}, source=MODULE)
def gradients_move_too(devices: Devices) -> Facts:
    """``.grad`` goes with its parameter."""
    net = nn.Linear(2, 1)
    net(torch.ones(1, 2)).sum().backward()
    parameter, grad = net.weight, net.weight.grad.clone()
    net.to(devices[0])
    return {
        "same_object": net.weight is parameter,
        "device": net.weight.grad.device,
        "values": close(net.weight.grad, grad),
    }


@program({"weight": "torch.float64", "counter": ["cuda:0", "torch.int64"]}, source="ERRATA E08")
def dtypes_of_a_module(devices: Devices) -> Facts:
    """Casting a module leaves its integer buffers alone."""
    net = nn.BatchNorm1d(2).to(devices[0], torch.float64)
    counter = net.num_batches_tracked
    return {"weight": net.weight.dtype, "counter": [counter.device, counter.dtype]}


@refused(
    "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int32",
    kind="TypeError",
    source="ERRATA E08",
)
def integer_module(devices: Devices) -> None:
    """A module cannot become an integer."""
    nn.Linear(1, 1).to(devices[0], torch.int32)


@program({"returns_self": [True, True], "places": ["cuda:0", "cpu"]}, source="nn.Module.cuda docs")
def cuda_and_cpu(devices: Devices) -> Facts:
    """``cuda()`` and ``cpu()`` of modules."""
    net = nn.Linear(1, 1)
    there, place = net.cuda() is net, net.weight.device
    return {"returns_self": [there, net.cpu() is net], "places": [place, net.weight.device]}


@program(
    {"weight": "cuda:0", "buffer": "cuda:0", "lstm": ["cuda:0"] * 4},
    source="docs: device= of modules",
)
def made_on_the_card(devices: Devices) -> Facts:
    """Modules can be made on the card."""
    norm = nn.BatchNorm1d(2, device=devices[0])
    lstm = nn.LSTM(2, 2, device=devices[0])
    return {
        "weight": norm.weight.device,
        "buffer": norm.running_mean.device,
        "lstm": places(*lstm.parameters()),
    }


@program({"kept": False, "device": "cuda:0"}, source="torch/__future__.py; ERRATA E06")
def overwriting_parameters(devices: Devices) -> Facts:
    """With the overwrite flag parameters are new objects."""
    net = nn.Linear(1, 1)
    parameter = net.weight
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        net.to(devices[0])
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)
    return {"kept": net.weight is parameter, "device": net.weight.device}


@program({"kept": True, "device": "cuda:0", "values": True}, source="torch/__future__.py")
def swapping_parameters(devices: Devices) -> Facts:
    """With the swap flag parameters are kept by exchanging their insides."""
    net = nn.Linear(2, 1)
    parameter, values = net.weight, net.weight.detach().clone()
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        net.to(devices[0])
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)
    return {
        "kept": net.weight is parameter,
        "device": net.weight.device,
        "values": close(net.weight, values),
    }


@program({"device": "cuda:0", "shape": [2, 3], "is_parameter": True}, source="Module.to_empty docs")
def from_meta(devices: Devices) -> Facts:
    """A module without memory gets some on the card."""
    net = nn.Linear(3, 2, device="meta").to_empty(device=devices[0])
    return {
        "device": net.weight.device,
        "shape": net.weight.shape,
        "is_parameter": isinstance(net.weight, nn.Parameter),
    }


@refused(
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
    "torch.nn.Module.to() when moving module from meta to a different device.",
    kind="NotImplementedError",
    source=MODULE,
)
def meta_module_has_nothing_to_move(devices: Devices) -> None:
    """``to`` of a module without memory says what to use."""
    nn.Linear(1, 1, device="meta").to(devices[0])


@program({"device": "cuda:0", "values": True, "kept": True}, source="ERRATA E109")
def loading_a_state_dict(devices: Devices) -> Facts:
    """``load_state_dict`` copies into the model's own device."""
    source, net = nn.Linear(2, 1), nn.Linear(2, 1).to(devices[0])
    parameter = net.weight
    net.load_state_dict(source.state_dict())
    return {
        "device": net.weight.device,
        "values": close(net.weight, source.weight),
        "kept": net.weight is parameter,
    }


@program({"device": "cpu", "kept": False}, source="ERRATA I: assign=True")
def assigning_a_state_dict(devices: Devices) -> Facts:
    """``assign=True`` takes the checkpoint's tensors, device and all."""
    source, net = nn.Linear(2, 1), nn.Linear(2, 1).to(devices[0])
    parameter = net.weight
    net.load_state_dict(source.state_dict(), assign=True)
    return {"device": net.weight.device, "kept": net.weight is parameter}


@program(
    {"output": "cuda:1", "gradients": ["cuda:0", "cuda:1"], "close": True},
    devices=2,
    source="ERRATA E26: model parallelism",
)
def split_over_two_cards(devices: Devices) -> Facts:
    """A model on two cards works where activations are moved."""
    first, second = nn.Linear(4, 3), nn.Linear(3, 2)
    x = torch.randn(5, 4)
    expected = second(first(x).relu())
    first.to(devices[0]), second.to(devices[1])
    out = second(first(x.to(devices[0])).relu().to(devices[1]))
    out.sum().backward()
    return {
        "output": out.device,
        "close": close(out, expected),
        "gradients": places(first.weight.grad, second.weight.grad),
    }


@program({"shares": False, "device": "cuda:0", "still_tied": True}, source=MODULE)
def tied_weights(devices: Devices) -> Facts:
    """A shared parameter is moved once and stays shared."""
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    net[1].weight = net[0].weight
    net.to(devices[0])
    twin = copy.deepcopy(net)
    return {
        "shares": twin[0].weight is net[0].weight,
        "device": net[1].weight.device,
        "still_tied": net[0].weight is net[1].weight and twin[0].weight is twin[1].weight,
    }


@program({"running_mean": True, "counter": 1, "place": "cuda:0"}, source="nn.BatchNorm1d docs")
def batch_norm_buffers(devices: Devices) -> Facts:
    """Running statistics are updated on the card."""
    net, x = nn.BatchNorm1d(3).to(devices[0]), torch.randn(8, 3) + 2
    net(x.to(devices[0]))
    return {
        "running_mean": close(net.running_mean, 0.1 * x.mean(0)),
        "counter": net.num_batches_tracked.item(),
        "place": net.running_mean.device,
    }


@program({"hook": ["cuda:0"], "forward_pre": ["cuda:0"]}, source="nn.Module hooks")
def hooks_see_the_card(devices: Devices) -> Facts:
    """Hooks get the card's tensors."""
    seen: dict[str, list[str]] = {"hook": [], "forward_pre": []}
    net = nn.Linear(1, 1).to(devices[0])
    net.register_forward_hook(lambda m, args, out: seen["hook"].append(str(out.device)))
    net.register_forward_pre_hook(lambda m, a: seen["forward_pre"].append(str(a[0].device)))
    net(torch.ones(1, 1, device=devices[0]))
    return seen


@program(
    {
        "no_attribute": {
            "type": "AttributeError",
            "text": "'Linear' object has no attribute 'device'",
        }
    },
    source="torch/nn/modules/module.py __getattr__",
)
def modules_have_no_device(devices: Devices) -> Facts:
    """A module has no ``device``; its parameters have."""
    net = nn.Linear(1, 1).to(devices[0])
    return {"no_attribute": caught(lambda: net.device)}
