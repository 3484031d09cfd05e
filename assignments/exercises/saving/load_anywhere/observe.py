"""Observe `load_anywhere`: the model afterwards, and what the loading touched on its way."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies
from course_utils.experiments.visible import visible

from ..observing import fill, gpus_of, model_of, save_tagged

_BOARDED: list[bool] = []


def _board() -> None:
    _BOARDED.append(True)


class Stowaway:
    """Runs a function when it is unpickled, as a file from a stranger may."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _board, ()


@dataclass
class Inputs:
    """refused: whether the file is one for which the answer has to raise."""

    folder: tempfile.TemporaryDirectory[str]
    path: Path
    model: torch.nn.Module
    device: torch.device
    gpus: int
    refused: bool


class LoadAnywhere(Observer):
    """Facts: `raised` (for a file to be refused), `ran` (code from the file), `returned`,
    `state`, `same` (the parameter objects), `file` (its bytes are as before), `gpus` (touched)."""

    parameters = ("path", "model", "device")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "weights.pt"
        _write(path, data)
        model = model_of(data["names"]).to(data["start"], getattr(torch, data["dtype"]))
        fill(model.state_dict().values(), [0.0] * 18)
        device = torch.device(data["device"])
        return Inputs(folder, path, model, device, data["gpus"], bool(data["fault"]))

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        model, path, raised, result = inputs.model, inputs.path, "", None
        with inputs.folder:
            before, parameters = path.read_bytes(), [*model.parameters()]
            _BOARDED.clear()
            with count_copies() as copies, visible(inputs.gpus, answer):
                try:
                    result = answer(str(path), model, inputs.device)
                except Exception as error:
                    if not inputs.refused:
                        raise
                    raised = type(error.__cause__ or error).__name__
            kept = path.exists() and path.read_bytes() == before
        pairs = zip(parameters, model.parameters(), strict=False)
        return {
            "raised": raised,
            "ran": bool(_BOARDED),
            "returned": "the model" if result is model else type(result).__name__,
            "state": {key: describe(tensor) for key, tensor in model.state_dict().items()},
            "same": all(old is new for old, new in pairs),
            "file": kept,
            "gpus": gpus_of(copies),
        }


def _write(path: Path, data: Mapping[str, Any]) -> None:
    model = model_of(data["names"])
    content: dict[str, Any] = model.state_dict()
    fill(content.values(), data["values"])
    first, second = data["tags"]
    body = {content[key].untyped_storage().data_ptr() for key in list(content)[:2]}
    if data["fault"] == "prefixed":
        content = {f"module.{key}": tensor for key, tensor in content.items()}
    if data["fault"] == "objects":
        content["notes"] = Stowaway()
    save_tagged(content, path, lambda storage: first if storage.data_ptr() in body else second)


observer = LoadAnywhere()
