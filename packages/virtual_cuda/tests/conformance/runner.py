"""Runs programs in other processes and gathers their facts, also where a process dies."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .programs import PROGRAMS
from .registry import Facts, Program

HERE = Path(__file__).resolve().parents[1]  # from which `python -m conformance…` runs
TIME_LIMIT = 300.0  # seconds for one process

Python = Callable[..., subprocess.CompletedProcess[str]]
"""Runs Python with arguments, in the folder ``cwd``, for at most ``timeout`` seconds."""


def new_python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """In a new process."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)


def unrunnable(program: Program, device_count: int) -> str | None:
    """Why a program cannot run on this machine; None if it can."""
    if program.needs_devices > device_count:
        return f"needs {program.needs_devices} GPUs, there are {device_count}"
    if program.needs_module and importlib.util.find_spec(program.needs_module) is None:
        return f"needs the package {program.needs_module}"
    return None


def run(
    programs: Iterable[Program],
    world: str,
    device_count: int,
    at_once: int = 2,
    python: Python = new_python,
) -> dict[str, Facts]:
    """The facts of programs in one world, by name. ``at_once`` processes run side by side."""
    groups: dict[str, list[str]] = {}
    for program in programs:
        groups.setdefault(program.process, []).append(program.name)
    longest_first = sorted(groups.values(), key=len, reverse=True)
    with ThreadPoolExecutor(at_once) as pool:
        parts = pool.map(
            lambda names: _run_group(names, world, device_count, python), longest_first
        )
        facts = {name: facts for part in parts for name, facts in part.items()}
    return {name: facts[name] for name in PROGRAMS if name in facts}


def _run_group(names: list[str], world: str, device_count: int, python: Python) -> dict[str, Facts]:
    """Run programs in one process; after one that kills it, go on in another."""
    facts: dict[str, Facts] = {}
    while waiting := [name for name in names if name not in facts]:
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder, "facts")
            results.touch()
            end = _run_process(python, [world, str(device_count), str(results), *waiting])
            lines = results.read_text(encoding="utf-8").splitlines()
        facts |= {entry["name"]: entry["facts"] for entry in map(json.loads, lines)}
        stopped_at = next((name for name in waiting if name not in facts), None)
        if stopped_at is not None:
            facts[stopped_at] = {"failed": {"type": "process", "text": end}}
    return facts


def _run_process(python: Python, arguments: list[str]) -> str:
    """Run a worker to its end; return how it ended, with the last lines it wrote."""
    try:
        done = python("-m", "conformance.worker", *arguments, cwd=HERE, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"no end after {TIME_LIMIT:.0f} s"
    if done.returncode < 0:
        return f"killed by signal {-done.returncode}"
    return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
