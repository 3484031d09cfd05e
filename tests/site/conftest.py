"""The site as `make site` builds it, once for all workers, and a browser that reads its files."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, expect, sync_playwright
from site_pages import ROOT

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def log(tmp_path_factory) -> str:
    """What the build said. The worker that comes first builds, the other waits for it."""
    shared = tmp_path_factory.getbasetemp().parent / "site.log"
    with FileLock(shared.with_suffix(".lock")):
        if not shared.exists():
            done = subprocess.run(
                [sys.executable, "site/build.py"], cwd=ROOT, env={**os.environ, "NO_COLOR": "1"},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            shared.write_text(f"{done.stdout}\nexit status {done.returncode}\n")
    return shared.read_text()


@pytest.fixture(scope="session")
def site(log) -> Path:
    """The folder of its pages."""
    assert log.endswith("exit status 0\n"), log[-4000:]
    return ROOT / "site" / "_build" / "html"


@pytest.fixture(scope="module")  # another module may have a browser of its own
def browser() -> Iterator[Browser]:
    if BROWSER is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine (apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield browser
        browser.close()
