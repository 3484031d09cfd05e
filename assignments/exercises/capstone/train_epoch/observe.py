"""Observe `train_epoch`: weights and losses epoch by epoch, who ran on what, and copies."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import weights
from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.stand_ins import visible

from ..observing import Notes, Noting, NotingLoader


class TrainEpoch(Observer):
    """Facts of each epoch: `result`, `weights`, `runs`, `steps`, and `count` of the optimizer's."""

    parameters = ("model", "loader", "optimizer")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call for each epoch, with one model and optimizer."""
        gpus = inputs["gpus"]
        net = Noting(3, 2, Notes())
        with torch.no_grad():
            net.linear_module.weight.copy_(torch.tensor(inputs["weight"]))
            net.linear_module.bias.copy_(torch.tensor(inputs["bias"]))
        net.to(inputs["device"])
        with visible(gpus, answer):
            model = nn.DataParallel(net) if inputs["wrapped"] else net
        model.train(inputs["training"])
        for parameter in net.parameters():
            parameter.grad = torch.full_like(parameter, inputs["stale"])
        optimizer = torch.optim.SGD(model.parameters(), lr=inputs["lr"])
        taken: list[int] = []
        optimizer.register_step_post_hook(lambda *_: taken.append(1))
        epochs = []
        for x, y in inputs["epochs"]:
            notes = net._notes = Notes()
            taken.clear()
            loader = NotingLoader(torch.tensor(x), torch.tensor(y), inputs["size"], notes)
            with visible(gpus, answer), count_copies() as notes.copies:
                result = answer(model, loader, optimizer)
            epochs.append(
                {
                    "result": describe(result),
                    "weights": weights(net),
                    "runs": notes.runs,
                    "steps": notes.steps,
                    "count": len(taken),
                }
            )
        return {"epochs": epochs}
