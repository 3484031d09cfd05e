"""Observe `weights`: the file, the model that is loaded, and the model that is saved."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import torch
from torch import nn

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.observers import entries
from exercise_kit.stand_ins import visible

from ..observing import fill, model_of

_SERVER = 3
"""The index of the GPU with the trained model. The machine that loads has fewer GPUs."""


class Weights(Observer):
    """Facts: `keys` of the file, or a text; whether it was `read`; `loaded`: whether the model has
    the saved weights, or how many of its tensors; its `device`; what was `returned`; and whether
    `trained` is as before.
    """

    gpus = _SERVER + 1

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The trained model, a model of the same form, and the data."""
        trained: nn.Module = model_of(data["names"]).to(f"cuda:{_SERVER}")
        fill(trained.state_dict().values(), data["values"])
        if data["wrapped"]:
            trained = nn.DataParallel(trained, device_ids=[_SERVER])
        return trained, model_of(data["names"]), data

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call."""
        trained, model, data = inputs
        before = _state(trained)
        with TemporaryDirectory() as folder, visible(data["gpus"], answer):
            path = f"{folder}/weights.pt"
            with _opened() as files:
                result = answer(trained, path, model, torch.device(data["device"]))
            keys = _keys(Path(path))
        state, right = _state(model), [values for _, values in before.values()]
        same = [mine == values for (_, mine), values in zip(state.values(), right, strict=True)]
        return {
            "loaded": "those of the trained model" if all(same) else f"{sum(same)} of {len(same)}",
            "keys": keys,
            "read": bool(files),
            "device": ", ".join(sorted({device for device, _ in state.values()})),
            "returned": "the model" if result is model else describe(result),
            "trained": _state(trained) == before,
        }


@contextmanager
def _opened() -> Iterator[list[Any]]:
    """The files that `torch.load` opens, under whatever name the answer calls it."""
    files: list[Any] = []
    of_torch = torch.serialization._open_file_like

    def noted(file: Any, mode: str) -> Any:
        files.extend([file] if mode == "rb" else [])
        return of_torch(file, mode)

    with mock.patch.object(torch.serialization, "_open_file_like", noted):
        yield files


def _state(model: nn.Module) -> dict[str, tuple[str, list[Any]]]:
    return {key: (str(tensor.device), tensor.tolist()) for key, tensor in entries(model)}


def _keys(path: Path) -> Sequence[str] | str:
    """The keys of the state dict in a file, or what is there instead."""
    if not path.exists():
        return "no file"
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        return f"none: {type(error).__name__}"
    return [*map(str, found)] if isinstance(found, Mapping) else f"none: {type(found).__name__}"
