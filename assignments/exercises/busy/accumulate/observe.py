"""Observe `accumulate`: weights and losses step by step, and forward and backward in order."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import linear, weights
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe


class _Watched(nn.Module):
    """A linear model that notes its forward passes (their samples' tags) and backward passes."""

    def __init__(self, data: Mapping[str, Any], log: list[Any]) -> None:
        super().__init__()
        self.linear = linear(data["weight"], data["bias"])
        self._log = log

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self._log.append(["forward", x[:, 0].tolist(), str(x.device)])
        out = self.linear(x)
        if out.requires_grad:
            out.register_hook(lambda gradient: self._log.append(["backward"]))
        return out


class Accumulate(Observer):
    """Facts: for each step what came back, the weights, the log; and what must not change."""

    parameters = ("model", "optimizer", "batch", "targets", "size")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        log: list[Any] = []
        device = inputs["device"]
        model = _Watched(inputs, log).to(device)
        optimizer = torch.optim.SGD(
            model.parameters(), lr=inputs["lr"], momentum=inputs["momentum"]
        )
        optimizer.register_step_post_hook(lambda *_: log.append(["step"]))
        if inputs["stale"]:
            for parameter in model.parameters():
                parameter.grad = torch.full_like(parameter, inputs["stale"])
        steps, kept = [], True
        for batch, targets in inputs["batches"]:
            log.clear()
            x, y = torch.tensor(batch, device=device), torch.tensor(targets, device=device)
            result = answer(model, optimizer, x, y, inputs["size"])
            steps.append(
                {
                    "result": describe(result),
                    "log": log[:200],
                    "weights": weights(model),
                }
            )
            kept &= x.tolist() == batch and y.tolist() == targets
        devices = sorted({str(p.device) for p in model.parameters()})
        return {"steps": steps, "inputs_kept": kept, "devices": devices}
