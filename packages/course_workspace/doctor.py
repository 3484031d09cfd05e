"""The checks of a computer for the course: what is missing, what that means, and what to do."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points

from course_command.console import silent
from course_command.machine_check import MachineCheck

PLUG_INS = "on_the_right_device.doctor"
"""The entry points of packages with more checks: the name of what is checked, and a function."""

_NEWEST_TESTED_PYTHON = (3, 13)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def examine(doing: Callable[..., None] = silent) -> Iterator[MachineCheck]:
    """The results of all checks, one by one. Never raises, never starts CUDA in this process."""
    checks = {
        "Python": _python,
        "PyTorch": _torch,
        "the NVIDIA driver": _driver,
        "GPUs": _gpus,
        "virtual GPUs (in a test process)": _virtual_cuda,
        "nbgrader": _nbgrader,
        **{point.name: point.load() for point in entry_points(group=PLUG_INS)},
        "Chromium": _chromium,
    }
    for what, check in checks.items():
        doing(f"Checking {what}")
        yield check()


def _python() -> MachineCheck:
    version, tested = platform.python_version(), ".".join(map(str, _NEWEST_TESTED_PYTHON))
    if sys.version_info[:2] <= _NEWEST_TESTED_PYTHON:
        return MachineCheck("Python", True, version, essential=True)
    return MachineCheck(
        "Python",
        False,
        version,
        f"The course is tested up to Python {tested}; a newer one may work.",
        f"If something fails, make the environment again with `make PYTHON=python{tested} lab`.",
    )


def _torch() -> MachineCheck:
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return MachineCheck(
            "PyTorch",
            False,
            "not installed",
            "No lesson runs.",
            "Run `make lab`, or `pip install -c constraints.txt -e .`.",
            essential=True,
        )
    build = _run(sys.executable, "-c", "import torch; print(torch.version.cuda or 'none')")
    if build is None:
        return MachineCheck(
            "PyTorch",
            False,
            f"{version}, but it cannot be imported",
            "No lesson runs.",
            "Delete the folder .venv and run `make lab` again.",
            essential=True,
        )
    kind = "CPU build" if build == "none" else f"built for CUDA {build}"
    return MachineCheck("PyTorch", True, f"{version} ({kind})", essential=True)


def _driver() -> MachineCheck:
    report = _run("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
    if report:
        return MachineCheck("NVIDIA driver", True, report.splitlines()[0])
    return MachineCheck(
        "NVIDIA driver",
        False,
        "none found",
        "Lessons use virtual GPUs: results are equal up to rounding; random numbers, speed differ.",
        "If this machine has an NVIDIA GPU, install its driver; otherwise there is nothing to do.",
    )


def _gpus() -> MachineCheck:
    report = _run("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader")
    cards = report.splitlines() if report else []
    if cards:
        return MachineCheck("GPUs", True, "; ".join(cards))
    return MachineCheck(
        "GPUs", False, "none found", "Four virtual GPUs replace real ones.", "Nothing to do."
    )


_PROBE = "from course_utils.experiments.in_child import probe; probe()"


def _virtual_cuda() -> MachineCheck:
    # In a child process, so that a crash does not end this one. If the combination of torch, Python
    # and platform is not known to work, the full probe runs again.
    outcome = subprocess.run(
        [sys.executable, "-c", _PROBE],
        capture_output=True,
        text=True,
        env={**os.environ, "VIRTUAL_CUDA_PROBE": "again"},
    )
    if outcome.stdout.strip().endswith("cuda:3"):
        how = "with" if outcome.stdout.startswith("compiled") else "without"
        return MachineCheck(
            "Virtual CUDA", True, f"4 virtual GPUs start here, {how} the optional compiled helper"
        )
    reason = (outcome.stderr.strip().splitlines() or ["the test process died"])[-1]
    return MachineCheck(
        "Virtual CUDA",
        False,
        reason,
        "Without real GPUs, only exercises that need no device can be checked.",
        "Use Linux (on Windows: WSL), a container, or the course on Binder.",
    )


def _nbgrader() -> MachineCheck:
    try:
        return MachineCheck("nbgrader", True, importlib.metadata.version("nbgrader"))
    except importlib.metadata.PackageNotFoundError:
        return MachineCheck(
            "nbgrader",
            False,
            "not installed",
            "`course lab` cannot make assignments, and instructors cannot grade.",
            "Run `make lab`, or `pip install -c constraints.txt -e .`.",
        )


def _chromium() -> MachineCheck:
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found:
        return MachineCheck("Chromium", True, found)
    return MachineCheck(
        "Chromium",
        False,
        "not on the path",
        "Lessons open in any browser; only the course's own browser tests need it.",
        "For the tests, on Debian or Ubuntu: `apt install chromium`.",
    )


def _run(*command: str) -> str | None:
    """The output of `command`, or None if it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def report(show: Callable[[str], None], doing: Callable[..., None] = silent) -> bool:
    """Show the result of every check with `show`. Returns True if the lessons can run here."""
    able = True
    for finding in examine(doing):
        mark = "✓" if finding.present else "✗" if finding.essential else "–"
        show(f"{mark} {finding.name}: {finding.detail}")
        if not finding.present:
            show(f"    {finding.means} {finding.advice}")
            able = able and not finding.essential
    return able
