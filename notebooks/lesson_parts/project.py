"""The course's program in the lessons: its state after each lesson, and runs of it.

Images and runs are in the folder `project` of the learner's workspace, or in notebooks/project if
there is no workspace. The course's program is never put there: learners write its parts themselves.
"""

from __future__ import annotations

import runpy
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import torch
from torch import nn

from course_utils.checking.record import workspace
from course_utils.errors import CourseError
from course_utils.manifest import repository_root
from course_utils.program.holes import HOLES, after, parts
from course_workspace.program.running import RUNS, found, run
from lesson_parts.shapes import draw_shapes

_ONE_PROCESS_PER_GPU = next(hole.lesson for hole in HOLES if hole.name == "start_ranks")


class _Stop(Exception):
    """Raised at the end of the epoch after which a run is killed."""


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """The results of a run of train.py.

    where: its GPUs, in words. checkpoint: its file, which a later run may overwrite.
    log: `loss` and `accuracy` of each epoch, from the checkpoint.
    weights: from the checkpoint, on the CPU.
    """

    where: str
    checkpoint: Path
    log: Sequence[Mapping[str, float]]
    weights: Mapping[str, torch.Tensor]

    def __repr__(self) -> str:
        return f"{self.log[-1]['accuracy']:.1%} of the test images recognised."


def train(
    lesson: str,
    *words: str,
    gpus: int = 0,
    epochs: int = 2,
    visible: str | None = None,
    stop_after: int | None = None,
    out: str | None = None,
) -> TrainingRun:
    """Run train.py in its state after a lesson, in another process, and print its output.

    The images are drawn first if there are none. An interrupt ends that process and its
    descendants. From lesson 11 on, there is a process for each GPU.

    Args:
        words: the program's own options, such as `"--batch", "60"`.
        gpus: the number of its GPUs: real ones if this computer has enough, else virtual ones.
        visible: its CUDA_VISIBLE_DEVICES.
        stop_after: an epoch after which the process is killed, as by a power failure.
        out: name of the folder of its checkpoint, in the folder of runs. Without `--resume`, the
            files of an earlier run there are removed first.

    Raises:
        CourseError: the program failed, with its last line as text; or it was interrupted.
    """
    images = pictures()
    home = images.parent
    folder = Path(RUNS, out or f"{lesson}-on-{gpus}")
    if "--resume" not in words:
        shutil.rmtree(home / folder, ignore_errors=True)
    checkpoint = folder / "checkpoint.pt"
    options = ["--epochs", str(epochs), "--checkpoint", checkpoint.as_posix()]
    ranks = max(1, gpus) if lesson >= _ONE_PROCESS_PER_GPU and "--gpus" not in words else 1
    printed: list[str] = []

    def say(line: str) -> None:
        print(line)
        printed.append(line)
        if stop_after is not None and line.startswith(f"epoch {stop_after}:"):
            raise _Stop

    with TemporaryDirectory() as name:
        script = write(Path(name), after(lesson))
        asked = [*words, *options]
        try:
            done = run(home, asked, gpus, say, program=script, ranks=ranks, visible=visible)
        except _Stop:
            print(f"killed after epoch {stop_after}")
        except KeyboardInterrupt:
            raise CourseError("train.py was interrupted, and has ended.") from None

        else:
            if done.code:
                raise CourseError(printed[-1])
    state = torch.load(home / checkpoint, map_location="cpu", weights_only=True)
    return TrainingRun(found(gpus), home / checkpoint, state["log"], state["model"])


def names(lesson: str) -> SimpleNamespace:
    """The definitions of train.py in its state after a lesson; the program does not run."""
    with TemporaryDirectory() as name:
        script = write(Path(name), after(lesson))
        sys.path.insert(0, name)
        try:
            return SimpleNamespace(**runpy.run_path(str(script)))
        finally:
            sys.path.remove(name)
            sys.modules.pop("shapes", None)  # after another lesson, this module differs


def network(lesson: str) -> nn.Module:
    """The untrained network of the program after a lesson, for two classes, on the CPU."""
    net: nn.Module = names(lesson).ShapeNet(2)
    return net


def part(lesson: str, name: str) -> str:
    """The text of a function or class of the program in its state after a lesson."""
    return parts("\n".join(after(lesson).values()))[name]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the program's files; returns the path of train.py."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "train.py"


def run_files(
    files: Mapping[str, str], words: Sequence[str], program: str, run: Callable[[str], str]
) -> str:
    """The output of train.py with its other files, run in a new folder.

    files: the text of all files, by name. words: the script's own options. program: the code of the
    child process, with `{folder}` and `{words}` for `as_main.run_train`. run: the function of
    `children` that runs it.
    """
    with TemporaryDirectory() as folder:
        write(Path(folder), files)
        return run(program.format(folder=folder, words=list(words)))


def pictures() -> Path:
    """The folder of the images, which are drawn first if there are none."""
    folder = workspace()
    home = repository_root() / "notebooks" if folder is None else folder
    images = home / "project" / "shapes"
    draw_shapes(images)
    return images
