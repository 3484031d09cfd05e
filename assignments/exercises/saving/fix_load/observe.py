"""Observe `fix_load`: the outputs, where they and the model lie, and the copies between devices.

The machine that is made believe here has fewer GPUs than the one that saved the file.
"""

from collections import OrderedDict

import torch

from exercise_kit.facts import describe
from exercise_kit.observers import entries

from ..observing import Loading, fill


class MendLoad(Loading):
    """Facts: `outputs`, or else `form`, and `model` (where it is), beside those of `Loading`."""

    def content(self, data):
        wrapped = torch.nn.DataParallel(model_of(data["trained"]))
        tensors = {name: torch.tensor(data[name]) for name in ("mean", "std")}
        return {"model": wrapped.state_dict(), **tensors}

    def model(self, data):
        return model_of(data["own"])

    def facts(self, result, model):
        if not isinstance(result, list | tuple):
            return {"form": describe(result)}
        devices = {str(tensor.device) for _, tensor in entries(model)}
        outputs = [describe(output) for output in result]
        return {"outputs": outputs, "model": ", ".join(sorted(devices))}


def model_of(values):
    """Two inputs, two hidden units, one output. A name of it holds that of the wrapper."""
    hidden = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    layers = {"linear_module": hidden, "output": torch.nn.Linear(2, 1)}
    model = torch.nn.Sequential(OrderedDict(layers))
    fill(model.state_dict().values(), values)
    return model
