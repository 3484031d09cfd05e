"""Runs of the learner's program, each in a separate process."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import torch

from course_utils.experiments.fork_server import LAUNCHER
from course_workspace.program.running import program_environment
from exercise_kit.programs.launcher import Running

_LAUNCHERS = [replace(LAUNCHER)]
"""The tests' own launchers: one for each environment of a parent; programs are its forks."""


def start_program(
    words: Sequence[str], env: Mapping[str, str], folder: Path, **how: Any
) -> Running:
    if all(each.parent(env) is None for each in _LAUNCHERS):
        _LAUNCHERS.append(replace(LAUNCHER))
    launcher = next(each for each in _LAUNCHERS if each.parent(env) is not None)
    return launcher.start(words, env, folder, **how)


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def start(folder: Path, *words: str | Path, devices: int = 0, ranks: int = 1) -> Running:
    env = program_environment(devices, real=False)
    always = (str(folder / "train.py"), "--workers", "0")
    return start_program([*always, *map(str, words)], env, folder, ranks=ranks)


def on(devices: int) -> tuple[str, ...]:
    return ("--device", "cuda") if devices else ()


def send(process: Running, number: int, *, recursive: bool = False) -> None:
    """Send a signal to the program, and to its children; `process` is its parent."""
    for child in psutil.Process(process.pid).children(recursive=recursive):
        with suppress(psutil.NoSuchProcess):  # ranks end when the first one does
            child.send_signal(number)


def run(folder: Path, *words: str | Path, devices: int = 0, ranks: int = 1) -> tuple[int, str]:
    """The exit code and the output of a run."""
    with start(folder, *words, devices=devices, ranks=ranks) as process:
        printed = process.stdout.read()
    return process.returncode, printed


def begin(whole: Path, few: Path, path: Path, *words: str | Path, **where: int) -> Running:
    """A run that has saved at least once."""
    always = ("--data", few, "--checkpoint", path, *on(where.get("devices", 0)))
    process = start(whole, *always, *words, **where)
    while not path.exists():
        assert psutil.pid_exists(process.pid), process.stdout.read()
        time.sleep(0.01)
    return process


def epochs(path: Path) -> int:
    return len(torch.load(path, map_location="cpu", weights_only=True)["log"])
