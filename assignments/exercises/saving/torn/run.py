"""A program that loads a file and fails: what is wrong with the file follows from a number."""

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn

from exercise_kit.diagnosis import Program

from ..observing import save_tagged

GPUS = 1
CAUSES = ("cut", "text", "code", "size", "device", "prefix")

_TEXTS = (
    "<!DOCTYPE html>\n<html><head><title>404: Not Found</title></head><body>No such file.</body>\n",
    "version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n",
)
_MODEL = 'nn.ModuleDict({{"embed": nn.Linear(4, {0}), "out": nn.Linear({0}, 2)}})'
_LINES = {"cut": 4, "text": 4, "code": 4, "size": 5, "device": 6, "prefix": 7}


class _Note:
    """An object whose pickle opens a file for writing when it is read."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> Any:
        return open, (str(self._mark), "w")


class _Plan:
    """The files of a run and its program, as they follow from its number."""

    def __init__(self, run: int) -> None:
        rng = self._rng = random.Random(f"torn in run {run}")
        self.cause = rng.choice(CAUSES)
        widths = rng.sample((8, 12, 16, 20), 2)
        self.width, self.shown = widths[0], widths[self.cause == "size"]
        self.weights, self.older = self._state(), self._state()
        self.names = rng.sample(("epoch_7.pt", "epoch_8.pt"), 2)  # the older one, and a decoy
        self.tag = f"cuda:{rng.randint(5, 9)}" if self.cause == "device" else "cpu"
        self.decoy = rng.choice([each for each in ("cut", "text", "empty") if each != self.cause])
        self.empty, self.kept, self.text = (
            rng.random() < 0.3,
            rng.uniform(0.2, 0.8),
            rng.choice(_TEXTS),
        )
        self.digest = f"{rng.getrandbits(256):064x}"

    def _state(self) -> dict[str, torch.Tensor]:
        model = nn.ModuleDict({"embed": nn.Linear(4, self.width), "out": nn.Linear(self.width, 2)})
        return {
            key: torch.tensor([self._rng.randint(-9, 9) for _ in range(each.numel())])
            .to(each.dtype)
            .reshape(each.shape)
            for key, each in model.state_dict().items()
        }

    def write(self, folder: Path) -> None:
        """Write the three files of the run."""
        content: dict[str, Any] = dict(self.weights)
        if self.cause == "prefix":
            content = {f"module.{key}": tensor for key, tensor in content.items()}
        if self.cause == "code":
            content["note"] = _Note(_mark(folder))
        older, decoy = self.names
        save_tagged(self.older, folder / older, ["cpu"])
        save_tagged(content, folder / "model.pt", [self.tag])
        self._spoil(
            folder / "model.pt", "empty" if self.cause == "cut" and self.empty else self.cause
        )
        save_tagged(self.weights, folder / decoy, ["cpu"])
        self._spoil(folder / decoy, self.decoy)

    def _spoil(self, path: Path, how: str) -> None:
        whole = path.read_bytes()
        if how in ("cut", "empty"):
            path.write_bytes(whole[: int(self.kept * len(whole))] if how == "cut" else b"")
        if how == "text":
            path.write_text(self.text.format(digest=self.digest, size=len(whole)), encoding="utf-8")


def _mark(folder: Path) -> Path:
    return folder / "mark"


def draw(run: int) -> Program:
    """The program of the run with this number."""
    plan = _Plan(run)
    lines = [
        f"# `folder` contains the files of run {run}",
        "import torch",
        "from torch import nn",
        'path = folder / "model.pt"',
        f"model = {_MODEL.format(plan.shown)}",
        "state_dict = torch.load(path)",
        "model.load_state_dict(state_dict)",
    ]
    line = _LINES[plan.cause]
    innocent = {4: "file-right", 5: "model-right", 6: "reads-right", 7: "loads-right"}
    if line == 4:
        innocent[6] = "refuses-rightly"
    innocent.pop(line)
    right = plan.older if line == 4 else plan.weights
    harms = plan.cause == "code"  # whatever line is changed
    return Program(lines, line, plan.cause, {"weights": _sums(right)}, innocent, harms)


def _sums(state: Mapping[str, torch.Tensor]) -> dict[str, float]:
    return {key: float(tensor.double().sum()) for key, tensor in state.items()}


def execute(source: str) -> dict[str, Any]:
    """weights: the sum of each tensor of the model, or a text. harm: the finding for a program that
    has run the code in a file."""
    found = re.search(r"run (\d+)", source.partition("\n")[0])
    run = int(found[1]) if found else 1
    return _in_folder(run, lambda folder: _executed(source, folder))


def _executed(source: str, folder: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"folder": folder}
    allowed = torch.serialization.get_safe_globals()
    try:
        exec(compile(source, "load.py", "exec"), names)
    except (Exception, SystemExit):
        if not _mark(folder).exists():
            raise
    finally:
        torch.serialization.clear_safe_globals()
        torch.serialization.add_safe_globals(allowed)
    if _mark(folder).exists():
        return {"harm": "ran-the-file"}
    model = names.get("model")
    if not isinstance(model, nn.Module):
        return {"weights": f"none: model is of type {type(model).__name__}"}
    return {"weights": _sums(model.state_dict())}


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which nothing was loaded, or None."""
    return "nothing-loaded" if "strict" in change else None


def _in_folder(run: int, use: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        _Plan(run).write(folder)
        return use(folder)


def show(run: int) -> str:
    """The program, its error, and the size and the first bytes of each file."""
    program = draw(run)
    return "\n".join([program.numbered(), "", *_in_folder(run, lambda f: _shown(program, f))])


def _shown(program: Program, folder: Path) -> list[str]:
    listed = ["The files, with their first 64 bytes:"]
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        listed.append(f"{file.name:10} {len(data):6,} bytes  {data[:64]!r}")
    try:
        _executed("\n".join(program.lines), folder)
    except Exception as error:
        said = re.sub(r"\x1b\[\d+m", "", f"{type(error).__name__}: {error}").rstrip()
        return [said.replace(str(folder), "folder"), "", *listed]
    return listed
