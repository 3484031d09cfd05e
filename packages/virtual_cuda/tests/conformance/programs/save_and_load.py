"""Saving with a device and loading to one."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

from ..registry import Devices, Facts, caught, close, places, program, refused, stable_text

SERIALIZATION = "torch/serialization.py"


def saved(value: object) -> io.BytesIO:
    stream = io.BytesIO()
    torch.save(value, stream)
    stream.seek(0)
    return stream


@program({"tag": "cuda:0", "cpu": "cpu"}, source=SERIALIZATION + " location_tag")
def location_tag(devices: Devices) -> Facts:
    """A storage is saved with the name of its device."""
    tag = torch.serialization.location_tag
    return {
        "tag": tag(torch.ones(1, device=devices[0]).untyped_storage()),
        "cpu": tag(torch.ones(1).untyped_storage()),
    }


@program({"device": "cuda:1", "equal": True}, devices=2, source=SERIALIZATION)
def returns_to_its_card(devices: Devices) -> Facts:
    """Without map_location tensors return to their card."""
    x = torch.arange(3.0, device=devices[1])
    y = torch.load(saved(x))
    return {"device": y.device, "equal": torch.equal(x, y)}


@program(
    {
        "text": "cpu",
        "device": "cpu",
        "dict": "cuda:0",
        "function": "cpu",
        "current": "cuda:0",
        "moving function": "cuda:0",
    },
    devices=2,
    source=SERIALIZATION + " docstring",
)
def map_location(devices: Devices) -> Facts:
    """All forms of ``map_location``."""
    forms = {
        "text": "cpu",
        "device": torch.device("cpu"),
        "dict": {"cuda:1": "cuda:0"},
        "function": lambda storage, place: storage,
        "current": "cuda",
        "moving function": lambda storage, place: storage.cuda(0),
    }
    x = torch.ones(1, device=devices[1])
    return {name: torch.load(saved(x), map_location=form).device for name, form in forms.items()}


@program({"device": "cuda:0", "cpu_saved": "cpu"}, source=SERIALIZATION)
def onto_a_card(devices: Devices) -> Facts:
    """What was saved on the CPU can be loaded onto a card, and stays on the CPU otherwise."""
    stream = saved(torch.ones(1))
    host = torch.load(stream)
    stream.seek(0)
    return {"device": torch.load(stream, map_location=devices[0]).device, "cpu_saved": host.device}


@program({"type": "TypeError"}, source="ERRATA E109")
def map_location_is_no_number(devices: Devices) -> Facts:
    """A bare number is no map_location."""
    stream = saved(torch.ones(1, device=devices[0]))
    return {"type": caught(lambda: torch.load(stream, map_location=0))["type"]}


@program(
    {
        "type": "RuntimeError",
        "text": "Attempting to deserialize object on CUDA device 77 but "
        "torch.cuda.device_count() is N. Please use torch.load with map_location to map "
        "your storages to an existing device.",
    },
    source=SERIALIZATION + " _validate_device",
)
def onto_a_missing_card(devices: Devices) -> Facts:
    """A card that is not there is refused with advice."""
    stream = saved(torch.ones(1, device=devices[0]))
    error = caught(lambda: torch.load(stream, map_location="cuda:77"))
    count = f"device_count() is {torch.cuda.device_count()}."
    return {"type": error["type"], "text": error["text"].replace(count, "device_count() is N.")}


@program(
    {
        "text": "RuntimeError: Attempting to deserialize object on a CUDA device but "
        "torch.cuda.is_available() is False. If you are running on a CPU-only machine, "
        "please use torch.load with map_location=torch.device('cpu') to map your storages"
        " to the CPU.",
        "mapped": "cpu",
    },
    source=SERIALIZATION + "; ERRATA E96",
)
def in_a_process_without_cards(devices: Devices) -> Facts:
    """A process that sees no card refuses, and loads with map_location."""
    code = (
        "import os, sys; os.environ['CUDA_VISIBLE_DEVICES'] = ''; import torch\n"
        "try: torch.load(sys.argv[1])\n"
        "except RuntimeError as error: print('RuntimeError:', error)\n"
        "print(torch.load(sys.argv[1], map_location='cpu').device)"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.pt")
        torch.save(torch.ones(1, device=devices[0]), path)
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120
        )
    text, mapped = [*done.stdout.splitlines(), "", ""][:2]
    return {"text": stable_text(text), "mapped": mapped}


@program({"values": [2.0, 3.0], "shared": True}, source=SERIALIZATION)
def sharing_survives(devices: Devices) -> Facts:
    """Views are saved with their storage and share it again."""
    x = torch.arange(5.0, device=devices[0])
    loaded = torch.load(saved({"all": x, "part": x[2:4]}))
    values = loaded["part"].tolist()
    loaded["all"][2] = 9
    return {"values": values, "shared": loaded["part"][0].item() == 9}


@program(
    {
        "keys": ["weight", "bias"],
        "devices": ["cuda:0", "cuda:0"],
        "loaded": "cuda:0",
        "equal": True,
    },
    source=SERIALIZATION,
)
def a_state_dict(devices: Devices) -> Facts:
    """A model's state goes to a file and into a model elsewhere."""
    net = nn.Linear(2, 1).to(devices[0])
    state = torch.load(saved(net.state_dict()))
    fresh = nn.Linear(2, 1).to(devices[0])
    fresh.load_state_dict(torch.load(saved(net.state_dict()), map_location="cpu"))
    return {
        "keys": list(state),
        "devices": places(*state.values()),
        "loaded": fresh.weight.device,
        "equal": torch.equal(fresh.weight, net.weight),
    }


