"""A learner's JupyterLab, started with `course lab` on a workspace of its own, and a browser."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
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
    if BROWSER is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine (apt install chromium)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, address = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    log = (workspace.parent / "lab.log").open("w")
    process = subprocess.Popen(
        [COURSE, "lab", "--no-browser", f"--port={port}", f"--IdentityProvider.token={token}",
         "--LabApp.expose_app_in_browser=True"],
        env={**os.environ, "COURSE_WORKSPACE": str(workspace)}, stdout=log, stderr=log,
    )
    try:
        wait_for(f"{address}/api?token={token}", process)
        yield address, token
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")


@pytest.fixture
def page(server):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        browser.close()
