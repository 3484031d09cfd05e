"""Shared by observers: devices of a module's tensors, and calls of a module on several devices."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import build
from course_utils.experiments.copies import count_copies
from course_utils.experiments.waits import with_waits
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text


def places(module: nn.Module) -> list[list[str]]:
    """Name and device of every parameter, then of every buffer."""
    tensors = chain(module.named_parameters(), module.named_buffers())
    return [[name, str(tensor.device)] for name, tensor in tensors]


class MovedAbout(Observer):
    """Moves the module that an answer makes to the device of each of the `batches`, and calls it.

    Its parameters get known values beforehand. If the data have `stays`, it is not moved. Facts:
    `form`, the description of anything else; `parameters` and `checkpoint`, names; `begins`, the
    devices of its tensors at first; then `raised`, or `results`, and `copies` and `waits` of all
    calls, and whether one `changed` its batch. (A GPU tensor of Python's numbers is a wait.)
    """

    def prepare(self, data: Mapping[str, Any]) -> tuple[list[Any], list[torch.Tensor], bool]:
        """The arguments of the answer, the batches, and whether the module stays where it is."""
        values = [data[name] for name in self.parameters]
        arguments = [build(value) if isinstance(value, dict) else value for value in values]
        return arguments, [build(batch) for batch in data["batches"]], "stays" in data

    def observe(
        self, answer: Callable[..., Any], inputs: tuple[list[Any], list[torch.Tensor], bool]
    ) -> Facts:
        """The facts of the module that the answer returns."""
        arguments, batches, stays = inputs
        module = answer(*arguments)
        if not isinstance(module, nn.Module):
            return {"form": describe(module), "changed": []}
        facts = {
            "changed": [],
            "parameters": sorted(name for name, _ in module.named_parameters()),
            "checkpoint": sorted(map(str, module.state_dict())),
            "begins": sorted({device for _, device in places(module)}),
        }
        try:
            return facts | _called(module, batches, stays)
        except Exception as error:  # of the module, which the engine cannot know
            return facts | {"raised": raised_text(error)}


def _called(module: nn.Module, batches: Sequence[torch.Tensor], stays: bool) -> dict[str, Any]:
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters(), start=1):
            parameter.fill_(number / 4)
    results, copies, waits, before = [], 0, 0, [describe(batch) for batch in batches]
    for batch in batches:
        if not stays and module.to(batch.device) is not module:
            return {"raised": "its `to` does not return the module"}
        with count_copies() as counted:
            result, waited = with_waits(module, batch)
        copies, waits = copies + counted.total, waits + waited
        results.append(describe(result))  # which copies it itself
    changed = ["batch"] if [describe(batch) for batch in batches] != before else []
    return {"results": results, "copies": copies, "waits": waits, "changed": changed}
