"""A small set of pictures, drawn once, and a workspace that holds them and the programs."""

import shutil
from pathlib import Path

import pytest

from course_utils.experiments.shapes import Plan, draw_shapes

PROGRAMS = Path(__file__).resolve().parents[2] / "notebooks" / "project"


@pytest.fixture(scope="session")
def pictures(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pictures") / "shapes"
    draw_shapes(folder, Plan(train=100, test=10))
    return folder


@pytest.fixture(scope="session")
def few(tmp_path_factory) -> Path:
    """Enough for a run of a second. Four processes cannot share the 18 test pictures evenly."""
    folder = tmp_path_factory.mktemp("few") / "shapes"
    draw_shapes(folder, Plan(train=20, test=3))
    return folder


@pytest.fixture
def home(tmp_path, pictures, monkeypatch) -> Path:
    """The folder `project` of a learner's workspace, which is the current one."""
    home = tmp_path / "project"
    (tmp_path / ".course").mkdir()
    for program in PROGRAMS.glob("*/train.py"):
        (home / program.parent.name).mkdir(parents=True)
        shutil.copy(program, home / program.parent.name)
    (home / "shapes").symlink_to(pictures)
    monkeypatch.delenv("COURSE_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path)
    return home
