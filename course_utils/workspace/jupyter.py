"""Open JupyterLab on a learner's workspace."""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from course_utils.authoring.workspace import prepare
from course_utils.errors import CourseError


def open_lab(root: Path, arguments: Sequence[str], say: Callable[[str], None]) -> None:
    """Prepare the workspace and become JupyterLab on it, with `arguments` added.

    The workspace is `root`/workspace, or what the environment variable COURSE_WORKSPACE names.
    Raises CourseError if it cannot be prepared or a port that was asked for is busy.
    """
    workspace = Path(os.environ.get("COURSE_WORKSPACE") or root / "workspace").resolve()
    for line in prepare(root, workspace).lines():
        say(line)
    port = _option(arguments, "--port")
    if port is not None:
        _require_free(port)
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={workspace}",
        *arguments,  # last, so that a learner's own option wins
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # as in a container; Jupyter does not start otherwise
    os.chdir(workspace)
    os.execve(sys.executable, command, {**os.environ, "JUPYTER_CONFIG_PATH": _config_path()})


def _config_path() -> str:
    """Jupyter's configuration with ours in front: no news from the network, no author's panels."""
    ours = str(Path(__file__).parent / "jupyter_config")
    return os.pathsep.join(filter(None, [ours, os.environ.get("JUPYTER_CONFIG_PATH")]))


def _option(arguments: Sequence[str], name: str) -> str | None:
    for here, following in zip(arguments, [*arguments[1:], None], strict=True):
        if here == name:
            return following
        if here.startswith(f"{name}="):
            return here.removeprefix(f"{name}=")
    return None


def _require_free(port: str) -> None:
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise CourseError(f"--port={port} is no port: give a number from 1024 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            raise CourseError(
                f"Port {port} cannot be used ({error.strerror}). Another JupyterLab may still "
                f"run there (`jupyter server list` tells); stop it, or choose another port."
            ) from None
