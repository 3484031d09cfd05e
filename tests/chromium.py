"""The browser of the tests: the system's Chromium."""

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_or_skip() -> str | None:
    """Where it is. In continuous integration nothing is skipped: there its lack is a failure."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine (apt install chromium)")
    return found


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A browser of its own. A process can have one at a time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_or_skip(), args=_FLAGS)
        yield browser
        browser.close()
