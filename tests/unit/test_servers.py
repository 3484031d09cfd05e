"""The shared server of lesson 01, its nvidia-smi, and train.py on it."""

import re

import pytest
import torch

from course_utils.experiments.children import run_bare_child
from course_utils.manifest import repository_root
from lesson_parts.lesson01 import train_on_server

pytestmark = pytest.mark.slow

LOG_IN = "from lesson_parts.hosts import log_in; log_in('porto')\n"


def on_server(code: str) -> str:
    """What a program prints that logs in first, after what that says."""
    return run_bare_child(LOG_IN + code).partition("\n")[2]


def test_the_lesson_quotes_what_the_server_prints():
    code = (
        "import subprocess, torch; x = torch.ones(2, device='cuda:1'); subprocess.run('nvidia-smi')"
    )
    printed = on_server(code)
    text = repository_root() / "notebooks/text/01_know_your_machine.py"
    heading, row = re.findall(r"^# (\| .* \|)$", text.read_text("utf-8"), re.MULTILINE)
    assert heading in printed and row in printed


def test_the_first_card_is_full_and_the_error_says_by_whom():
    code = 'import torch; torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")'
    said = on_server(code)
    assert "OutOfMemoryError" in said and "Process 48213 has 38.00 GiB" in said


def test_a_check_finds_the_gpus_of_the_server_good_enough():
    code = (
        "import torch; kept = torch.ones(2, device='cuda:3')\n"
        "from course_utils.checking.practice import use_virtual_gpus as use; print(use())\n"
        "print(torch.cuda.get_device_name(3))"
    )
    assert on_server(code).splitlines() == ["True", "Virtual GeForce RTX 2080 Ti"]


def pick_device(wanted):
    return torch.device(wanted)


@pytest.mark.more
def test_train_py_computes_where_it_is_told_once_it_has_a_part_of_its_own(capsys):
    train_on_server("--device cuda:1")
    refused = capsys.readouterr().out
    assert "knows only the CPU until lesson 01" in refused and len(processes(refused)) == 3
    losses = []
    for device, found in (("cpu", 3), ("cuda:1", 4)):
        train_on_server(f"--device {device}", pick_device)
        told = capsys.readouterr().out
        (pid,) = re.findall(r"train.py has the PID (\d+)", told)
        assert (pid in processes(told)) == (device != "cpu") and len(processes(told)) == found
        losses.append(re.findall(r"loss (\S+),", told))
    assert losses[0] == losses[1] and len(losses[0]) == 2


def processes(told: str) -> list[str]:
    """Who computes, by the table of nvidia-smi."""
    return re.findall(r"[\r\n]\| +\d +N/A  N/A +(\d+) +C ", told)  # a bar was there before
