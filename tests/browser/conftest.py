"""A learner's JupyterLab, started once with `course lab`, and a browser for each test.

The folder has a space and Chinese characters in its name.
"""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_browser import a_page, take_picture
from lab_server import course_lab
from playwright.sync_api import Browser, Page

from lesson_parts.shapes import Plan, draw_shapes
from tests.chromium import chromium


@pytest.fixture(scope="session")
def workspace(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("learner") / "我的 course"


@pytest.fixture(scope="session")
def server(workspace) -> Iterator[tuple[str, str]]:
    """The address and token of `course lab` on that workspace.

    It already has a few pictures: the results of a lesson's training runs are tested in tests/site.
    """
    with course_lab(workspace) as served:
        draw_shapes(workspace / "project" / "shapes", Plan(train=20, test=5))
        yield served


@pytest.fixture(scope="module")  # while it exists, no other code in the process can use asyncio
def browser(server) -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser, server, request) -> Iterator[Page]:
    with a_page(browser) as page:
        yield page
        take_picture(page, request.node.name)
    stop_kernels(*server)


def stop_kernels(address: str, token: str) -> None:
    """Stop the kernels that a test has started: thirty kernels would fill a laptop's memory."""
    headers = {"Authorization": f"token {token}"}
    sessions = urllib.request.Request(f"{address}/api/sessions", headers=headers)
    with urllib.request.urlopen(sessions) as answer:
        found = json.load(answer)
    for session in found:
        path = f"{address}/api/sessions/{session['id']}"
        urllib.request.urlopen(urllib.request.Request(path, headers=headers, method="DELETE"))
