"""Observe `saving.save_checkpoint`."""

import pickle
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.nn.parallel import DistributedDataParallel

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.saving.material import described, fill, net_of


class SaveCheckpoint(Observer):
    """Facts: what lies in the file, as `weights_only=True` reads it, and the net afterwards."""

    name = "saving.save_checkpoint"
    parameters = ("net", "optimizer", "path")
    seconds = 30.0  # the first torch.compile of a process loads a compiler

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        net = net_of(data["names"]).to(data["device"])
        parameters = [*net.parameters()]
        fill(parameters, data["values"])
        optimizer = torch.optim.SGD(parameters, lr=data["lr"], momentum=data["momentum"])
        if data["trained"]:
            for parameter in parameters:
                parameter.grad = torch.zeros_like(parameter)
            fill([parameter.grad for parameter in parameters], data["gradients"])
            optimizer.step()
        wrapped: torch.nn.Module = net
        for name in data["wrappers"]:
            wrapped = WRAPPERS[name](wrapped)
        before = described(net.state_dict())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.pt"
            answer(wrapped, optimizer, str(path))
            facts = _content(path)
        return facts | {"net_kept": described(net.state_dict()) == before}


def _distributed(net: torch.nn.Module) -> torch.nn.Module:
    """A DistributedDataParallel around `net`, without the other processes it would talk to."""
    wrapper = DistributedDataParallel.__new__(DistributedDataParallel)
    torch.nn.Module.__init__(wrapper)
    wrapper.module = net
    return wrapper


WRAPPERS: dict[str, Callable[[torch.nn.Module], Any]] = {
    "DataParallel": torch.nn.DataParallel,
    "DistributedDataParallel": _distributed,
    "compile": torch.compile,
}


def _content(path: Path) -> dict[str, Any]:
    """The file as facts."""
    if not path.exists():
        return {"file": "none"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about files that torch.save did not write
            content = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        # A file without tags, keys and storages is refused in the same words.
        return {"file": "refused" if zipfile.is_zipfile(path) else "unreadable: no zip file"}
    except Exception as error:
        return {"file": f"unreadable: {type(error).__name__}"}
    if not isinstance(content, dict):
        return {"file": "read", "parts": [type(content).__name__]}
    facts: dict[str, Any] = {"file": "read", "parts": [str(part) for part in content]}
    model = content.get("model")
    if isinstance(model, dict):
        facts["model"] = described(model)
    if "optimizer" in content:
        facts["optimizer"] = describe(content["optimizer"])
    return facts
