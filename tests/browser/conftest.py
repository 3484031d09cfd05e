"""A learner's JupyterLab, started with `course lab` on a workspace of its own, and a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from in_browser import take_picture
from lab_server import COURSE, serving

from tests.chromium import chromium


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("learner") / "workspace"


@pytest.fixture(scope="module")
def server(workspace) -> Iterator[tuple[str, str]]:
    """`course lab` on a workspace of its own: its address, and its token."""
    variables = {
        "COURSE_WORKSPACE": str(workspace),
        "JUPYTERLAB_SETTINGS_DIR": str(workspace.parent / "settings"),
    }  # nobody's theme
    with serving(
        [COURSE, "lab", "--LabApp.expose_app_in_browser=True"], workspace.parent, variables
    ) as served:
        yield served


@pytest.fixture
def page(server, request):
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        take_picture(page, request.node.name)
