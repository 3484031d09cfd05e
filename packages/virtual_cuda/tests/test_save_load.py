"""Saving on a card and loading: here, on another card, and in a process without any."""

from __future__ import annotations

import pytest
import torch
from torch import nn

pytestmark = pytest.mark.slow


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "weights.pt"
    net = nn.Linear(3, 2).to("cuda:1")
    torch.save(net.state_dict(), path)
    return net, path


def test_load_returns_to_the_same_card(saved):
    net, path = saved
    loaded = torch.load(path)
    assert {t.device for t in loaded.values()} == {torch.device("cuda:1")}
    assert torch.equal(loaded["weight"], net.weight)


@pytest.mark.parametrize(
    ("map_location", "device"),
    [
        ("cpu", "cpu"),
        ("cuda:2", "cuda:2"),
        ("cuda", "cuda:0"),
        (torch.device("cuda:3"), "cuda:3"),
        ({"cuda:1": "cuda:0"}, "cuda:0"),
        (lambda storage, location: storage, "cpu"),
        (lambda storage, location: storage.cuda(3), "cuda:3"),
    ],
)
def test_map_location(saved, map_location, device):
    net, path = saved
    loaded = torch.load(path, map_location=map_location)
    assert loaded["weight"].device == torch.device(device)
    assert torch.equal(loaded["weight"].cpu(), net.weight.cpu())


def test_a_plain_process_refuses_and_says_what_to_do(saved, run_python):
    net, path = saved
    printed = run_python(f"""
        import torch
        try:
            torch.load({str(path)!r})
        except RuntimeError as error:
            print(error)
        print(torch.load({str(path)!r}, map_location="cpu")["bias"].tolist())
    """)
    stock = (
        "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False."
        " If you are running on a CPU-only machine, please use torch.load with "
        "map_location=torch.device('cpu') to map your storages to the CPU."
    )
    assert printed.splitlines() == [stock, str(net.bias.tolist())]


def test_fewer_cards_than_when_saved(tmp_path, run_python):
    path = tmp_path / "x.pt"
    torch.save(torch.ones(1, device="cuda:3"), path)
    printed = run_python(f"""
        import torch
        import virtual_cuda
        virtual_cuda.enable(1, quiet=True)
        try:
            torch.load({str(path)!r})
        except RuntimeError as error:
            print(error)
    """)
    assert printed.startswith(
        "Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1. "
        "Please use torch.load with map_location to map your storages to an existing device."
    )


def test_tensors_that_share_a_storage_still_do(tmp_path):
    x = torch.arange(10.0, device="cuda:2")
    torch.save({"all": x, "part": x[2:5]}, tmp_path / "x.pt")
    loaded = torch.load(tmp_path / "x.pt")
    assert loaded["part"].tolist() == [2, 3, 4]
    loaded["all"][2] = 9
    assert loaded["part"].tolist() == [9, 3, 4]


def test_state_dicts_load_across_devices():
    source, target = nn.Linear(3, 2), nn.Linear(3, 2).cuda(1)
    target.load_state_dict(source.state_dict())
    assert target.weight.get_device() == 1
    assert torch.equal(target.weight.cpu(), source.weight)


def test_whole_module_and_optimizer(tmp_path):
    net = nn.Linear(3, 2).cuda(1)
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.ones(1, 3, device="cuda:1")).sum().backward()
    optimizer.step()
    torch.save([net, optimizer.state_dict()], tmp_path / "all.pt")
    loaded, state = torch.load(tmp_path / "all.pt", weights_only=False, map_location="cpu")
    assert torch.equal(loaded.weight, net.weight.cpu())
    optimizer.load_state_dict(state)
    assert optimizer.state[net.weight]["exp_avg"].get_device() == 1
