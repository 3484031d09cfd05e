"""Machines of the same and of mixed cards: what torch.cuda says, bad requests, shared memory."""

from __future__ import annotations

import re
import warnings

import pytest
import torch

import virtual_cuda
from virtual_cuda import CATALOGUE, DeviceProfile, OtherProcess, card
from virtual_cuda.memory import allocator

pytestmark = pytest.mark.usefixtures("no_machine")
MIB, GIB = 1 << 20, 1 << 30


def enable(*arguments, **settings) -> virtual_cuda.Machine:
    return virtual_cuda.enable(*arguments, quiet=True, **settings)


def test_a_number_of_equal_cards():
    machine = enable(3, "1 GiB")
    assert machine.device_count == 3 and machine.visible_devices == (0, 1, 2)
    assert torch.cuda.device_count() == 3
    assert len({one.uuid for one in machine.devices}) == 3
    assert [one.bus_id for one in machine.devices] == sorted(
        {one.bus_id for one in machine.devices}
    )
    virtual_cuda.disable()
    assert enable(3, "1 GiB") == machine  # nothing about a machine is left to chance


def test_one_profile_for_all():
    enable(2, "3 GiB", profile="A100")
    for index in range(2):
        found = torch.cuda.get_device_properties(index)
        assert (found.name, found.total_memory) == ("Virtual A100-SXM4-40GB", 3 * GIB)
        assert (found.major, found.minor, found.multi_processor_count) == (8, 0, 108)


def test_mixed_cards_in_pci_order():
    machine = enable(
        cards=[
            card("T4", memory="1 GiB", bus_id="00000000:B3:00.0"),
            "H100",
            DeviceProfile("2 GiB", name="Mine", bus_id="00000000:02:00.0", speed_rank=9),
        ]
    )
    assert [one.name for one in machine.devices] == [
        "Mine",
        "Virtual H100 80GB HBM3",
        "Virtual Tesla T4",
    ]
    names = [torch.cuda.get_device_name(i) for i in range(3)]
    assert names == ["Virtual H100 80GB HBM3", "Virtual Tesla T4", "Mine"]  # the fastest first
    assert torch.cuda.get_device_capability(1) == (7, 5)
    assert [torch.cuda.mem_get_info(i)[1] for i in range(3)] == [81079 * MIB, GIB, 2 * GIB]
    assert torch.cuda.is_bf16_supported(including_emulation=False)
    with torch.cuda.device(1):
        assert not torch.cuda.is_bf16_supported(including_emulation=False)
        assert torch.cuda.is_bf16_supported()


def test_identity_of_a_card():
    machine = enable(cards=[card("T4", bus_id="00000001:3B:1F.0"), "T4"])
    found = torch.cuda.get_device_properties(1)
    assert machine.devices[1].bus_id == "00000001:3B:1F.0"
    assert f"GPU-{found.uuid}" == machine.devices[1].uuid
    assert (found.pci_domain_id, found.pci_bus_id, found.pci_device_id) == (1, 0x3B, 0x1F)
    assert f"uuid={found.uuid}, pci_bus_id=59, pci_device_id=31" in repr(found)
    assert repr(found).endswith("L2_cache_size=4MB)")


def test_every_card_of_the_catalogue_says_that_it_is_virtual():
    for name, profile in CATALOGUE.items():
        assert profile.name.startswith("Virtual "), name
        assert profile.pageable_bandwidth < profile.pinned_bandwidth < profile.memory_bandwidth
        assert profile.power < profile.power_limit and profile.driver_reserved > 0
    assert len({profile.speed_rank for profile in CATALOGUE.values()}) == len(CATALOGUE)
    by_speed = sorted(CATALOGUE.values(), key=lambda profile: profile.speed_rank)
    assert [p.peak_flops for p in by_speed] == sorted(
        (p.peak_flops for p in by_speed), reverse=True
    )


