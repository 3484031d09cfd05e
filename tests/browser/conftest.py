"""A learner's JupyterLab, started with `course lab` on a workspace of its own, and a browser."""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from in_browser import take_picture
from playwright.sync_api import sync_playwright

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("learner") / "workspace"


@pytest.fixture(scope="module")
def server(workspace) -> Iterator[tuple[str, str]]:
    """`course lab` on a workspace of its own: its address, and its token."""
    variables = {"COURSE_WORKSPACE": str(workspace),
                 "JUPYTERLAB_SETTINGS_DIR": str(workspace.parent / "settings")}  # nobody's theme
    with serving([COURSE, "lab", "--LabApp.expose_app_in_browser=True"], workspace.parent,
                 variables) as served:
        yield served


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """A JupyterLab that `command` starts in `folder`: its address, and its token."""
    if BROWSER is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine (apt install chromium)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, address = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    log = (folder / "lab.log").open("w")
    process = subprocess.Popen(
        [*command, "--no-browser", f"--port={port}", f"--IdentityProvider.token={token}"],
        cwd=folder, env={**os.environ, **variables}, stdout=log, stderr=log,
    )
    try:
        wait_for(f"{address}/api?token={token}", process)
        yield address, token
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")


@pytest.fixture
def page(server, request):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        take_picture(page, request.node.name)
        browser.close()
