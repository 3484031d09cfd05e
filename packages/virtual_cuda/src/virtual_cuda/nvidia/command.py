"""``nvidia-smi`` for the virtual machine: as a function, and as a command for other programs.

The command is a two-line script on PATH that runs ``smi`` on a report in a file. The report is
written each time this process starts another one (from Python's audit events), so that
``subprocess.run(["nvidia-smi"])``, ``os.system`` and a notebook's ``!nvidia-smi`` show the current
memory.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import runtime
from . import nvml, smi

_LAYOUTS = {"older": smi.OLDER, "newer": smi.NEWER}
_STARTS_A_PROCESS = frozenset(
    ("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec")
)

_installed: ExitStack | None = None  # a reference, because the temporary folder is deleted with it
_report_file: tuple[Path, int] | None = None  # and the pid of the described process
_listening = False  # an audit hook cannot be removed


def nvidia_smi(*arguments: str, layout: str | None = None) -> str:
    """The output of ``nvidia-smi ARGUMENTS`` for the virtual machine.

    Args:
        arguments: such as ``"-L"`` or ``"-q", "-d", "MEMORY"``; none for the table.
        layout: ``"older"`` or ``"newer"``, for the output of another driver.

    Raises:
        RuntimeError: virtual CUDA is off.
        ValueError: there is no such layout.
    """
    report = nvml.report()
    if layout is not None:
        if layout not in _LAYOUTS:
            raise ValueError(f'layout={layout!r} is not possible. Choose "older" or "newer".')
        report = replace(report, driver=_LAYOUTS[layout])
    return smi.run(report, arguments)[0]


def install_nvidia_smi() -> ExitStack:
    """Put a command ``nvidia-smi`` for the virtual machine first on this process's PATH.

    While virtual CUDA is off, the command prints that it finds no driver. A second call only moves
    it to the front again, if PATH was changed. Returns an object that undoes this: call its
    ``close()``, or use it in a ``with`` statement.
    """
    global _installed, _report_file, _listening
    if _installed is not None and _report_file is not None:
        _put_first(str(_report_file[0].parent))
        return _installed
    with ExitStack() as undo:
        folder = undo.enter_context(TemporaryDirectory(prefix="virtual-nvidia-smi-"))
        report_file = Path(folder, "report.json")
        _write_command(Path(folder), report_file)
        _put_first(folder)
        undo.callback(_uninstall, folder)
        _report_file = (report_file, os.getpid())
        _installed = undo.pop_all()
    if not _listening:
        sys.addaudithook(_before_a_process)
        _listening = True
    return _installed


def leave_nvidia_smi(folder: Path) -> Path:
    """Write a permanent command ``nvidia-smi`` that shows the current state of this machine.

    Returns the folder to put on PATH. It is in ``folder``, one for each machine, so that several
    processes can write it at the same time.
    """
    report = nvml.report().to_json()
    lasting = folder / hashlib.sha256(f"{sys.executable} {report}".encode()).hexdigest()[:16]
    lasting.mkdir(parents=True, exist_ok=True)
    _write(lasting / "report.json", report)
    _write_command(lasting, lasting / "report.json")
    return lasting


def _write_command(folder: Path, report_file: Path) -> None:
    program = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import smi; "
    program += "sys.exit(smi.main(sys.argv[1:]))"
    words = shlex.join([sys.executable, "-I", "-c", program, str(report_file)])
    _write(folder / "nvidia-smi", f'#!/bin/sh\nexec {words} "$@"\n', mode=0o755)


def _put_first(folder: str) -> None:
    os.environ["PATH"] = os.pathsep.join([folder, *_path_without(folder)])


def _uninstall(folder: str) -> None:
    global _installed, _report_file
    _installed = _report_file = None
    os.environ["PATH"] = os.pathsep.join(_path_without(folder))


def _path_without(folder: str) -> list[str]:
    return [name for name in os.environ.get("PATH", os.defpath).split(os.pathsep) if name != folder]


def _before_a_process(event: str, arguments: tuple[Any, ...]) -> None:
    if _report_file is None or event not in _STARTS_A_PROCESS:
        return
    file, owner = _report_file
    if os.getpid() == owner:  # not a forked child, whose copies of the allocators are outdated
        with suppress(OSError):  # an error must not stop the new process
            _write_report(file)


def _write_report(file: Path) -> None:
    if runtime.current() is None:
        file.unlink(missing_ok=True)
        return
    _write(file, nvml.report().to_json())


def _write(file: Path, text: str, mode: int = 0o644) -> None:
    new = file.with_suffix(f".{os.getpid()}")  # another process may be reading
    new.write_text(text, encoding="utf-8")
    new.chmod(mode)
    new.replace(file)
