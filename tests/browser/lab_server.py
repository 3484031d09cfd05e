"""A JupyterLab of its own for browser tests."""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.chromium import chromium_or_skip

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """A JupyterLab that `command` starts in `folder`: its address, and its token."""
    chromium_or_skip()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, address = secrets.token_hex(16), f"http://127.0.0.1:{port}"
    log = (folder / "lab.log").open("w")
    process = subprocess.Popen(
        [*command, "--no-browser", f"--port={port}", f"--IdentityProvider.token={token}"],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=log,
        stderr=log,
    )
    try:
        wait_for(f"{address}/api?token={token}", process)
        yield address, token
    finally:
        process.terminate()
        process.wait(timeout=30)


def course_lab(workspace: Path) -> contextlib.AbstractContextManager[tuple[str, str]]:
    """`course lab` on a workspace."""
    variables = {
        "COURSE_WORKSPACE": str(workspace),
        "JUPYTERLAB_SETTINGS_DIR": str(workspace.parent / "settings"),  # nobody's theme
    }
    command = [COURSE, "lab", "--LabApp.expose_app_in_browser=True"]
    return serving(command, workspace.parent, variables)


def wait_for(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")
