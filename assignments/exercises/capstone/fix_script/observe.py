"""Observe `fix_script`: the weights it returns, who computed on what, and what crossed over."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.observers import settled
from exercise_kit.stand_ins import visible

from ..observing import Notes, Noting


class MendScript(Observer):
    """Facts: `result`, `trained` (the values of net itself), `runs`, `bytes` by route, `kept`."""

    parameters = ("net", "inputs", "labels", "epochs")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        notes = Notes()
        net = Noting(3, 2, notes)
        with torch.no_grad():
            net.linear_module.weight.copy_(torch.tensor(inputs["weight"]))
            net.linear_module.bias.copy_(torch.tensor(inputs["bias"]))
        net.register_buffer("unit", torch.ones(1))  # of the state dict, and no parameter
        x, y = torch.tensor(inputs["x"]), torch.tensor(inputs["y"])
        before = x.tolist(), y.tolist()
        with visible(inputs["gpus"], answer), count_copies() as notes.copies:
            result = settled(answer(net, x, y, inputs["epochs"]))
            moved = dict(notes.copies.bytes_by_route)
            read = notes.copies.numbers_read
        return {
            "result": describe(result),
            "trained": [p.detach().flatten().tolist() for p in net.parameters()],
            "runs": notes.runs,
            "bytes": [[source, target, n] for (source, target), n in moved.items()],
            "read": read,
            "kept": (x.tolist(), y.tolist()) == before,
        }
