"""Trying virtual GPUs in a child process before this one is touched.

The switches reach into the C++ of torch; where a build is laid out otherwise than they believe, the
process may die. So a combination of torch, Python and platform that nobody has tried yet is tried
in a child process, and the outcome is remembered in a file of the user's cache folder, for this
version of this package.

VIRTUAL_CUDA_PROBE=skip does without the trial, VIRTUAL_CUDA_PROBE=again forgets what is remembered.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import torch

from ..errors import VirtualCudaUnsupported
from .cache import Combination, cache_folder, combination

VARIABLE = "VIRTUAL_CUDA_PROBE"

# torch, Python, system and machine on which this package's whole test suite was run.
KNOWN_GOOD: frozenset[Combination] = frozenset(
    (build, "cpython-311", "linux", "x86_64")
    for build in ("2.13.0+cpu", "2.13.0+cu130", "2.12.0+cu130", "2.11.0+cu130")
)

FINISHED = "virtual GPUs work"
"""The last words of a trial that went well."""
_TRIAL = f"{(__package__ or '').rpartition('.')[0]}.trial"  # the module that is tried
_PATIENCE = 300  # seconds; a first import of torch is slow on some computers


def require(skip: bool = False) -> None:
    """Return if virtual GPUs may be tried in this process: known, remembered or tried to work.

    Raises:
        VirtualCudaUnsupported: they did not work in a child process.
    """
    choice = os.environ.get(VARIABLE)
    if skip or choice == "skip" or combination() in KNOWN_GOOD:
        return
    file = cache_folder() / "virtual_cuda" / "probes.json"
    key = " ".join((*combination(), _version_of_package()))
    outcomes = _read(file)
    failure = None if choice == "again" else outcomes.get(key)
    if failure is None:
        try:
            failure = try_in_child()
        except (OSError, subprocess.TimeoutExpired) as error:  # may be otherwise the next time
            raise VirtualCudaUnsupported(f"their trial did not come to an end: {error}") from None
        _write(file, {**outcomes, key: failure})
    if failure:
        raise VirtualCudaUnsupported(failure)


def try_in_child() -> str:
    """Let a child process use virtual GPUs. Returns why that failed, or nothing if it did not.

    Raises:
        OSError: the child could not be started.
        subprocess.TimeoutExpired: it took too long.
    """
    environment = {**os.environ, VARIABLE: "skip"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    for name in ("CUDA_VISIBLE_DEVICES", "VIRTUAL_CUDA"):  # the trial has a machine of its own
        environment.pop(name, None)
    child = subprocess.run(
        [sys.executable, "-m", _TRIAL],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        timeout=_PATIENCE,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if child.returncode == 0 and child.stdout.strip().endswith(FINISHED):
        return ""
    what = f"torch {torch.__version__} on {platform.system()} {platform.machine()}"
    lines = child.stderr.strip().splitlines()
    reason = lines[-1] if child.returncode == 1 and lines else f"it ended with {child.returncode}"
    return f"{what} did not pass their trial in a child process: {reason}"


def _version_of_package() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _read(file: Path) -> dict[str, str]:
    """Combination -> why it failed (nothing if it works). Empty where there is no such file."""
    try:
        outcomes = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(outcomes, dict):
        return {}
    return {key: text for key, text in outcomes.items() if isinstance(text, str)}


def _write(file: Path, outcomes: dict[str, str]) -> None:
    """Remember the outcomes; where that is not possible, the next process tries again."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")  # another process may be reading
        draft.write_text(json.dumps(outcomes, indent=1), encoding="utf-8")
        draft.replace(file)
