"""Autocast and the gradient scaler."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from ..registry import Devices, Facts, close, program

AMP = "docs: automatic mixed precision"


@program(
    {
        "linear": "torch.float16",
        "sum": "torch.float32",
        "softmax": "torch.float32",
        "weight": "torch.float32",
    },
    source=AMP + ", op lists",
)
def autocast_dtypes(devices: Devices) -> Facts:
    """Autocast computes products in half precision and sums in full."""
    net, x = nn.Linear(4, 2).to(devices[0]), torch.randn(3, 4, device=devices[0])
    with torch.autocast("cuda"):
        y = net(x)
        facts = {"linear": y.dtype, "sum": y.sum().dtype, "softmax": y.softmax(1).dtype}
    return {**facts, "weight": net.weight.dtype}


@program(
    {"chosen": "torch.bfloat16", "default": "torch.float16", "inside_cpu": "torch.float32"},
    source=AMP,
)
def autocast_choice(devices: Devices) -> Facts:
    """The dtype can be chosen; the CPU is not affected."""
    x = torch.ones(2, 2, device=devices[0])
    with torch.autocast("cuda", dtype=torch.bfloat16):
        chosen, host = x @ x, torch.ones(2, 2) @ torch.ones(2, 2)
    return {
        "chosen": chosen.dtype,
        "default": torch.get_autocast_dtype("cuda"),
        "inside_cpu": host.dtype,
    }


@program({"before": False, "inside": True, "nested": False, "after": False}, source=AMP)
def autocast_state(devices: Devices) -> Facts:
    """Whether autocast is on, by device type."""
    _ = torch.ones(1, device=devices[0])
    facts: Facts = {"before": torch.is_autocast_enabled("cuda")}
    with torch.autocast("cuda"):
        facts["inside"] = torch.is_autocast_enabled("cuda")
        with torch.autocast("cuda", enabled=False):
            facts["nested"] = torch.is_autocast_enabled("cuda")
    return {**facts, "after": torch.is_autocast_enabled("cuda")}


@program({"grad": "torch.float32", "close": True}, source=AMP)
def gradients_are_full(devices: Devices) -> Facts:
    """Gradients of full-precision parameters are full-precision."""
    net, x = nn.Linear(4, 2), torch.randn(3, 4)
    net(x).pow(2).mean().backward()
    expected = net.weight.grad.clone()
    net.zero_grad()
    net.to(devices[0])
    with torch.autocast("cuda"):
        loss = net(x.to(devices[0])).float().pow(2).mean()
    loss.backward()
    return {"grad": net.weight.grad.dtype, "close": close(net.weight.grad, expected)}


@program(
    {"loss": ["cuda:0", 65536.0], "updated": True, "after": 65536.0},
    source="torch/amp/grad_scaler.py",
)
def scaler_steps(devices: Devices) -> Facts:
    """The scaler scales the loss and unscales the gradients."""
    x = nn.Parameter(torch.ones(1, device=devices[0]))
    optimizer, scaler = torch.optim.SGD([x], lr=0.5), torch.amp.GradScaler("cuda")
    scaled = scaler.scale(x.sum())
    scaled.backward()
    scaler.step(optimizer)
    scaler.update()
    return {
        "loss": [scaled.device, scaled.item()],
        "updated": x.tolist() == [0.5],
        "after": scaler.get_scale(),
    }


@program({"updated": False, "after": 32768.0}, source="torch/amp/grad_scaler.py")
def scaler_skips(devices: Devices) -> Facts:
    """A step with infinite gradients is skipped and the scale halved."""
    x = nn.Parameter(torch.ones(1, device=devices[0]))
    optimizer, scaler = torch.optim.SGD([x], lr=0.5), torch.amp.GradScaler("cuda")
    scaler.scale(x.sum()).backward()
    x.grad.fill_(float("inf"))
    scaler.step(optimizer)
    scaler.update()
    return {"updated": x.tolist() != [1.0], "after": scaler.get_scale()}


@program({"half": "torch.float16", "bfloat16": "torch.bfloat16", "close": [True, True]}, source=AMP)
def half_precision_by_hand(devices: Devices) -> Facts:
    """Half and bfloat16 models run on a card."""
    net, x = nn.Linear(4, 2), torch.randn(3, 4)
    expected = net(x)
    facts: Facts = {"close": []}
    for name, dtype in (("half", torch.float16), ("bfloat16", torch.bfloat16)):
        out = nn.Linear(4, 2, device=devices[0], dtype=dtype)
        out.load_state_dict(net.state_dict())
        y = out(x.to(devices[0], dtype))
        facts[name] = y.dtype
        facts["close"].append(torch.allclose(y.float().cpu(), expected, atol=0.1))
    return facts


@program({"loss": "torch.float32", "place": "cuda:0"}, source=AMP + ", op lists")
def losses_under_autocast(devices: Devices) -> Facts:
    """Losses are computed in full precision."""
    x = torch.randn(3, 4, device=devices[0], dtype=torch.float16)
    with torch.autocast("cuda"):
        loss = F.cross_entropy(x, torch.tensor([0, 1, 2], device=devices[0]))
    return {"loss": loss.dtype, "place": loss.device}
