"""A small set of pictures, drawn once, and a workspace that holds them and the programs."""

import contextlib
import io
import os
import runpy
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from course_utils.manifest import repository_root
from course_utils.program.holes import after
from course_utils.workspace.deliver import prepare
from lesson_parts.project import TrainingRun, train
from lesson_parts.shapes import Plan, draw_shapes

from .programs import written

PROGRAMS = Path(__file__).resolve().parents[2] / "notebooks" / "project"
SMALL_STEPS = ("--workers", "0", "--batch", "8", "--repeatable")
EPOCHS = 4


@pytest.fixture(scope="session")
def pictures(tmp_path_factory) -> Path:
    """Four processes cannot share the 66 test pictures evenly."""
    folder = tmp_path_factory.mktemp("pictures") / "shapes"
    draw_shapes(folder, Plan(train=100, test=11))
    return folder


@pytest.fixture(scope="session")
def few(tmp_path_factory) -> Path:
    """Enough for a run of a second."""
    folder = tmp_path_factory.mktemp("few") / "shapes"
    draw_shapes(folder, Plan(train=20, test=3))
    return folder


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> Path:
    """The folder of the program as it is in the end."""
    return written(tmp_path_factory.mktemp("whole"), after("12"))


@pytest.fixture(scope="session")
def delivered(tmp_path_factory) -> Path:
    """A workspace as `course lab` makes it: to be copied."""
    workspace = tmp_path_factory.mktemp("delivered") / "workspace"
    prepare(repository_root(), workspace)
    return workspace


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """The model is so small that threads would spend their time waiting for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def home(tmp_path, pictures, monkeypatch) -> Path:
    """The folder `project` of a learner's workspace, which is the current one."""
    return make_home(tmp_path, pictures, monkeypatch)


def make_home(folder: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder / ".course").mkdir()
    for program in PROGRAMS.glob("*/train.py"):
        (folder / "project" / program.parent.name).mkdir(parents=True)
        shutil.copy(program, folder / "project" / program.parent.name)
    (folder / "project" / "shapes").symlink_to(pictures)
    monkeypatch.delenv("COURSE_WORKSPACE", raising=False)
    monkeypatch.chdir(folder)
    return folder / "project"


def run_here(stage: str, *words: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a version in this process: another one would need longer to start than to train."""
    monkeypatch.setattr(sys, "argv", ["train.py", *map(str, words)])
    monkeypatch.setattr(os, "register_at_fork", lambda **functions: None)  # it would stay
    on_sigterm = signal.getsignal(signal.SIGTERM)
    try:
        runpy.run_path(str(PROGRAMS / stage / "train.py"), run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
    finally:
        signal.signal(signal.SIGTERM, on_sigterm)


@pytest.fixture(scope="session")
def on_four(tmp_path_factory, pictures) -> tuple[TrainingRun, str]:
    """Version 12 on four virtual GPUs, whole, and what it printed."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as monkeypatch, contextlib.redirect_stdout(printed):
        make_home(tmp_path_factory.mktemp("four"), pictures, monkeypatch)
        run = train("12", *SMALL_STEPS, gpus=4, epochs=EPOCHS)
    return run, printed.getvalue()
