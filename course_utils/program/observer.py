"""The observer of train.py with a learner's cell in it: its weights, files and devices."""

import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from course_utils.errors import CourseError
from course_utils.experiments.fork_server import LAUNCHER
from course_utils.experiments.ranks import meeting_locally
from course_utils.program.holes import HOLES, before, parts, put
from exercise_kit.contract import Facts, Finding, NotFit
from exercise_kit.programs.observer import ProgramObserver, ProgramRun
from virtual_cuda_tool.settings import Settings

_PIXELS, _TRAIN, _TEST = 16, 24, 6  # few small pictures: a run takes half a second
_ALWAYS = ("--data", "shapes", "--checkpoint", "run.pt", "--workers", "0", "--batch", "8")


class HoleObserver(ProgramObserver):
    """The facts of runs of train.py.

    weights: a digest of each tensor in the checkpoint, shown as "as they should be" if they equal
        those of the reference run, else as "others"; or the problem of the file. The reference run
        does not need the learner's part: on the CPU, without interruption.
    epochs, steps: from the log and the optimizer of the checkpoint.
    devices: for each run, the GPUs that held tensors.

    exercise: its parts are open. plain: the command-line words of the reference run, unless the
        data of a case have others.
    """

    gpus = 0
    says = "Running train.py with your cell in it, on machines with and without virtual GPUs …"
    counts = Path(__file__).with_name("counts.py")

    def __init__(self, exercise: str, plain: Sequence[str] = ("--epochs", "2")) -> None:
        super().__init__(LAUNCHER, "train.py")
        self._names = [hole.name for hole in HOLES if hole.exercise == exercise]
        self._stage = before(exercise)
        self._pictures, self._plain = pictures(), plain
        self._trained: dict[tuple[str, ...], Any] = {}

    def files(self, cell: str) -> Mapping[str, str | bytes]:
        """The program's files with the learner's cell. Raises NotFit if a part is missing."""
        missing = [name for name in self._names if name not in parts(cell)]
        if missing:
            open_ = parts("\n".join(self._stage.values()))
            heads = {name: f"`{open_[name].partition('(')[0]}`" for name in self._names}
            wanted = " and ".join(heads.values())
            raise NotFit(Finding("no-source", f"no {heads[missing[0]]}", f"a cell with {wanted}"))
        return {**put(self._stage, cell), **self._pictures}

    def run(self, folder: Path, words: Sequence[str], *args: Any, **given: Any) -> ProgramRun:
        """A run of the program. Raises NotFit if it wrote outside its folder."""
        run = super().run(folder, [*_ALWAYS, *words], *args, **given)
        if outside := [what for counts in run.counts for what in counts.get("outside", ())]:
            raise NotFit(Finding("outside", outside[0], "the program's folder alone"))
        return run

    def environment(self, devices: int) -> Mapping[str, str]:
        """The environment variables of a process that has so many devices."""
        return environment(devices)

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of some runs: their devices and the checkpoint."""
        used = [sorted({gpu for counts in run.counts for gpu in counts["used"]}) for run in runs]
        return {
            "devices": [[f"cuda:{gpu}" for gpu in gpus] for gpus in used],
            **self._checkpoint(folder / "run.pt"),
        }

    def _checkpoint(self, file: Path) -> dict[str, Any]:
        """The facts of the checkpoint, as a process reads it that never ran the program."""
        if not file.exists():
            return {"weights": "no checkpoint"}
        try:
            state = torch.load(file, map_location="cpu", weights_only=True)
            steps = int(state["optimizer"]["state"][0]["step"])
            return {"weights": digests(state), "epochs": len(state["log"]), "steps": steps}
        except Exception as error:
            return {"weights": f"a checkpoint that does not load: {type(error).__name__}"}

    def references(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """`weights`, `losses` and `generator` of the reference run, without the learner's part."""
        words = tuple(data.get("plain", self._plain))
        if words not in self._trained:
            with tempfile.TemporaryDirectory() as name:
                folder = self.write(Path(name), {**self._stage, **self._pictures})
                run = HoleObserver.run(self, folder, words)  # not the `run` of a subclass
                if run.end:
                    raise CourseError(f"train.py fails without your part: {run.printed}")
                state = torch.load(folder / "run.pt", weights_only=True)
                losses = [epoch["loss"] for epoch in state["log"]]
                found = {"weights": digests(state), "losses": losses}
                self._trained[words] = {**found, "generator": digest(state["generator"])}
        return self._trained[words]

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts as a learner reads them: weights are compared with the reference run."""
        weights = facts.get("weights")
        if not isinstance(weights, Mapping):
            return facts
        return {**facts, "weights": _compared(weights, references["weights"])}


def digests(state: Mapping[str, Any]) -> dict[str, str]:
    """The digest of each tensor of the model in a checkpoint, by name."""
    return {name: digest(tensor) for name, tensor in state["model"].items()}


def digest(tensor: torch.Tensor) -> str:
    """The SHA-256 digest of a tensor: its dtype, shape and values."""
    plain = (tensor.detach().flatten() + 0).view(torch.uint8)  # -0.0 is as good as 0.0
    kind = f"{tensor.dtype} {tensor.shape}".encode()
    return hashlib.sha256(kind + plain.numpy().tobytes()).hexdigest()


def environment(devices: int) -> dict[str, str]:
    """This process's environment, for a program that has so many virtual GPUs and no real ones."""
    dropped = {"CUDA_VISIBLE_DEVICES", *Settings().variables()}
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    if devices:
        env |= {
            **Settings(devices, nvidia_smi=False).variables(),
            "VIRTUAL_CUDA_HIDE_REAL_GPUS": "1",
        }
    else:
        env["CUDA_VISIBLE_DEVICES"] = ""
    env |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"}
    # The model is so small that threads would spend their time waiting for each other.
    return {**meeting_locally(), **env, "OMP_NUM_THREADS": "1"}


def pictures() -> dict[str, bytes]:
    """JPEG files, by path, for a run of half a second: dark and light noise, in two classes."""
    random = np.random.default_rng(0)
    files = {}
    for split, count in (("train", _TRAIN), ("test", _TEST)):
        for name, mean in (("dark", 90), ("light", 150)):
            for number in range(count // 2):
                pixels = random.normal(mean, 40, (_PIXELS, _PIXELS, 3)).clip(0, 255)
                out = io.BytesIO()
                Image.fromarray(pixels.astype(np.uint8)).save(out, "JPEG", quality=90)
                files[f"shapes/{split}/{name}/{number}.jpg"] = out.getvalue()
    return files


def _compared(weights: Mapping[str, str], plain: Mapping[str, str]) -> str:
    if list(weights) != list(plain):
        return f"other keys: {', '.join(map(str, [*weights][:3]))} …"
    return "as they should be" if weights == plain else "others"
