"""CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER: the rules, and when they are read for good."""

from __future__ import annotations

import pytest
import torch

import virtual_cuda
from virtual_cuda import DeviceProfile

pytestmark = pytest.mark.usefixtures("no_machine")

UUIDS = (
    "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
    "GPU-8932aaaa-d72c-4106-c12f-20bd9faed9f6",
    "GPU-1f22a253-c329-dfb7-0db4-e005efb6a4c7",
    "GPU-2c01dfd4-1a3f-4b2c-9d7b-0123456789ab",
)
EQUAL, RANKED = (0, 0, 0, 0), (2, 0, 3, 0)  # speed ranks in PCI order
PCI = "PCI_BUS_ID"


def enable(ranks: tuple[int, ...] = EQUAL) -> None:
    cards = [
        DeviceProfile("1 GiB", name=f"card {number}", uuid=uuid, speed_rank=rank)
        for number, (uuid, rank) in enumerate(zip(UUIDS, ranks, strict=True))
    ]
    virtual_cuda.enable(cards=cards, quiet=True)


def seen_before_and_after_the_start() -> list[int]:
    """nvidia-smi's numbers of cuda:0, cuda:1, …; checks that all of torch.cuda agrees."""
    early = torch.cuda.device_count()
    visible = list(virtual_cuda.machine().visible_devices)
    assert torch.cuda.is_available() == bool(visible)
    assert early == torch.cuda.device_count() == len(visible)
    if visible:
        torch.cuda.init()
        names = [torch.cuda.get_device_name(i) for i in range(len(visible))]
        assert names == [f"card {number}" for number in visible]
    assert torch.cuda.device_count() == len(visible)
    return visible


@pytest.mark.parametrize(
    ("listed", "visible"),
    [
        (None, [0, 1, 2, 3]),
        ("", []),
        ("-1", []),
        ("2", [2]),
        ("2,3", [2, 3]),
        ("3,2", [3, 2]),
        ("0, 3, 2", [0, 3, 2]),
        (" 1", [1]),
        ("0,2,-1,1", [0, 2]),
        ("0,7,1", [0]),
        ("4", []),
        ("1,1", []),
        ("0,1,0", []),
        ("1gpu2,2ampere", [1, 2]),
        ("2;3", [2]),
        ("[2,3]", []),
        ("no", []),
        (UUIDS[2], [2]),
        (f"{UUIDS[3]},{UUIDS[0]}", [3, 0]),
        ("GPU-8932f", [0]),
        ("GPU-8932a,GPU-1f", [1, 2]),
        ("GPU-8932", []),  # two cards begin so
        ("GPU-1f,GPU-8932,GPU-2c", [2]),
        ("GPU-1f,GPU-ffff,GPU-2c", [2]),
        ("GPU-1f,GPU-1f", []),
        (f"GPU-1f,{UUIDS[2]}", []),
        ("GPU-1f,3", [2]),
        ("3,GPU-1f", [3]),
        ("GPU-1f, GPU-2c", [2]),  # torch's parser strips spaces of numbers alone
        ("MIG-8932f937", []),
    ],
)
def test_lists(monkeypatch, listed, visible):
    if listed is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
    enable()
    assert seen_before_and_after_the_start() == visible


@pytest.mark.parametrize("listed", ["2,3", "0, 3, 2", "0,2,-1,1", "", "0,0", "[2,3]", "2;3", "7,1"])
def test_lists_are_read_as_torch_reads_them(monkeypatch, listed):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
    parsed = torch.cuda._parse_visible_devices()
    enable()
    existing = [entry for entry in parsed if entry < 4]
    assert seen_before_and_after_the_start() == (existing if existing == parsed else [])


@pytest.mark.parametrize(
    ("order", "listed", "visible"),
    [
        (None, None, [1, 3, 0, 2]),  # the fastest first, equals in PCI order
        ("FASTEST_FIRST", None, [1, 3, 0, 2]),
        (PCI, None, [0, 1, 2, 3]),
        (None, "2", [0]),  # nvidia-smi's number 2 is another card
        (PCI, "2", [2]),
        (None, "3,0", [2, 1]),
        (PCI, "3,0", [3, 0]),
        (None, "GPU-1f,GPU-8932f", [2, 0]),  # a UUID means one card in every order
        (PCI, "GPU-1f,GPU-8932f", [2, 0]),
    ],
)
def test_orders_of_a_mixed_machine(monkeypatch, order, listed, visible):
    if order is not None:
        monkeypatch.setenv("CUDA_DEVICE_ORDER", order)
    if listed is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
    enable(RANKED)
    assert seen_before_and_after_the_start() == visible


torch_stops_asking_at_the_start = pytest.mark.skipif(
    torch.__version__.startswith("2.11"),
    reason="torch 2.11's device_count() follows the variable even after CUDA has started",
)


@torch_stops_asking_at_the_start
def test_device_count_follows_the_variable_until_cuda_starts(monkeypatch):
    enable()
    for listed, count in (("0", 1), ("0,1,2", 3), ("", 0), ("3,1", 2)):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
        assert torch.cuda.device_count() == count
    assert torch.ones(1, device="cuda").item() == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2")
    monkeypatch.setenv("CUDA_DEVICE_ORDER", PCI)
    assert torch.cuda.device_count() == 2
    assert [torch.cuda.get_device_name(i) for i in range(2)] == ["card 3", "card 1"]


@torch_stops_asking_at_the_start
def test_is_available_freezes_the_list(monkeypatch):
    enable()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert torch.cuda.is_available() and not torch.cuda.is_initialized()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    torch.cuda.init()
    assert torch.cuda.device_count() == 1 and torch.cuda.get_device_name() == "card 1"


def test_is_available_by_nvml_does_not(monkeypatch):
    enable()
    monkeypatch.setenv("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert torch.cuda.is_available()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    assert torch.cuda.get_device_name() == "card 2"


def test_asking_for_the_machine_or_nvidia_smi_freezes_nothing(monkeypatch):
    enable()
    virtual_cuda.machine()
    virtual_cuda.nvidia_smi()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    assert virtual_cuda.machine().visible_devices == (3,)
    assert torch.cuda.get_device_name() == "card 3"


def test_hidden_cards_do_not_exist(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    enable()
    assert torch.ones(1, device="cuda:1").get_device() == 1
    with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
        torch.ones(1, device="cuda:2")
    with pytest.raises(AssertionError, match="Invalid device id"):
        torch.cuda.get_device_properties(2)
    torch.ones(1 << 20, device="cuda:1")
    assert torch.cuda.memory_reserved(0) == 0


def test_no_card_is_visible(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    enable()
    assert not torch.cuda.is_available() and torch.cuda.device_count() == 0
    with pytest.raises(RuntimeError, match="No CUDA GPUs are available"):
        torch.ones(1, device="cuda")
