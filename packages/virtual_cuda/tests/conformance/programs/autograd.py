"""Gradients on and across devices."""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from ..registry import Devices, Facts, caught, close, places, program, refused

NOTES = "docs: autograd mechanics"


@program({"device": "cuda:0", "values": [2.0, 4.0]}, source=NOTES)
def gradient_lives_with_its_leaf(devices: Devices) -> Facts:
    """The gradient of a card's leaf is on the card."""
    x = torch.tensor([1.0, 2.0], device=devices[0], requires_grad=True)
    (x * x).sum().backward()
    return {"device": x.grad.device, "values": x.grad.tolist()}


@program({"device": "cpu", "values": [3.0, 3.0], "moved": None}, source="ERRATA E12")
def gradient_flows_back_through_the_move(devices: Devices) -> Facts:
    """A CPU leaf that was moved gets its gradient on the CPU."""
    x = torch.ones(2, requires_grad=True)
    moved = x.to(devices[0])
    (moved * 3).sum().backward()
    return {"device": x.grad.device, "values": x.grad.tolist(), "moved": moved.grad}


@program({"leaf": [4.0], "between": ["cuda:1", [2.0]]}, devices=2, source=NOTES)
def gradient_across_cards(devices: Devices) -> Facts:
    """Backward crosses cards; a retained gradient lives with its tensor."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    y = (x * 2).to(devices[1])
    y.retain_grad()
    (y * 2).sum().backward()
    return {"leaf": x.grad.tolist(), "between": [y.grad.device, y.grad.tolist()]}


@program({"same_object": True, "values": [4.0]}, source=NOTES)
def gradients_accumulate(devices: Devices) -> Facts:
    """A second backward adds to the first, in place."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    (2 * x).sum().backward()
    first = x.grad
    (2 * x).sum().backward()
    return {"same_object": x.grad is first, "values": x.grad.tolist()}


@program({"grad": [2.0], "second": [2.0], "device": "cuda:0"}, source="torch.autograd.grad docs")
def second_order(devices: Devices) -> Facts:
    """Gradients of gradients."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    (first,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    return {"grad": first.tolist(), "second": second.tolist(), "device": second.device}


@refused(
    "attempting to assign a gradient with device type 'cpu' to a tensor with device type 'cuda'. "
    "Please ensure that the gradient and the tensor are on the same device",
    source="torch/csrc/autograd (text in the 2.13 binary, no device code involved)",
)
def gradient_of_another_device(devices: Devices) -> None:
    """``.grad`` cannot be set to a tensor of another device."""
    x = torch.ones(2, device=devices[0], requires_grad=True)
    x.grad = torch.ones(2)


@refused(
    "Trying to backward through the graph a second time (or directly access saved tensors "
    "after they have already been freed). Saved intermediate values of the graph are freed "
    "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
    "backward through the graph a second time or if you need to access saved tensors after "
    "calling backward.",
    source="torch/csrc/autograd/saved_variable.cpp",
)
def backward_twice(devices: Devices) -> None:
    """The graph is used once."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    y.backward()


@refused(
    "a leaf Variable that requires grad is being used in an in-place operation.",
    source="torch/csrc/autograd/VariableTypeUtils.h",
)
def in_place_on_a_leaf(devices: Devices) -> None:
    """A leaf is not changed under autograd's eyes."""
    torch.ones(1, device=devices[0], requires_grad=True).add_(1)


