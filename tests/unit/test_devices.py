"""lab(): real GPUs where there are enough, else virtual ones, and always a sentence."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Sequence

import pytest
import torch

import virtual_cuda
from course_utils import devices
from course_utils.devices import Lab, current_lab, lab
from course_utils.errors import CourseError
from virtual_cuda.platform import probe, switches

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """No lab and no virtual GPUs before and after each test, and no real ones either."""
    virtual_cuda.disable()
    monkeypatch.setattr(devices, "_lab", None)
    if torch.cuda.is_available():
        pytest.skip("these tests play a computer without GPUs")
    yield
    gc.collect()
    virtual_cuda.disable()


class _Machine:
    def __init__(self, count):
        self.visible_devices = range(count)


SENTENCE = (
    "4 virtual GPUs (cuda:0 … cuda:3) on this computer's CPU: "
    "results equal CUDA's up to rounding; "
    "random numbers, speed and the moment of some errors differ.\n"
)


def test_virtual_lab(capsys):
    assert current_lab() is None
    gpus = lab()
    assert capsys.readouterr().out == SENTENCE
    assert isinstance(gpus, Sequence) and gpus.kind == "virtual"
    assert list(gpus) == [torch.device("cuda", i) for i in range(4)]
    assert gpus[1:3] == (torch.device("cuda:1"), torch.device("cuda:2"))
    assert current_lab() is gpus
    assert torch.ones(2, device=gpus[3]).get_device() == 3


def test_twice_prints_twice_and_keeps_tensors(capsys):
    x = torch.ones(2, device=lab()[1])
    assert lab() == current_lab()
    assert capsys.readouterr().out == SENTENCE * 2
    assert (x + 1).tolist() == [2, 2]


def test_another_size(capsys):
    lab(4)
    two = lab(2, memory="1 GiB")
    assert len(two) == torch.cuda.device_count() == 2
    assert torch.cuda.mem_get_info(0)[1] == 1 << 30
    assert "2 virtual GPUs (cuda:0, cuda:1) on" in capsys.readouterr().out
    lab(1)
    assert "1 virtual GPU (cuda:0) on" in capsys.readouterr().out


def test_another_size_while_tensors_live():
    x = torch.ones(2, device=lab(4)[0])
    with pytest.raises(CourseError, match=r"Tensors are still on the virtual GPUs.*restart"):
        lab(2)
    assert len(current_lab()) == 4 and (x + 1).tolist() == [2, 2]
    del x
    assert len(lab(2)) == 2


def test_lab_over_a_machine_that_is_already_on():
    virtual_cuda.enable(3, "2 GiB", quiet=True)
    assert len(lab(3)) == 3


def test_lab_ends_with_virtual_cuda():
    lab(2)
    virtual_cuda.disable()
    assert current_lab() is None


@pytest.mark.parametrize("count", [0, -1, 65, "4", 2.0, True, None])
def test_impossible_sizes_are_one_sentence(count):
    with pytest.raises(CourseError, match=repr(count)):
        lab(count)


@pytest.mark.parametrize("memory", ["", "much", 2.5, "-1 GiB"])
def test_impossible_memory_is_one_sentence(memory):
    with pytest.raises(CourseError, match="memory"):
        lab(2, memory=memory)


def test_other_arguments_are_one_sentence():
    with pytest.raises(CourseError, match=r"unexpected keyword argument 'gpu'\). Write `lab\("):
        lab(gpu=4)


def test_hidden_by_the_environment(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    with pytest.raises(CourseError, match="leaves 1 of 4 GPUs visible"):
        lab(4)


def test_unavailable_is_one_sentence(monkeypatch):
    monkeypatch.setattr("sys.platform", "sunos5")
    with pytest.raises(
        CourseError, match=r"do not support the system sunos5.*container or on Binder"
    ):
        lab(4)


def test_enough_real_gpus(monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert lab(2) == Lab("real", (torch.device("cuda:0"), torch.device("cuda:1")))
    assert capsys.readouterr().out == "2 real GPUs (cuda:0, cuda:1).\n"
    assert not virtual_cuda.is_enabled() and current_lab().kind == "real"


def test_too_few_real_gpus_are_named_as_hidden(monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(virtual_cuda, "enable", lambda count, *_, **__: _Machine(count))
    lab(4)
    assert capsys.readouterr().out == (
        f"{SENTENCE[:-1]} This computer's 1 real GPU cannot be used in this process: "
        "lab() needs 4, and a process has GPUs of one kind.\n"
    )


def test_too_few_real_gpus_after_cuda_has_started(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "_initialized", True)
    with pytest.raises(CourseError, match=r"already uses real GPUs, and has 1 of the 4.*Restart"):
        lab(4)


@pytest.mark.parametrize(("system", "wsl"), [("darwin", False), ("win32", True)])
def test_where_virtual_gpus_are_not_possible_the_ways_that_work_are_named(
    monkeypatch, tmp_path, system, wsl
):
    monkeypatch.delenv(probe.VARIABLE, raising=False)
    monkeypatch.setattr(probe, "combination", lambda: ("9.9", "cpython-399", "plan9", "vax"))
    monkeypatch.setattr(probe, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(probe, "try_in_child", lambda: "its trial failed")
    monkeypatch.setattr(switches, "HAS_CUDA_BUILD", False)
    monkeypatch.setattr(devices.sys, "platform", system)
    with pytest.raises(CourseError) as caught:
        lab(4)
    assert str(caught.value) == (
        "This computer has fewer than 4 GPUs, and virtual GPUs do not work on it "
        "(its trial failed). Use the course in "
        f"{'WSL, in ' if wsl else ''}a container or on Binder. "
        "Exercises that need no device are checked here."
    )


def test_importing_changes_nothing():
    code = (
        "import torch\n"
        "before = dict(vars(torch._C)), dict(vars(torch.cuda))\n"
        "import course_utils.devices\n"
        "print(before == (dict(vars(torch._C)), dict(vars(torch.cuda))))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert printed == "True\n"
