"""What the observers of this topic share: places as facts, and a module that is moved about."""

from itertools import chain

import torch
from torch import nn

from course_utils.checking.observers import build
from course_utils.experiments.copies import count_copies
from course_utils.experiments.waits import with_waits
from exercise_kit.contract import Observer
from exercise_kit.facts import describe, raised_text


def places(module):
    """Name and device of every parameter, then of every buffer."""
    tensors = chain(module.named_parameters(), module.named_buffers())
    return [[name, str(tensor.device)] for name, tensor in tensors]


class MovedAbout(Observer):
    """Moves the module that an answer makes to the device of each of the `batches`, and calls it.

    Its parameters get known values beforehand. Facts: `form`, of what is no module; `parameters`
    and `checkpoint`, names; `begins`, the devices it is made on; then `raised`, or `results`, and
    `copies` and `waits`, those of all calls. (A GPU tensor of Python's numbers is a wait.)
    """

    def prepare(self, data):
        values = [data[name] for name in self.parameters]
        arguments = [build(value) if isinstance(value, dict) else value for value in values]
        return arguments, [build(batch) for batch in data["batches"]]

    def observe(self, answer, inputs):
        arguments, batches = inputs
        module = answer(*arguments)
        if not isinstance(module, nn.Module):
            return {"form": describe(module)}
        facts = {
            "parameters": sorted(name for name, _ in module.named_parameters()),
            "checkpoint": sorted(map(str, module.state_dict())),
            "begins": sorted({device for _, device in places(module)}),
        }
        try:
            return facts | _called(module, batches)
        except Exception as error:  # of the module, which the engine cannot know
            return facts | {"raised": raised_text(error)}


def _called(module, batches):
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters(), start=1):
            parameter.fill_(number / 4)
    results, copies, waits = [], 0, 0
    for batch in batches:
        module.to(batch.device)
        with count_copies() as counted:
            result, waited = with_waits(module, batch)
        copies, waits = copies + counted.total, waits + waited
        results.append(describe(result))  # which copies it itself
    return {"results": results, "copies": copies, "waits": waits}
