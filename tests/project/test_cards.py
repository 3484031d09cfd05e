"""`take_cards` of train.py: the freest cards of a shared machine, or a sentence and the end."""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

import virtual_cuda
from lesson_parts.project import names
from virtual_cuda import DeviceProfile, OtherProcess

MIB = 1 << 20


@pytest.fixture
def taken(monkeypatch) -> Callable[[int], list[str]]:
    """Take cards, and return their UUIDs."""
    take_cards = names("06").take_cards
    monkeypatch.delenv("WORLD_SIZE", raising=False)

    def take(wanted: int) -> list[str]:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        take_cards(wanted)
        return os.environ.pop("CUDA_VISIBLE_DEVICES").split(",")

    return take


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Put a shell script in the place of the command."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def put(script: str) -> None:
        (tmp_path / "nvidia-smi").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "nvidia-smi").chmod(0o755)

    return put


def shared(*held: int, busy: int = 0):
    """A machine whose cards have 2 GiB, and processes of other people that hold so many MiB.

    busy: the utilisation of the last card, in percent.
    """
    others = [(OtherProcess(4000 + n, mib * MIB),) if mib else () for n, mib in enumerate(held)]
    cards = [DeviceProfile("2 GiB", others=each) for each in others]
    cards[-1] = replace(cards[-1], utilization=busy)
    return virtual_cuda.enabled(cards=cards, quiet=True, hide_real_gpus=True)


@pytest.mark.parametrize(
    ("held", "order"),
    (
        ((900, 30, 1500, 200), (1, 3, 0, 2)),
        ((500, 0, 500, 0), (1, 3, 0, 2)),  # of equals the lower number first
        ((50, 1000, 999, 0), (3, 0, 2, 1)),  # as numbers, and not as texts
    ),
)
def test_the_freest_first(taken, held, order):
    with shared(*held), virtual_cuda.install_nvidia_smi():
        cards = [card.uuid for card in virtual_cuda.machine().devices]
        wanted = [cards[number] for number in order]
        assert taken(4) == wanted
        assert taken(2) == wanted[:2]


@pytest.mark.parametrize(("busy", "order"), ((9, (3, 1, 0, 2)), (10, (1, 0, 2, 3))))
def test_idle_cards_come_before_busy_ones(taken, busy, order):
    with shared(50, 40, 999, 20, busy=busy), virtual_cuda.install_nvidia_smi():
        cards = [card.uuid for card in virtual_cuda.machine().devices]
        assert taken(4) == [cards[number] for number in order]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "why"),
    (
        ("echo NVIDIA-SMI has failed; exit 9", "returned non-zero exit status 9"),
        ("echo No devices were found", "tells of 0"),
        ("exit 0", "tells of 0"),
        ("echo '0, [N/A], GPU-1'", "tells of 0"),
        ("exec sleep 60", "timed out after 10 seconds"),
    ),
)
def test_an_answer_that_is_none_is_one_sentence(taken, nvidia_smi, script, why):
    nvidia_smi(script)
    with pytest.raises(SystemExit) as end:
        taken(1)
    assert why in str(end.value) and "\n" not in str(end.value)


def test_without_nvidia_smi_no_card_is_taken(taken, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"No such file or directory: 'nvidia-smi'"):
        taken(1)
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
