"""The shared server of lesson 01, the picture of its nvidia-smi, and train.py on it."""

import re

import pytest
import torch

from course_utils import explore
from course_utils.errors import CourseError
from course_utils.experiments.children import run_bare_child
from lesson_parts.lesson01 import train_on_server
from lesson_parts.lesson01.nvidia_smi import SYSTEMS, fields, places, smi_map, table

pytestmark = pytest.mark.slow

LOG_IN = "from lesson_parts.hosts import log_in; log_in('porto')\n"


def on_server(code: str) -> str:
    """What a program prints that logs in first, after what that says."""
    return run_bare_child(LOG_IN + code).partition("\n")[2]


def test_the_picture_shows_what_the_server_prints():
    printed = on_server("import subprocess; subprocess.run('nvidia-smi')").splitlines()
    assert [line.rstrip() for line in printed[1:]] == list(table("Linux"))[1:]  # but for the time


def test_the_first_card_is_full_and_the_error_says_by_whom():
    code = 'import torch; torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")'
    said = on_server(code)
    assert "OutOfMemoryError" in said and "Process 48213 has 38.00 GiB" in said


def test_a_check_finds_the_gpus_of_the_server_good_enough():
    code = (
        "import torch; kept = torch.ones(2, device='cuda:3')\n"
        "from course_utils.checking.practice import use_devices; print(use_devices())\n"
        "print(torch.cuda.get_device_name(3))"
    )
    assert on_server(code).splitlines() == ["4 virtual GPUs", "Virtual GeForce RTX 2080 Ti"]


def pick_device(wanted):
    return torch.device(wanted)


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
    return re.findall(r"^(\d+), \d+ MiB$", told, re.MULTILINE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_is_marked_at_its_heading_and_its_values(system):
    lines = table(system)
    cards = sum(re.match(r"\|   \d  \S", line) is not None for line in lines)
    processes = sum(re.match(r"\|    \d   N/A", line) is not None for line in lines)
    assert cards and processes
    once = {"timestamp", "tool", "driver", "cuda"}
    rows = {"gi": 2 + processes, "usage": 2 + processes, "gpu": 2 + cards + processes}
    of_a_process = dict.fromkeys(("pid", "type", "process"), 1 + processes)
    for field in fields():
        expected = 1 if field.key in once else {**rows, **of_a_process}.get(field.key, 1 + cards)
        marked = [lines[line][first:last] for line, first, last in places(field.key, lines)]
        assert len(marked) == expected, field
        assert all(text == text.strip() for text in marked)


def test_a_marked_field_is_told_in_words():
    picture = smi_map("Windows", [field.key for field in fields()].index("usage") + 1)
    assert "marked at 'GPU Memory', 'Usage', 'N/A', 'N/A', 'N/A'" in picture.alt
    assert "It does not mean 0." in picture.alt and picture.png()[:4] == b"\x89PNG"


def test_the_explorer_shows_the_picture():
    assert repr(explore("smi", field=15, system="Linux")) == smi_map("Linux", 15).alt


@pytest.mark.parametrize(("system", "number"), [("macOS", 1), ("Linux", 0), ("Linux", 24)])
def test_what_is_not_in_the_table_is_refused(system, number):
    with pytest.raises(CourseError, match="give 1 to 23, and Linux or Windows"):
        smi_map(system, number)
