"""The browser of the tests: the system's Chromium. If it is missing, a run reports that first."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LACKING = "no Chromium on this machine (Debian, Ubuntu: apt install chromium)"
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


def found() -> str | None:
    """The path of Chromium, or None."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Report that browser tests are skipped, if slow tests are to run and Chromium is missing."""
    config = session.config
    if found() or hasattr(config, "workerinput") or "not slow" in config.option.markexpr:
        return
    config.get_terminal_writer().line(f"Tests in a browser are skipped: {LACKING}.")


def chromium_or_skip() -> str:
    """The path of Chromium; skips the test without it. `.ci/run` installs it."""
    return found() or pytest.skip(LACKING)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A new browser. A process can have one at a time."""
    from playwright.sync_api import sync_playwright

    path = chromium_or_skip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()
