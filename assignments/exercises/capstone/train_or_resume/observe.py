"""Observe `train_or_resume`: run after run, some of them killed, and the file after each."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import nn

from course_utils.checking.observers import weights
from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.stand_ins import standing_in, visible

from ..observing import Killed, Notes, Noting, NotingLoader

INPUTS, OUTPUTS = 3, 2


class Train(Observer):
    """Facts: `runs`, each with what `_run` says, and `alone`: the orders of a run never stopped."""

    parameters = ("make_model", "loader", "epochs", "path", "seed")
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of the runs, up to one that leaves a file that cannot be read."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run" / "checkpoint.pt"
            path.parent.mkdir()
            runs = []
            for run in inputs["runs"]:
                if run.get("afresh"):
                    path.unlink(missing_ok=True)
                runs.append(_run(answer, inputs, run, path))
                if runs[-1]["killed"] and runs[-1]["file"].get("unreadable"):
                    break  # there is nothing to go on from
            alone = None
            if len(runs) > 1:
                once = {"gpus": 0, "epochs": inputs["runs"][-1]["epochs"]}
                alone = _run(answer, inputs, once, Path(folder) / "alone.pt")["orders"]
        return {"runs": runs, "alone": alone}


def _run(
    answer: Callable[..., Any], inputs: Mapping[str, Any], run: Mapping[str, Any], path: Path
) -> dict[str, Any]:
    """One call. Facts: `killed`, `result`, `first` (the drawn weights of each model), `parts` (the
    runs of the model), `orders` (tags, batch by batch), `steps` (copies), `file`, `in_place`."""
    notes = Notes()
    drawn: list[list[float]] = []

    def make_model() -> nn.Module:
        model = Noting(INPUTS, OUTPUTS, notes)
        model.train(run.get("training", True))
        drawn.append(weights(model))
        return model

    loader = NotingLoader(
        torch.tensor(inputs["x"]),
        torch.tensor(inputs["y"]),
        inputs["size"],
        notes,
        shuffle=True,
        kill=run.get("kill"),
    )
    # A second name for the old file: it keeps the old content only if the file is replaced.
    old = path.with_name("old.pt")
    old.unlink(missing_ok=True)
    if path.exists():
        os.link(path, old)
    before = old.read_bytes() if old.exists() else b""
    torch.seed()  # what was seeded before is none of the answer's merit
    result, killed = None, False
    killer: contextlib.AbstractContextManager[None] = _killed_saving(run.get("save"))
    if run.get("removal"):
        killer = _killed_by_removal(path, answer)
    with visible(run["gpus"], answer), count_copies() as notes.copies, killer:
        try:
            result = answer(
                make_model, loader, run["epochs"], str(path), run.get("seed", inputs["seed"])
            )
        except Exception as error:
            if not isinstance(error.__cause__, Killed):
                raise
            killed = True
    return {
        "killed": killed,
        "result": describe(result),
        "first": drawn,
        "parts": notes.runs,
        "orders": notes.epochs,
        "steps": notes.steps,
        "file": _look(path),
        "in_place": old.exists() and old.read_bytes() != before,
    }


@contextlib.contextmanager
def _killed_saving(number: int | None) -> Iterator[None]:
    """Kill the run while it writes its file of that number, 1 and up, which is left unfinished."""
    if number is None:
        yield
        return
    genuine, count = torch.serialization._save, 0

    def write(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        if count == number:
            raise Killed
        return genuine(*args, **kwargs)

    with mock.patch("torch.serialization._save", write):
        yield


def _killed_by_removal(
    path: Path, answer: Callable[..., Any]
) -> contextlib.AbstractContextManager[None]:
    """Kill the run as soon as it has removed the file at `path`, or given it another name."""

    def watched(genuine: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, *args: Any, **kwargs: Any) -> Any:
            ours = isinstance(source, str | os.PathLike) and Path(source) == path
            result = genuine(source, *args, **kwargs)
            if ours:
                raise Killed
            return result

        return call

    names = ("remove", "unlink", "rename", "replace")
    return standing_in({f"os.{name}": watched(getattr(os, name)) for name in names}, answer)


def _look(path: Path) -> dict[str, Any]:
    """What a reader with `weights_only=True` finds in the file: its form, weights and tags."""
    if not path.is_file():
        return {"missing": True}
    tags: dict[int, str] = {}

    def keep(storage: Any, tag: str) -> Any:
        tags[storage.data_ptr()] = tag
        return storage

    try:
        content = torch.load(path, map_location=keep, weights_only=True)
    except Exception as error:
        return {"unreadable": f"{type(error).__name__}: {str(error)[:200]}"}
    if not isinstance(content, dict):
        return {"other": type(content).__name__}
    model = content.get("model")
    if not isinstance(model, dict):
        return {"other": f"the keys {[*map(str, content)][:6]}", "epoch": None}
    tensors = {str(key): value for key, value in model.items() if isinstance(value, torch.Tensor)}
    return {
        "epoch": describe(content.get("epoch")),
        "model": {key: tensor.flatten().tolist() for key, tensor in tensors.items()},
        "tags": sorted({tags[t.untyped_storage().data_ptr()] for t in tensors.values()}),
    }
