"""Observe `save_checkpoint`: the bytes of its file, and what has become of the model."""

import base64
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.nn.parallel import DistributedDataParallel

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe

from ..observing import fill, model_of

_MOST_BYTES = 300_000  # a hundred times what a checkpoint of this model takes

Inputs = tuple[torch.nn.Module, torch.optim.Optimizer]


class SaveCheckpoint(Observer):
    """Facts: `file` (base64, None if there is none) and `changed` (what is not as before)."""

    parameters = ("model", "optimizer", "path")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        model: torch.nn.Module = model_of(data["names"]).to(data["device"])
        fill(model.state_dict().values(), data["values"])
        parameters = [*model.parameters()]
        optimizer = torch.optim.SGD(parameters, lr=data["lr"], momentum=data["momentum"])
        if data["trained"]:
            gradients = model_of(data["names"]).state_dict()
            fill(gradients.values(), data["gradients"])
            for key, parameter in model.named_parameters():
                parameter.grad = gradients[key].to(parameter.device)
            optimizer.step()
        if data["only_part"]:
            model = torch.nn.Sequential(OrderedDict({data["only_part"].strip("."): model}))
        model.train(data["training"])
        for name in data["wrappers"]:
            model = WRAPPERS[name](model).train(data["training"])
        return model, optimizer

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        model, optimizer = inputs
        before = _look(model, optimizer)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.pt"
            answer(model, optimizer, str(path))
            content = path.read_bytes()[:_MOST_BYTES] if path.is_file() else None
        after = _look(model, optimizer)
        return {
            "file": None if content is None else base64.b64encode(content).decode(),
            "changed": [name for name in before if after[name] != before[name]],
        }


def _look(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    return {
        "training": [module.training for module in model.modules()],
        "model": describe(dict(model.state_dict())),
        "gradients": [(p.requires_grad, describe(p.grad)) for p in model.parameters()],
        "optimizer": describe(optimizer.state_dict()),
    }


def _distributed(model: torch.nn.Module) -> torch.nn.Module:
    """A DistributedDataParallel around `model`, without the other processes it would talk to."""
    wrapper = DistributedDataParallel.__new__(DistributedDataParallel)
    torch.nn.Module.__init__(wrapper)
    wrapper.module = model
    return wrapper


def _compiled(model: torch.nn.Module) -> Any:
    """Nothing is ever run, so the compiler itself need not be loaded."""
    return torch.compile(model, backend="eager")


WRAPPERS: dict[str, Callable[[torch.nn.Module], Any]] = {
    "DataParallel": torch.nn.DataParallel,
    "DistributedDataParallel": _distributed,
    "compile": _compiled,
}
