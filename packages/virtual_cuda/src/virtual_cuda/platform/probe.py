"""A test of virtual GPUs in a child process, before this process is changed.

The switches change C++ data of torch. If a build has another layout than expected, the process can
crash. So an untested combination of torch, Python and platform is tested in a child process. The
outcome is stored in a file of the user's cache folder, for this version of this package.

VIRTUAL_CUDA_PROBE=skip skips the test. VIRTUAL_CUDA_PROBE=again ignores the stored outcome.
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
"""The last words of a successful test."""
_TRIAL = f"{(__package__ or '').rpartition('.')[0]}.trial"  # the module of the test
_PATIENCE = 300  # seconds; a first import of torch is slow on some computers


def require(skip: bool = False) -> None:
    """Return if virtual GPUs work: on a known combination, by a stored outcome, or by a test.

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
        except (OSError, subprocess.TimeoutExpired) as error:  # not stored: it may work next time
            raise VirtualCudaUnsupported(f"their test did not end: {error}") from None
        _write(file, {**outcomes, key: failure})
    if failure:
        raise VirtualCudaUnsupported(failure)


def try_in_child() -> str:
    """The reason why virtual GPUs failed in a child process; "" if they worked.

    Raises:
        OSError: the child could not be started.
        subprocess.TimeoutExpired: it took too long.
    """
    environment = {**os.environ, VARIABLE: "skip"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    for name in ("CUDA_VISIBLE_DEVICES", "VIRTUAL_CUDA"):  # the test makes its own machine
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
    return f"{what} did not pass their test in a child process: {reason}"


def _version_of_package() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _read(file: Path) -> dict[str, str]:
    """Combination -> the reason why it failed ("" if it works). Empty without a file."""
    try:
        outcomes = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(outcomes, dict):
        return {}
    return {key: text for key, text in outcomes.items() if isinstance(text, str)}


def _write(file: Path, outcomes: dict[str, str]) -> None:
    """Store the outcomes. If this fails, the next process tests again."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")  # another process may be reading
        draft.write_text(json.dumps(outcomes, indent=1), encoding="utf-8")
        draft.replace(file)
