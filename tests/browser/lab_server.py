"""A JupyterLab of its own for browser tests."""

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

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active
RUNTIME = "runtime"
"""Beside the workspace: where a JupyterLab writes that it is there."""


@contextlib.contextmanager
def serving(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """A JupyterLab that `command` starts in `folder`: its address, and its token."""
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
    """What a Jupyter server says of itself, on the port that it chose, once it listens."""
    while process.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(json.JSONDecodeError):  # it is being written
                return json.loads(file.read_text())
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start (exit status {process.poll()})")


def course_lab(workspace: Path) -> contextlib.AbstractContextManager[tuple[str, str]]:
    """`course lab` on a workspace."""
    variables = {
        "COURSE_WORKSPACE": str(workspace),
        "JUPYTERLAB_SETTINGS_DIR": str(workspace.parent / "settings"),  # nobody's theme
    }
    command = [COURSE, "lab", "--LabApp.expose_app_in_browser=True"]
    return serving(command, workspace.parent, variables)
