"""A small set of pictures, drawn once, and a workspace with them and the programs."""

from pathlib import Path

import pytest

from course_utils.manifest import repository_root
from course_utils.program.holes import after
from course_workspace.deliver import prepare
from lesson_parts.shapes import Plan, draw_shapes

from .programs import written


@pytest.fixture(scope="session")
def few(tmp_path_factory) -> Path:
    """The folder of a few pictures, enough for a run of a second."""
    folder = tmp_path_factory.mktemp("few") / "shapes"
    draw_shapes(folder, Plan(train=20, test=3))
    return folder


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> Path:
    """The folder of the finished program."""
    return written(tmp_path_factory.mktemp("whole"), after("13"))


@pytest.fixture(scope="session")
def delivered(tmp_path_factory) -> Path:
    """A workspace as `course lab` makes it, to be copied."""
    workspace = tmp_path_factory.mktemp("delivered") / "workspace"
    prepare(repository_root(), workspace)
    return workspace
