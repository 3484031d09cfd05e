"""The course's project: `train.py`, which every lesson improves, and its runs.

Pictures and runs are in the folder `project` of the learner's workspace; outside of one, in
notebooks/project. So are the programs, but for those that an earlier version of the course put into
a workspace: there they are the learner's own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn
from tqdm import tqdm

import virtual_cuda
from course_utils.checking.record import workspace
from course_utils.devices import current_lab
from course_utils.errors import CourseError
from course_utils.experiments.fork_server import start_program
from course_utils.manifest import repository_root
from course_utils.program.family import end_family
from course_utils.program.holes import after
from course_utils.program.observer import environment
from exercise_kit.programs.launcher import Running
from lesson_parts.changes import Changes
from lesson_parts.shapes import draw_shapes
from virtual_cuda_tool.settings import Settings

STAGES = ("start", *(f"{lesson:02}" for lesson in range(2, 13)))
"""The versions of train.py: as it was before the course, and after each lesson."""

EPOCHS = 6

_OURS = repository_root() / "notebooks" / "project"

_ONE_PROCESS_PER_GPU = ("11", "12")

_EPOCH = re.compile(r"epoch (\d+)/\d+: .*accuracy")
_RATE = "pictures per s"
_LAUNCHER = re.compile(r"[EW]\d{4} .*torch/distributed/")  # torchrun's report of a failure
_OTHER_RANK = re.compile(r"\[rank[1-9]")  # it mostly says that rank 0 has gone
_TRACEBACK = re.compile(r'Traceback \(most recent call last\):|  File "')
_COLUMNS = 88  # of a bar
_BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} epochs [{elapsed}<{remaining}]"
_PATIENCE = 10.0  # seconds


@dataclass(frozen=True)
class EpochResult:
    """One pass over the pictures: mean loss in training, accuracy in the test (0 to 1), seconds."""

    epoch: int
    loss: float
    accuracy: float
    seconds: float


@dataclass(frozen=True)
class Sample:
    """A test picture, what it shows, and what the model took it for."""

    file: Path
    target: str
    predicted: str


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """What a run of train.py left behind. `name` says which version ran where.

    samples: all test pictures; none if it was stopped before its end.
    """

    name: str
    folder: Path
    log: list[EpochResult]
    samples: list[Sample]

    @property
    def accuracy(self) -> float:
        """The share of test pictures that was recognised in the end."""
        return self.log[-1].accuracy

    def __repr__(self) -> str:
        return f"{self.name}: {self.accuracy:.1%} of the test pictures recognised."


def changes(stage: str) -> Changes:
    """What a lesson changed in train.py. Raises CourseError if there is no such version."""
    if stage == STAGES[0]:
        raise CourseError("Nothing comes before the version 'start': ask for the changes of '02'.")
    program = program_file(stage)
    previous = STAGES[STAGES.index(stage) - 1]
    before, after = (path.read_text(encoding="utf-8") for path in (program_file(previous), program))
    return Changes(before, after, names=(f"{previous}/train.py", f"{stage}/train.py"))


def train(
    stage: str,
    *arguments: str,
    gpus: int = 0,
    epochs: int = EPOCHS,
    stop_after: int | None = None,
    out: str | None = None,
) -> TrainingRun:
    """Run a version of train.py in a process of its own, and return what it left behind.

    Its lines are passed on as they come, with a bar that counts epochs; on virtual GPUs they say
    whose speed it is. The pictures are drawn first if there are none. Interrupting this ends that
    process, and all that it started.

    The versions of lessons 11 and 12 are started as torchrun starts them where there are several
    GPUs, a process for each, and as they are with `--gpus` or `--predict` among the arguments.

    Virtual GPUs have an nvidia-smi that shows the machine of this process, other people's
    processes included, if it has as many cards.

    Args:
        arguments: the script's own, such as `"--batch", "32"`.
        gpus: how many it finds: real ones where this lab is real and there are as many, else
            virtual ones; with 0 it finds no CUDA device.
        stop_after: an epoch after which the process is killed, as by a power failure.
        out: name of the folder that it writes into, among the runs. Unless it shall resume or
            only predict, what an earlier run left there is removed first.

    Raises:
        CourseError: there is no such version, or the script failed; the text says how.
    """
    if gpus < 0:
        raise CourseError(f"gpus={gpus} is not possible: use 0, or how many GPUs it shall find.")
    if epochs < 1:
        raise CourseError(f"epochs={epochs} is not possible: train for 1 epoch or more.")
    home, script = project_home(), program_file(stage)
    draw_shapes(home / "shapes")
    folder = home / "runs" / (out or f"{stage}-on-{gpus}")
    if folder.exists() and not {"--resume", "--predict"}.intersection(arguments):
        shutil.rmtree(folder)
    alone = {"--gpus", "--predict"}.intersection(arguments)
    ranks = max(1, gpus) if stage in _ONE_PROCESS_PER_GPU and not alone else 1
    options = ["--data", "shapes", "--out", str(folder), "--epochs", str(epochs)]
    real = _real(gpus, arguments)
    env = _environment(gpus, real, arguments)
    said, where = " ".join([f"{stage}/train.py", *arguments]), "without a GPU"
    if gpus:
        where = f"with {gpus} {'' if real else 'virtual '}GPU{'s' if gpus > 1 else ''}"
    rate = _RATE if real or not gpus else f"{_RATE} (measured on the CPU)"
    process = start_program([str(script), *options, *arguments], env, home, ranks=ranks)
    begun = _follow(process, f"{said} {where}", rate, epochs, stop_after)
    since = f" from epoch {begun}" if begun > 1 else ""
    return _read(f"{said}{since} {where}", home, folder)


def project_home() -> Path:
    """The folder with the pictures and the runs."""
    folder = workspace()
    if folder is not None and (folder / "project").is_dir():
        return folder / "project"
    return _OURS


def program_file(stage: str) -> Path:
    """Where a version of train.py is. Raises CourseError if there is no such version."""
    if stage not in STAGES:
        raise CourseError(
            f"There is no version {stage!r} of train.py: the versions are {', '.join(STAGES)}."
        )
    own, path = project_home() / stage / "train.py", _OURS / stage / "train.py"
    return own if own.is_file() else path


def run_files(
    files: Mapping[str, str], words: Sequence[str], program: str, run: Callable[[str], str]
) -> str:
    """What is printed where train.py, with what lies beside it, is run in a folder of its own.

    files: these, by their names. words: the script's own. program: of the child process, with
    `{folder}` and `{words}` where it gives them to `as_main.run_train`. run: what runs it, of
    `children`.
    """
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        return run(program.format(folder=folder, words=list(words)))


def pictures() -> Path:
    """The folder of the pictures, which are drawn first if there are none."""
    folder = project_home() / "shapes"
    draw_shapes(folder)
    return folder


def network(lesson: str) -> nn.Module:
    """The network of the program as a lesson leaves it, untrained, for two classes, on the CPU."""
    names: dict[str, Any] = {}
    exec(compile(after(lesson)["shapes.py"], "shapes.py", "exec"), names)
    net: nn.Module = names["ShapeNet"](2)
    return net


def _real(gpus: int, arguments: tuple[str, ...]) -> bool:
    """Whether the process is to have real GPUs: as in `children`, and in `lab`."""
    lab = current_lab()
    taken = "--gpus" in arguments and "CUDA_VISIBLE_DEVICES" in os.environ
    if lab is None or lab.kind != "real" or taken:
        return False
    return 0 < gpus <= torch.cuda.device_count()


def _environment(gpus: int, real: bool, arguments: tuple[str, ...]) -> dict[str, str]:
    """That of this process, with the cards that the script is to find."""
    variable = "CUDA_VISIBLE_DEVICES"
    here = virtual_cuda.is_enabled() and virtual_cuda.machine().device_count == gpus
    if gpus and not real and here:
        virtual_cuda.install_nvidia_smi()  # which changes PATH
    env = environment(0 if real else gpus)
    if real:
        del env[variable]
    if real and "--gpus" not in arguments:
        given = os.environ.get(variable)
        cards = given.split(",") if given is not None else [str(number) for number in range(gpus)]
        env[variable] = ",".join(cards[:gpus])
    elif gpus and not real:
        env |= Settings(gpus, nvidia_smi=not here).variables()
    env["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", "1")
    return env


def _follow(process: Running, name: str, rate: str, epochs: int, stop_after: int | None) -> int:
    """Show the lines of a process, and a bar, until it ends. Raises CourseError if it fails.

    If this is left by an error, the process has ended with all that it started.

    rate: what the lines shall say for `pictures per s`.
    Returns the first epoch that it ran, 0 if it ran none.
    """
    last, launched, frames, begun = "", False, False, 0
    with process:  # which waits for its end
        try:
            with tqdm(None, name, epochs, file=sys.stdout, ncols=_COLUMNS, bar_format=_BAR) as bar:
                for line in process.stdout or ():
                    launched = launched or bool(_LAUNCHER.match(line))
                    # The launcher may stop a rank in the middle of its traceback: frames are no
                    # reason.
                    frames = bool(_TRACEBACK.match(line)) or (frames and line[:1].isspace())
                    if not (launched or frames or _OTHER_RANK.match(line)):
                        last = line.strip() or last
                    bar.write(line.rstrip().replace(_RATE, rate), file=sys.stdout)
                    if found := _EPOCH.match(line):
                        bar.update(int(found[1]) - bar.n)
                        begun = begun or bar.n
                        if bar.n == stop_after:
                            end_family(process)
                            return begun
        except KeyboardInterrupt:
            end_family(process)
            raise CourseError(f"{name} was interrupted, and has ended.") from None
        except BaseException:
            end_family(process)
            raise
    if process.returncode:
        raise CourseError(f"{name} failed with exit status {process.returncode}: {last}")
    return begun


def _read(name: str, home: Path, folder: Path) -> TrainingRun:
    """The run whose files are in `folder`."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    predictions = folder / "predictions.json"
    named = json.loads(predictions.read_text(encoding="utf-8")) if predictions.exists() else {}
    samples = [Sample(home / file, Path(file).parent.name, name) for file, name in named.items()]
    return TrainingRun(name, folder, [EpochResult(**json.loads(line)) for line in lines], samples)
