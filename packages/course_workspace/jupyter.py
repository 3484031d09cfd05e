"""`course lab`: open JupyterLab on a learner's workspace, with a few lines about it."""

import argparse
import os
import re
import shlex
import signal
import socket
import sys
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from course_notebooks.safe_files import explained
from course_utils.checking.progress import coming, progress_of, share
from course_utils.checking.record import LearnerRecord
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_workspace.deliver import prepare
from course_workspace.files import workspace_of
from course_workspace.machine import machine
from course_workspace.start import news

Say = Callable[[str], None]

_LOG = ".course/jupyter.log"
_PATIENCE = 2  # seconds for another server to answer
_WIDTH = 10


def open_lab(root: Path, arguments: Sequence[str], say: Say) -> None:
    """Prepare the workspace and run JupyterLab on it, with `arguments` added, until it is stopped.

    Raises CourseError if the workspace cannot be prepared or written, if the requested port is
    busy, or if JupyterLab does not start.
    """
    workspace = workspace_of(root)
    options = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    options.add_argument("--port", nargs="?")
    port = options.parse_known_args(arguments)[0].port
    if port is not None and not (port.isdecimal() and int(port) <= 65535):
        raise CourseError(f"--port={port} is not a port. Give a number from 1024 to 65535.")
    say(f"{load_manifest(root / 'course.toml').title}\n")
    _tell(say, "Your work", str(workspace))
    first = not (workspace / ".course").is_dir()
    if first:
        say("  Copying the lessons there: a few seconds, only this time.")
    delivered = prepare(root, workspace).lines()
    for name, sentence in machine():
        _tell(say, name, sentence)
    for sentence in [*([] if first else delivered), *news(workspace)]:
        _tell(say, "New", sentence)
    path = progress_of(LearnerRecord(workspace))
    if path.passed.done:
        _tell(
            say,
            "Progress",
            f"{share(path.passed, 'exercise')} passed, {share(path.points, 'point')}.",
        )
    following = coming(path)
    _tell(say, "Next", following[:1].upper() + following[1:])
    say("\nStarting JupyterLab …")
    _run(workspace, arguments, port, say)


def _empty_log(workspace: Path) -> Path:
    """A new log. It is often the only file written at a start, so it shows if writing works."""
    log = workspace / _LOG
    with explained(log):
        log.unlink(missing_ok=True)
        log.touch(mode=0o600)  # it contains the address with the token
        log.write_text("JupyterLab's log, of its latest start.\n", encoding="utf-8")
    return log


def _run(workspace: Path, arguments: Sequence[str], port: str | None, say: Say) -> None:
    # These imports take more than a second, so the lines above come first.
    from jupyter_server.serverapp import list_running_servers
    from jupyterlab.labapp import LabApp

    for other in list_running_servers():
        if Path(other["root_dir"]) == workspace and _answers(other):
            _point_to(other, arguments, say)
            return
    if port is not None:
        _require_free(port)
    log = _empty_log(workspace)
    # Our settings: the start page, no news from the network, no author's panels.
    os.environ["JUPYTER_CONFIG_PATH"] = _path(
        Path(__file__).parent / "jupyter_config", "JUPYTER_CONFIG_PATH"
    )
    os.environ["PATH"] = _path(Path(sys.executable).parent, "PATH")  # JupyterLab's terminals
    os.chdir(workspace)
    try:
        with _errors_to(log):
            server = LabApp.initialize_server(_arguments(workspace, arguments))
            server.io_loop.add_callback(_announce, server, log, say)
            server.start()
    except SystemExit as end:
        if end.code:
            lines = [
                line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()
            ]
            last = re.sub(r"^\[[^]]*\] ", "", lines[-1])  # without level and time
            raise CourseError(f"JupyterLab did not start: {last} The whole log is {log}.") from None
        raise
    except OSError as error:
        raise CourseError(
            f"JupyterLab did not start: {error}. Fix this, then run the command again."
        ) from error
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a third Ctrl+C, while threads end
    say(f"\nJupyterLab has stopped. Your work is in {workspace}; `make lab` opens it again.")


def _arguments(workspace: Path, arguments: Sequence[str]) -> list[str]:
    ours = [
        f"--ServerApp.root_dir={workspace}",
        # Each workspace has its own layout: tabs of another workspace would open missing files.
        f"--LabApp.workspaces_dir={workspace / '.course' / 'jupyterlab'}",
        # If the server has no terminal, it would start a login shell, which resets PATH.
        f"--ServerApp.terminado_settings={{'shell_command': [{os.environ.get('SHELL', 'sh')!r}]}}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        ours.append("--allow-root")  # as in a container; Jupyter does not start otherwise
    return [*ours, *arguments]  # the learner's options last, so that they win


@contextmanager
def _errors_to(log: Path) -> Iterator[None]:
    """A context in which stderr, with the logs of Jupyter and its kernels, goes to a file."""
    kept = os.dup(2)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)


def _announce(server: Any, log: Path, say: Say) -> None:
    say("")
    # The last address also works from outside a container.
    _tell(say, "Address", server.display_url.split()[-1])
    _tell(say, "Log", str(log))
    _tell(say, "Stop", "press Ctrl+C twice here. Your work is saved automatically.")


def _point_to(other: dict[str, Any], arguments: Sequence[str], say: Say) -> None:
    address = f"{other['url']}lab?token={other['token']}"
    say(
        f"JupyterLab is already open on this workspace, at {address}\n"
        f"`{_in_a_terminal('jupyter', 'server', 'stop', str(other['port']))}` stops it."
    )
    if "--no-browser" not in arguments:
        webbrowser.open(address)


def _in_a_terminal(command: str, *arguments: str) -> str:
    """The line that runs a command of this environment, even if it is not activated."""
    return shlex.join([str(Path(sys.executable).with_name(command)), *arguments])


def _answers(other: dict[str, Any]) -> bool:
    try:
        with urllib.request.urlopen(f"{other['url']}api", timeout=_PATIENCE):
            return True
    except (OSError, ValueError):
        return False


def _path(ours: Path, variable: str) -> str:
    """The search path in `variable` with our folder first."""
    return os.pathsep.join(filter(None, [str(ours), os.environ.get(variable)]))


def _require_free(port: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            raise CourseError(
                f"Port {port} cannot be used ({error.strerror}). Another JupyterLab may still "
                f"use it (`{_in_a_terminal('jupyter', 'server', 'list')}` lists them). Stop it, "
                "or choose another port."
            ) from None


def _tell(say: Say, name: str, sentence: str) -> None:
    say(f"  {name:<{_WIDTH}} {sentence}")
