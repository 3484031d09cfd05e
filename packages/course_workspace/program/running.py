"""Runs of the program as a command, with no GPU, one or several; for commands and lessons."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import torch

import virtual_cuda
from course_utils.errors import CourseError
from course_utils.experiments.fork_server import start_program
from course_utils.program.observer import environment
from course_utils.words import counted
from course_workspace.program.family import end_family
from virtual_cuda_tool.settings import NVIDIA_SMI

RUNS = "runs"
"""The subfolder of the program's folder with a folder for each run without `--checkpoint`."""

_CHECKPOINT = "checkpoint.pt"
_SPEEDS = ": the CPU computes, so speeds mean nothing."


@dataclass(frozen=True)
class CommandRun:
    """A finished run of the program.

    code: its exit code. log: from the checkpoint, an entry for each epoch; empty if the run wrote
    no checkpoint. folder: of the checkpoint.
    """

    code: int
    log: Sequence[dict[str, float]]
    folder: Path


def run(
    home: Path,
    words: Sequence[str],
    gpus: int,
    say: Callable[[str], None],
    *,
    program: Path | None = None,
    ranks: int = 1,
    visible: str | None = None,
) -> CommandRun:
    """Run `train.py` in `home`, and pass its output to `say`, line by line.

    After an error or Ctrl-C, the program and its descendants are killed.

    words: the program's own options. Options for device and checkpoint are added if missing.
    gpus: the number of GPUs: real ones if this computer has enough, else virtual ones.
    program: a train.py that is not in `home`. ranks: the number of processes, started as by
    torchrun. visible: its CUDA_VISIBLE_DEVICES.

    Raises CourseError if the program is missing, or the number of GPUs is not possible.
    """
    script = program or home / "train.py"
    if not script.is_file():
        raise CourseError(f"{script} is missing. Run `course lab` to restore it.")
    if not 0 <= gpus <= 64:
        raise CourseError(f"--gpus {gpus} is not possible. Give a number from 0 to 64.")
    real = _real(gpus)
    checkpoint, added = _checkpoint(home, words)
    if gpus and not {"--gpus", "--device"} & _options(words):
        added += ["--device", "cuda"] if gpus == 1 or ranks > 1 else ["--gpus", str(gpus)]
    env = program_environment(gpus, real)
    command = "python" if ranks == 1 else f"torchrun --nproc-per-node {ranks}"
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"], command = visible, f"CUDA_VISIBLE_DEVICES={visible} {command}"
    say(f"{command} train.py {' '.join([*words, *added])}")
    say(f"It has {found(gpus)}{'.' if real or not gpus else _SPEEDS}\n")
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    process = start_program([str(script), *words, *added], env, home, ranks=ranks)
    with process:  # waits for its end
        try:
            for line in process.stdout or ():
                say(line.rstrip("\n"))
        except BaseException:
            end_family(process)
            raise
    written = checkpoint.exists() and checkpoint.stat().st_mtime_ns != before
    log = _log(checkpoint) if written else []
    return CommandRun(process.returncode or 0, log, checkpoint.parent)


def gpus_of(words: Sequence[str]) -> int:
    """The number of GPUs that `--device` of train.py needs: 3 for `cuda:2`, 0 for the CPU."""
    found = re.search(r"--device[ =]cuda(?::(\d+))?", " ".join(words))
    return int(found[1] or 0) + 1 if found else 0


def _options(words: Sequence[str]) -> set[str]:
    return {word.partition("=")[0] for word in words}


def _checkpoint(home: Path, words: Sequence[str]) -> tuple[Path, list[str]]:
    """The path of the run's checkpoint, and the options to add for it, if `words` has none."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        name, given, value = word.partition("=")
        if name == "--checkpoint":
            return home / (value if given else following), []
    folders = (home / RUNS).glob("[0-9]*")
    latest = max((int(each.name) for each in folders if each.name.isdecimal()), default=0)
    number = max(1, latest) if "--resume" in words else latest + 1
    path = Path(RUNS, str(number), _CHECKPOINT)
    return home / path, ["--checkpoint", path.as_posix()]


def found(gpus: int) -> str:
    """The GPUs of a run with so many GPUs, in words, such as "4 virtual GPUs"."""
    if not gpus:
        return "no GPU"
    if _real(gpus):
        return f"{counted(gpus, 'GPU')} of this computer"
    return counted(gpus, "virtual GPU")


def _real(gpus: int) -> bool:
    return 0 < gpus <= torch.cuda.device_count() and not virtual_cuda.is_enabled()


def program_environment(gpus: int, real: bool) -> dict[str, str]:
    """This process's environment, changed for a program with so many real or virtual GPUs."""
    env = environment(0 if real else gpus)
    if real:
        env.pop("CUDA_VISIBLE_DEVICES")
        if given := os.environ.get("CUDA_VISIBLE_DEVICES"):
            env["CUDA_VISIBLE_DEVICES"] = given
    elif gpus:
        env[NVIDIA_SMI] = "1"  # the program uses it to find free GPUs
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    return env


def _log(checkpoint: Path) -> list[dict[str, float]]:
    """The log in a checkpoint; empty if the checkpoint has another form."""
    try:
        log: Any = torch.load(checkpoint, map_location="cpu", weights_only=True)["log"]
        return [{name: float(entry[name]) for name in ("loss", "accuracy")} for entry in log]
    except Exception:  # a learner's program may have written anything
        return []
