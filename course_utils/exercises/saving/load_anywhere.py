"""Observe `saving.load_anywhere`."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.exercises.saving.material import described, fill, net_of, save_tagged, visible
from course_utils.experiments.copies import count_copies

_BOARDED: list[bool] = []


def _board() -> None:
    _BOARDED.append(True)


class Stowaway:
    """Runs a function when it is unpickled, as a file from a stranger may."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _board, ()


class LoadAnywhere(Observer):
    """Facts: the model afterwards, the copies between devices, the file, what was raised."""

    name = "saving.load_anywhere"
    parameters = ("path", "model", "device")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weights.pt"
            _write(path, data)
            before = path.read_bytes()
            model = net_of(data["names"]).to(data["start"], getattr(torch, data["dtype"]))
            fill([*model.parameters()], [0.0] * 13)
            parameters = [*model.parameters()]
            device = torch.device(data["device"])
            _BOARDED.clear()
            raised, result = "", None
            with count_copies() as copies, visible(data["gpus"]):
                try:
                    result = answer(str(path), model, device)
                except Exception as error:
                    raised = type(error.__cause__ or error).__name__
                    if not data["fault"] or raised == "NotImplementedError":
                        raise
            return {
                "raised": raised,
                "ran": bool(_BOARDED),
                "returned": "the model" if result is model else type(result).__name__,
                "state": described(model.state_dict()),
                "same": all(map(lambda old, new: old is new, parameters, model.parameters())),
                "file": path.exists() and path.read_bytes() == before,
                "copies": sorted({target for _, target in copies.by_route}),
            }


def _write(path: Path, data: Mapping[str, Any]) -> None:
    net = net_of(data["names"])
    fill([*net.parameters()], data["values"])
    content: dict[str, Any] = net.state_dict()
    first, second = data["tags"]
    body = [tensor for key, tensor in content.items() if key.startswith(data["names"][0])]
    tags = {tensor.untyped_storage().data_ptr(): first for tensor in body}
    if data["fault"] == "prefixed":
        content = {f"module.{key}": tensor for key, tensor in content.items()}
    if data["fault"] == "objects":
        content["notes"] = Stowaway()
    save_tagged(content, path, tags=tags, default=second)
