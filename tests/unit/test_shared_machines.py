"""Machines that several people use: what they are, and what a rush does."""

import os
import subprocess

import pytest

import virtual_cuda
from course_utils import devices
from course_utils.errors import CourseError
from lesson_parts.hosts import Turn, cards_now, log_in, rush

VARIABLES = (
    "PATH",
    "VIRTUAL_CUDA",
    "VIRTUAL_CUDA_HIDE_REAL_GPUS",
    "VIRTUAL_CUDA_NVIDIA_SMI",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
)


@pytest.fixture(autouse=True)
def another_machine(monkeypatch):
    """Each test may log in where it likes; afterwards everything is as before."""
    was = virtual_cuda.machine() if virtual_cuda.is_enabled() else None
    for name in VARIABLES:
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setattr(devices, "_lab", devices.current_lab())
    with virtual_cuda.install_nvidia_smi():
        yield
    virtual_cuda.disable()
    if was is not None:
        virtual_cuda.enable(cards=was.devices, driver=was.driver, quiet=True, hide_real_gpus=True)


def asked(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["nvidia-smi", *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("name", ["lima", "porto", "porto on Monday"])
def test_cards_now_says_what_nvidia_smi_says(name):
    log_in(name)
    query = "--query-gpu=index,uuid,memory.free,utilization.gpu"
    told = asked(query, "--format=csv,noheader,nounits").stdout.splitlines()
    assert told == [f"{c.number}, {c.uuid}, {c.free}, {c.busy}" for c in cards_now()]


def test_a_card_keeps_its_uuid_when_it_moves():
    log_in("porto")
    before = [card.uuid for card in cards_now()]
    log_in("porto on Monday")
    assert [card.uuid for card in cards_now()] == [before[3], *before[:3]]


@pytest.mark.more
def test_a_script_that_a_command_starts_sees_these_cards(tmp_path):
    log_in("porto on Monday")
    (tmp_path / "job.py").write_text("import torch; print(torch.cuda.get_device_name(0))")
    for order, name in (("FASTEST_FIRST", "A100"), ("PCI_BUS_ID", "RTX 2080 Ti")):
        command = f"CUDA_DEVICE_ORDER={order} python {tmp_path / 'job.py'}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        assert name in done.stdout, done.stderr


def test_a_machine_without_a_driver_has_an_nvidia_smi_that_fails():
    log_in("quito")
    assert asked("-L").returncode == 9


def test_what_was_set_for_other_cards_does_not_count(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    log_in("lima")
    assert virtual_cuda.machine().visible_devices == (1, 2, 3, 0)  # the fastest first


def test_an_unknown_machine_is_refused_in_a_sentence():
    with pytest.raises(CourseError, match=r"no machine 'rome'\. The machines are lima, quito,"):
        log_in("rome")


def freest() -> str:
    return max(cards_now(), key=lambda card: card.free).uuid


def test_two_who_look_at_once_choose_one_card_and_a_third_sees_what_was_taken():
    log_in("lima")
    first, second, third = rush(freest, {"Emil": 0, "Fay": 3, "Gil": 9}, needs=12_000, startup=8)
    assert first == Turn("Emil", 0, 2, 20_859, 8, 20_859, 12_000) and first.fits
    assert second == Turn("Fay", 3, 2, 20_859, 11, 8_859, 12_000) and not second.fits
    assert (third.card, third.saw, third.fits) == (0, 12_695, True)


def test_two_who_start_together_run_a_line_each_in_turn(tmp_path):
    def looks_first() -> str:
        card = next(card.uuid for card in cards_now() if not (tmp_path / card.uuid).exists())
        (tmp_path / card).touch()
        return card

    log_in("lima")
    turns = rush(looks_first, {"Emil": 0, "Fay": 0, "Gil": 5}, needs=1_000, startup=8)
    assert [turn.card for turn in turns] == [0, 0, 1]


def test_a_rush_leaves_the_machine_as_it_was():
    log_in("lima")
    before = cards_now()
    rush(freest, {"Emil": 0}, needs=1_000, startup=1)
    assert cards_now() == before
    with pytest.raises(CourseError, match="No card of this machine has the UUID 'GPU-2'"):
        rush(lambda: "GPU-2", {"Emil": 0}, needs=1_000, startup=1)
    assert cards_now() == before
