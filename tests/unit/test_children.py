"""Child processes with another environment: what they see, and what stays as it was here."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils.devices import Lab
from course_utils.errors import CourseError
from course_utils.experiments import children
from course_utils.experiments.children import (
    Sight,
    WatchedLine,
    commands_use_lab,
    look,
    run_bare_child,
    run_child,
    watch,
)

pytestmark = pytest.mark.slow

COUNT = "import torch; print(torch.cuda.device_count())"
NAME = "CUDA_VISIBLE_DEVICES"


def test_a_child_has_four_cards_and_its_own_value(monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    before = dict(os.environ)
    assert run_child(COUNT, CUDA_VISIBLE_DEVICES="2,3") == "2"
    assert dict(os.environ) == before
    monkeypatch.setenv(NAME, "1")
    assert run_child(COUNT) == "1"
    assert run_child(COUNT, CUDA_VISIBLE_DEVICES=None) == "4"


def test_an_error_is_told_without_its_traceback(capfd):
    told = run_child(
        'print("first")\nimport torch; torch.ones(1, device="cuda:2")', CUDA_VISIBLE_DEVICES="2,3"
    )
    first, error, *_ = told.splitlines()
    assert (first, error) == ("first", "torch.AcceleratorError: CUDA error: invalid device ordinal")
    assert "Traceback" not in told
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("said", ["epoch 1", "第一"])
def test_what_a_child_prints_can_be_seen_before_it_goes_on(tmp_path, monkeypatch, said):
    """It waits for a file that is made once its line is there."""
    seen = []

    def show(text: str) -> None:
        seen.append(text)
        if text == said:
            (tmp_path / "go").touch()

    monkeypatch.setattr(children, "_PATIENCE", 60)
    code = (
        f"import os, time\nprint({said!r})\nwhile not os.path.exists({str(tmp_path / 'go')!r}):\n"
        "    time.sleep(0.01)\nprint('end')"
    )
    assert run_bare_child(code, show=show) == f"{said}\nend" and seen == [said, "end"]


def test_look_tells_the_cards_of_each_setting(monkeypatch):
    monkeypatch.setenv(NAME, "1")
    nothing, some = look(
        {}, {NAME: "2", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, cards=["T4", "A100", "RTX 3090"]
    )
    names = ("Virtual Tesla T4", "Virtual A100-SXM4-40GB", "Virtual GeForce RTX 3090")
    assert nothing == Sight("nothing set", names, (2, 1, 0))
    assert len({uuid for uuid in nothing.uuids if uuid.startswith("GPU-")}) == 3
    assert some == Sight(f'{NAME}="2" CUDA_DEVICE_ORDER="PCI_BUS_ID"', names, (2,))


def test_watch_tells_when_the_variable_was_read():
    lines = [
        "import torch",
        f'os.environ["{NAME}"] = "1"',
        "torch.cuda.device_count()",
        "print('[no step]', torch.cuda.is_available())",
        f'del os.environ["{NAME}"]',
    ]
    assert watch(lines, start="2,3") == [
        WatchedLine(lines[0], "2,3", False, (2, 3)),
        WatchedLine(lines[1], "1", False, (1,)),
        WatchedLine(lines[2], "1", False, (1,)),
        WatchedLine(lines[3], "1", True, (1,)),
        WatchedLine(lines[4], None, True, (1,)),
    ]


def test_a_watched_line_that_fails_is_told():
    with pytest.raises(CourseError, match="stopped early: ZeroDivisionError: division by zero"):
        watch(["import torch", "1 / 0", "torch.cuda.init()"])


def test_a_bare_child_has_only_what_the_computer_has():
    assert run_bare_child("import sys; print('course_utils' in sys.modules)") == "False"


@pytest.mark.parametrize(
    "value, cards, real", [(None, None, True), ("0,1", None, False), (None, ["T4"], False)]
)
def test_real_cards_are_used_where_nobody_chose_among_them(monkeypatch, value, cards, real):
    monkeypatch.setattr(children, "current_lab", lambda: Lab("real", ()))
    monkeypatch.delenv(NAME, raising=False)
    if value is not None:
        monkeypatch.setenv(NAME, value)
    assert children._real(cards) is real


@pytest.fixture
def environment(monkeypatch):
    """This process's environment, which is restored afterwards."""
    monkeypatch.delenv(NAME, raising=False)
    for name in ("PATH", *children._FOR_COMMANDS):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    return monkeypatch


def test_a_command_finds_this_python_and_the_gpus_of_a_child(environment):
    environment.setenv("PATH", os.defpath)
    environment.setattr(children, "current_lab", lambda: None)
    commands_use_lab()
    command = f"{NAME}=2,3 {Path(sys.executable).name} -c {shlex.quote(COUNT)}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2\n", "")
    assert len(look({}, cards=["T4", "A100"])[0].cards) == 2  # as in a process of its own


def test_commands_keep_real_gpus(environment):
    environment.setattr(children, "current_lab", lambda: Lab("real", ()))
    commands_use_lab()
    assert os.environ["VIRTUAL_CUDA"] == ""
