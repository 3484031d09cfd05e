"""`train.py --gpus freest`: the freest cards of a shared machine, or a sentence and the end."""

import os
import runpy
import subprocess
import sys
from collections.abc import Callable

import pytest

import virtual_cuda
from course_utils.errors import CourseError
from lesson_parts.project import STAGES, train
from virtual_cuda import DeviceProfile, OtherProcess

from .conftest import PROGRAMS, run_here

MIB = 1 << 20
Freest = Callable[[int], str]


@pytest.fixture
def freest() -> Freest:
    return runpy.run_path(str(PROGRAMS / "06" / "train.py"))["freest"]


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Put a shell script in the place of the command."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def put(script: str) -> None:
        (folder / "nvidia-smi").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "nvidia-smi").chmod(0o755)

    return put


def shared(*taken: int):
    """A machine whose cards have 2 GiB, and processes of other people that hold so many MiB."""
    others = [(OtherProcess(4000 + n, mib * MIB),) if mib else () for n, mib in enumerate(taken)]
    cards = [DeviceProfile("2 GiB", others=held) for held in others]
    return virtual_cuda.enabled(cards=cards, quiet=True, hide_real_gpus=True)


def uuids() -> list[str]:
    return [card.uuid for card in virtual_cuda.machine().devices]


@pytest.mark.parametrize(
    ("taken", "order"),
    (
        ((900, 30, 1500, 200), (1, 3, 0, 2)),
        ((500, 0, 500, 0), (1, 3, 0, 2)),  # of equals the lower number first
        ((50, 1000, 999, 0), (3, 0, 2, 1)),  # as numbers, and not as texts
    ),
)
def test_the_freest_first(freest, taken, order):
    with shared(*taken), virtual_cuda.install_nvidia_smi():
        wanted = [uuids()[number] for number in order]
        assert freest(4) == ",".join(wanted)
        assert freest(2) == ",".join(wanted[:2])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "why"),
    (
        ("echo NVIDIA-SMI has failed; exit 9", "returned non-zero exit status 9"),
        ("echo No devices were found", "it says 'No devices were found"),
        ("exit 0", "it says ''"),
        ("echo 'GPU-1, [N/A]'", "[N/A]"),
        ("echo 'GPU-1, 300 MiB'", "300 MiB"),
        (r"printf 'GPU-\377, 300\n'", "can't decode byte"),
        ("exec sleep 60", "timed out after 10 seconds"),
    ),
)
def test_an_answer_that_is_none_is_one_sentence(freest, nvidia_smi, capfd, script, why):
    nvidia_smi(script)
    with pytest.raises(SystemExit) as end:
        freest(1)
    sentence = str(end.value)
    assert sentence.startswith("nvidia-smi does not tell the freest cards (")
    assert why in sentence and sentence.endswith("): choose, as in --gpus 0")
    assert "\n" not in sentence


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES[STAGES.index("06") :])
def test_without_nvidia_smi_no_card_is_taken(stage, few, tmp_path, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ("--gpus", "freest", "--data", few, "--out", tmp_path / "out", "--epochs", "1")
    with (
        virtual_cuda.enabled(4, quiet=True, hide_real_gpus=True),
        pytest.raises(SystemExit, match=r"No such file or directory: 'nvidia-smi'\): choose"),
    ):
        run_here(stage, *words, monkeypatch=monkeypatch)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("taken", "order"), (((900, 30, 1500, 200), (1, 3)), ((30, 900, 200, 1500), (0, 2)))
)
def test_train_asks_the_machine_of_this_process(home, few, capsys, taken, order):
    """As it is now: the second time, the process whose forks are programs is there already."""
    with shared(*taken):
        first, second = (uuids()[number] for number in order)
        try:
            train("06", "--gpus", "freest:2", "--data", str(few), gpus=4, epochs=1)
        finally:
            virtual_cuda.install_nvidia_smi().close()
    printed = capsys.readouterr().out
    assert f"CUDA_VISIBLE_DEVICES: {first},{second}\n" in printed
    assert f"cuda:0 is Virtual CUDA device (runs on the CPU), {first}\n" in printed


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ("freest:5", "freest:0"))
def test_more_cards_than_there_are_or_no_number_is_refused(home, wanted, monkeypatch):
    monkeypatch.setenv("VIRTUAL_CUDA", "2")
    monkeypatch.setenv("VIRTUAL_CUDA_NVIDIA_SMI", "1")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    script = [sys.executable, home / "06" / "train.py", "--gpus", wanted]
    done = subprocess.run(script, cwd=home, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith(f"--gpus {wanted}: not all of these cards are there\n")


@pytest.mark.slow
def test_a_variable_that_is_set_already_stays(home):
    with pytest.raises(CourseError, match="cards were given in CUDA_VISIBLE_DEVICES already"):
        train("06", "--gpus", "freest")