def test_data_parallel_warns_of_an_imbalance():
    enable(cards=[card("T4", memory="1 GiB"), card("T4", memory="2 GiB")])
    net = torch.nn.Linear(2, 2).cuda()
    with pytest.warns(UserWarning, match="imbalance between your GPUs.*exclude GPU 0"):
        torch.nn.DataParallel(net)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"device_count": 65}, "device_count=65 is not possible. Choose a whole number from 1 to"),
        ({"device_count": 0}, "device_count=0 is not possible"),
        ({"device_count": -1}, "device_count=-1 is not possible"),
        ({"cards": ["T4"] * 65}, "device_count=65 is not possible"),
        ({"cards": []}, "device_count=0 is not possible"),
        ({"memory": -1}, "memory=-1 is not an amount of memory"),
        ({"memory": "-2 GiB"}, "memory='-2 GiB' is not an amount of memory"),
        ({"memory": 0}, "memory=0 is not an amount of memory"),
        ({"profile": "T5"}, "'T5' is not in the catalogue. Choose one of 'T4'"),
        ({"cards": ["T4"], "device_count": 2}, "cards= already defines the GPUs"),
        ({"cards": ["T4"], "profile": "T4"}, "cards= already defines the GPUs"),
        ({"driver": "latest"}, "driver='latest' is not of the form"),
    ],
)
def test_impossible_machines(settings, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        enable(**settings)
    assert not virtual_cuda.is_enabled()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bus_id": "1A:00.0"}, "bus_id='1A:00.0' is not of the form"),
        ({"uuid": "GPU-12"}, "uuid='GPU-12' is not of the form"),
        ({"memory": "1 GiB", "others": [OtherProcess(7, "2 GiB")]}, "The other processes of"),
    ],
)
def test_impossible_cards(changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        card("T4", **changes)


def test_two_cards_in_one_slot():
    twin = card("T4", bus_id="00000000:1A:00.0")
    with pytest.raises(ValueError, match="Two GPUs of one machine cannot have the same bus_id"):
        enable(cards=[twin, twin])
    # A card without a slot takes one that is free, although this one is the first of the list.
    assert enable(cards=["T4", twin]).devices[0].bus_id == twin.bus_id


def test_the_same_machine_again_changes_nothing_and_another_one_is_refused():
    machine = enable(cards=["T4", "H100"])
    assert enable(cards=["T4", "H100"]) == machine
    with pytest.raises(RuntimeError, match=r"already on \(2 virtual GPUs \(Virtual Tesla T4 14"):
        enable(cards=["T4", "A100"])
    with pytest.raises(RuntimeError, match="already on"):
        enable(cards=["T4", "H100"], driver="470.82.01")


def test_more_memory_than_the_computer_has(capsys):
    virtual_cuda.enable(8, "64 TiB")
    said = capsys.readouterr().out
    assert "Together they have 524288.00 GiB. This computer has" in said
    assert torch.ones(3, device="cuda:7").sum().item() == 3
    # CUDA would find room on the card; the computer has none, and is left alone.
    with pytest.raises(torch.OutOfMemoryError, match=r"has 65536\.00 GiB free. But it uses"):
        torch.empty(63 << 40, dtype=torch.uint8, device="cuda:1")
    with pytest.raises(torch.OutOfMemoryError, match="GPU 1 has a total capacity of 65536"):
        torch.empty(65 << 40, dtype=torch.uint8, device="cuda:1")
    assert torch.cuda.memory_reserved(1) == 0


def test_a_full_computer_is_not_filled_further(monkeypatch):
    enable(1, "2 GiB")
    monkeypatch.setattr(allocator, "host_memory_available", lambda: 300 * MIB)
    torch.empty(299 * MIB, dtype=torch.uint8, device="cuda")
    with pytest.raises(torch.OutOfMemoryError, match=r"which has only 300\.00 MiB left"):
        torch.empty(301 * MIB, dtype=torch.uint8, device="cuda")


def test_other_processes_take_their_part():
    others = [
        OtherProcess(3936, "512 MiB"),
        OtherProcess(99, "128 MiB", "/usr/lib/xorg/Xorg", "G"),
        OtherProcess(4711, 256 * MIB),
    ]
    enable(cards=[card("T4", memory="2 GiB", others=others), card("T4", memory="2 GiB")])
    assert torch.cuda.mem_get_info(0) == ((2048 - 896) * MIB, 2 * GIB)
    assert torch.cuda.mem_get_info(1) == (2 * GIB, 2 * GIB)
    kept = torch.empty(GIB, dtype=torch.uint8, device="cuda:0")
    assert torch.cuda.mem_get_info(0) == (128 * MIB, 2 * GIB)
    text = (
        "Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 2.00 GiB of which 128.00 MiB "
        "is free. Process 3936 has 512.00 MiB memory in use. Process 4711 has 256.00 MiB memory in "
        "use. Including non-PyTorch memory, this process has 1.00 GiB memory in use. Of the"
    )  # processes with windows are not in CUDA's list
    with pytest.raises(torch.OutOfMemoryError, match=re.escape(text)):
        torch.empty(512 * MIB, dtype=torch.uint8, device="cuda:0")
    assert torch.empty(512 * MIB, dtype=torch.uint8, device="cuda:1").get_device() == 1
    del kept
    assert torch.empty(1152 * MIB, dtype=torch.uint8, device="cuda:0").get_device() == 0


def test_a_fraction_does_not_give_what_others_have():
    enable(cards=[card("T4", memory="2 GiB", others=[OtherProcess(5, "1536 MiB")])])
    torch.cuda.set_per_process_memory_fraction(0.5)
    with pytest.raises(torch.OutOfMemoryError, match=r"1\.00 GiB allowed"):
        torch.empty(600 * MIB, dtype=torch.uint8, device="cuda")
    assert torch.empty(500 * MIB, dtype=torch.uint8, device="cuda").is_cuda


def test_torch_accepts_every_card_of_the_catalogue():
    for names in (list(CATALOGUE)[:8], list(CATALOGUE)[8:]):
        enable(cards=names)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert torch.ones(1, device="cuda").item() == 1
            torch.cuda._check_capability()
            torch.cuda._check_cubins()
        virtual_cuda.disable()