@program({"is_parameter": True, "requires_grad": True, "device": "cuda:0"}, source=SERIALIZATION)
def a_parameter(devices: Devices) -> Facts:
    """A parameter stays a parameter."""
    p = torch.load(saved(nn.Parameter(torch.ones(1, device=devices[0]))))
    return {
        "is_parameter": isinstance(p, nn.Parameter),
        "requires_grad": p.requires_grad,
        "device": p.device,
    }


@program({"refused": "UnpicklingError", "trusted": "cuda:0"}, source="ERRATA E98")
def a_whole_module(devices: Devices) -> Facts:
    """A pickled module is loaded only from a file one trusts."""
    stream = saved(nn.Linear(1, 1).to(devices[0]))
    refusal = caught(lambda: torch.load(stream))["type"]
    stream.seek(0)
    return {"refused": refusal, "trusted": torch.load(stream, weights_only=False).weight.device}


@refused(
    'Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "weight", "bias".'
    ' \n\tUnexpected key(s) in state_dict: "module.weight", "module.bias". ',
    source="torch/nn/modules/module.py; ERRATA E106",
)
def wrapped_state_into_a_plain_model(devices: Devices) -> None:
    """A DataParallel state does not fit its module."""
    net = nn.Linear(1, 1).to(devices[0])
    state = nn.DataParallel(net, [devices[0].index]).state_dict()
    nn.Linear(1, 1).to(devices[0]).load_state_dict(state)


@program({"keys": ["weight", "bias"], "device": "cuda:0"}, source="ERRATA E101")
def removing_the_prefix(devices: Devices) -> Facts:
    """torch's own function removes ``module.``."""
    state = nn.DataParallel(nn.Linear(1, 1).to(devices[0]), [devices[0].index]).state_dict()
    consume_prefix_in_state_dict_if_present(state, "module.")
    return {"keys": list(state), "device": state["weight"].device}


@program({"averages": "cuda:0", "step": "cpu", "continues": True}, source="torch/optim")
def an_optimizer(devices: Devices) -> Facts:
    """Training goes on from a saved optimizer."""
    net = nn.Linear(2, 1).to(devices[0])
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    x = torch.ones(1, 2, device=devices[0])

    def step(model: nn.Module, its: torch.optim.Optimizer) -> None:
        its.zero_grad()
        model(x).sum().backward()
        its.step()

    step(net, optimizer)
    stream = saved([net.state_dict(), optimizer.state_dict()])
    weights, state = torch.load(stream, map_location="cpu")
    twin = nn.Linear(2, 1).to(devices[0])
    restored = torch.optim.Adam(twin.parameters(), lr=0.1)
    twin.load_state_dict(weights)
    restored.load_state_dict(state)
    step(net, optimizer), step(twin, restored)
    kept = restored.state[twin.weight]
    return {
        "averages": kept["exp_avg"].device,
        "step": kept["step"].device,
        "continues": close(net.weight, twin.weight),
    }


@program({"device": "cpu", "generator": True}, source="torch/random.py")
def the_random_state(devices: Devices) -> Facts:
    """A card's random state can be saved and goes back by ``set_rng_state``."""
    stream = saved(torch.cuda.get_rng_state(devices[0]))
    first = torch.rand(3, device=devices[0])
    state = torch.load(stream)
    torch.cuda.set_rng_state(state, devices[0])
    return {
        "device": state.device,
        "generator": torch.equal(torch.rand(3, device=devices[0]), first),
    }
