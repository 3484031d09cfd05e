"""A separate JupyterLab for browser tests."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.chromium import chromium_or_skip

COURSE = Path(sys.executable).with_name("course")  # also without an active environment
RUNTIME = "runtime"
"""The folder next to the workspace in which JupyterLab writes its runtime files."""


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The address and token of a JupyterLab that `command` starts in `folder`."""
    chromium_or_skip()
    runtime = folder / RUNTIME
    log = (folder / "lab.log").open("w")
    process = subprocess.Popen(
        [*command, "--no-browser"],
        cwd=folder,
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(runtime), **variables},
        stdout=log,
        stderr=log,
    )
    try:
        server = started(process, runtime)
        yield server["url"].removesuffix("/"), server["token"]
    finally:
        process.terminate()
        process.wait(timeout=30)


def started(process: subprocess.Popen, runtime: Path) -> dict[str, Any]:
    """The runtime information of a Jupyter server, once it listens on the port that it chose."""
    while process.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(json.JSONDecodeError):  # the file is still being written
                return json.loads(file.read_text())
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")


def course_lab(workspace: Path) -> contextlib.AbstractContextManager[tuple[str, str]]:
    """The address and token of `course lab` on a workspace."""
    variables = {
        "COURSE_WORKSPACE": str(workspace),
        "JUPYTERLAB_SETTINGS_DIR": str(workspace.parent / "settings"),  # no personal theme
    }
    command = [COURSE, "lab", "--LabApp.expose_app_in_browser=True"]
    return serving(command, workspace.parent, variables)
