"""The site, built by `make site`, and a browser for its files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from site_pages import ROOT

from tests.chromium import chromium

expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def log() -> str:
    """The output of the build, which uses both cores."""
    done = subprocess.run(
        [sys.executable, "site/build.py", "-j", "2"],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return f"{done.stdout}\nexit status {done.returncode}\n"


@pytest.fixture(scope="session")
def site(log) -> Path:
    """The folder of the site's pages."""
    assert log.endswith("exit status 0\n"), log[-4000:]
    return ROOT / "site" / "_build" / "html"


@pytest.fixture(scope="module")  # another module may have a browser of its own
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