@program(
    {"no_grad": False, "inference": [False, True], "detach": False, "shares": True}, source=NOTES
)
def switched_off(devices: Devices) -> Facts:
    """no_grad, inference_mode and detach."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    with torch.no_grad():
        quiet = x * 2
    with torch.inference_mode():
        inference = x * 2
    detached = x.detach()
    return {
        "no_grad": quiet.requires_grad,
        "inference": [inference.requires_grad, inference.is_inference()],
        "detach": detached.requires_grad,
        "shares": detached.data_ptr() == x.data_ptr(),
    }


@program(
    {"forward": "cuda:0", "backward": "cuda:0", "grad": [3.0]}, source="docs: extending autograd"
)
def own_function(devices: Devices) -> Facts:
    """Functions of one's own see the card's tensors."""
    seen: Facts = {}

    class Triple(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen["forward"] = x.device
            return x * 3

        @staticmethod
        def backward(ctx, grad):
            seen["backward"] = grad.device
            return grad * 3

    x = torch.ones(1, device=devices[0], requires_grad=True)
    Triple.apply(x).sum().backward()
    return {**seen, "grad": x.grad.tolist()}


@program({"hook": "cuda:0", "after": "cuda:0"}, source="docs: Tensor hooks")
def hooks(devices: Devices) -> Facts:
    """Hooks on tensors, and after accumulation."""
    seen: Facts = {}
    x = torch.ones(1, device=devices[0], requires_grad=True)
    x.register_hook(lambda grad: seen.update(hook=grad.device))
    x.register_post_accumulate_grad_hook(lambda p: seen.update(after=p.grad.device))
    (x * 2).sum().backward()
    return seen


@program({"close": True, "calls": 2, "dropout_equal": True}, source="torch.utils.checkpoint docs")
def checkpointing(devices: Devices) -> Facts:
    """Checkpointing recomputes with the same random numbers."""
    masks = []

    def layer(x: torch.Tensor) -> torch.Tensor:
        y = torch.nn.functional.dropout(x, 0.5)
        masks.append(y.detach() == 0)
        return y * y

    x = torch.ones(64, device=devices[0], requires_grad=True)
    out = checkpoint(layer, x, use_reentrant=False)
    out.sum().backward()
    return {
        "close": close(x.grad, 2 * out),
        "calls": len(masks),
        "dropout_equal": torch.equal(*masks),
    }


@program({"close": True, "devices": ["cuda:0", "cuda:0"]}, source="the CPU's gradients")
def gradients_are_the_cpu_s(devices: Devices) -> Facts:
    """A small network has the CPU's gradients."""
    net, x = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)), torch.randn(6, 4)
    net(x).pow(2).mean().backward()
    expected = [p.grad.clone() for p in net.parameters()]
    net.zero_grad()
    net.to(devices[0])(x.to(devices[0])).pow(2).mean().backward()
    matches = [close(p.grad, e) for p, e in zip(net.parameters(), expected, strict=True)]
    return {"close": all(matches), "devices": places(net[0].weight.grad, net[2].bias.grad)}


@program({"grads": [[1.0], [1.0]], "places": ["cuda:0", "cuda:1"]}, devices=2, source=NOTES)
def several_roots(devices: Devices) -> Facts:
    """One backward from roots on two cards."""
    a = torch.ones(1, device=devices[0], requires_grad=True)
    b = torch.ones(1, device=devices[1], requires_grad=True)
    torch.autograd.backward([a.sum(), b.sum()])
    return {"grads": [a.grad.tolist(), b.grad.tolist()], "places": places(a.grad, b.grad)}


@program(
    {"type": "RuntimeError", "mentions": True},
    source="torch/csrc/autograd/engine.cpp validate_outputs: expected device … but got …",
)
def gradient_from_elsewhere(devices: Devices) -> Facts:
    """A starting gradient must be on the root's device."""
    x = torch.ones(2, device=devices[0], requires_grad=True)
    error = caught(lambda: (x * 2).backward(torch.ones(2)))
    return {"type": error["type"], "mentions": "cpu" in (error["text"] or "")}


@program(
    {"unpacked": ["cpu"], "grad": "cuda:0", "values": [2.0]},
    source="torch.autograd.graph.save_on_cpu docs",
)
def saved_on_the_cpu(devices: Devices) -> Facts:
    """``save_on_cpu`` keeps saved tensors in host memory."""
    x = torch.ones(1, device=devices[0], requires_grad=True)
    kept: list[str] = []

    def pack(t: torch.Tensor) -> torch.Tensor:
        kept.append(str(t.cpu().device))
        return t.cpu()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t.to(devices[0])):
        y = (x**2).sum()
    y.backward()
    return {"unpacked": kept, "grad": x.grad.device, "values": x.grad.tolist()}
