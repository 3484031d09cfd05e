"""The course's program in the lessons: as each of them leaves it, and runs of it.

Images and runs are in the folder `project` of the learner's workspace; outside of one, in
notebooks/project. The program itself is never put there: its parts are the learner's to write.
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
    """The epoch after which a run shall be killed has ended."""


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """What a run of train.py left behind.

    where: the GPUs it found, in words. checkpoint: its file, which a later run may write anew. From
    it, log: `loss` and `accuracy` of each epoch; and the weights, on the CPU.
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
    """Run train.py as a lesson leaves it, in a process of its own, and print what it prints.

    The images are drawn first if there are none. Interrupting this ends that process, and all that
    it started. From lesson 11 on, it is a process for each GPU.

    Args:
        words: the program's own, such as `"--batch", "60"`.
        gpus: how many it finds: real ones if there are as many here, else virtual ones.
        visible: its CUDA_VISIBLE_DEVICES.
        stop_after: an epoch after which the process is killed, as by a power failure.
        out: name of the folder of its checkpoint, among the runs. Unless it shall go on, what an
            earlier run left there is removed first.

    Raises:
        CourseError: the program failed, and the text is its last line; or it was interrupted.
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
    """What train.py defines as a lesson leaves it, without running it."""
    with TemporaryDirectory() as name:
        script = write(Path(name), after(lesson))
        sys.path.insert(0, name)
        try:
            return SimpleNamespace(**runpy.run_path(str(script)))
        finally:
            sys.path.remove(name)
            sys.modules.pop("shapes", None)  # of another lesson it is another one


def network(lesson: str) -> nn.Module:
    """The network of the program as a lesson leaves it, untrained, for two classes, on the CPU."""
    net: nn.Module = names(lesson).ShapeNet(2)
    return net


def part(lesson: str, name: str) -> str:
    """The text of a function or class of the program as a lesson leaves it."""
    return parts("\n".join(after(lesson).values()))[name]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the program's files; returns where its train.py is."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "train.py"


def run_files(
    files: Mapping[str, str], words: Sequence[str], program: str, run: Callable[[str], str]
) -> str:
    """What is printed where train.py, with what lies beside it, is run in a folder of its own.

    files: these, by their names. words: the script's own. program: of the child process, with
    `{folder}` and `{words}` where it gives them to `as_main.run_train`. run: what runs it, of
    `children`.
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
