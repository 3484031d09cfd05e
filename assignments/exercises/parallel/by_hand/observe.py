"""Observe `by_hand`: its loss and the gradients, and which part ran where."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from unittest import mock

import torch

from exercise_kit import Facts, Observer

from ..observing import Noting, called, number


class ByHand(Observer):
    """Facts: the loss as `result`, its `device`, and the gradients after a backward pass.

    ran: the GPU, the samples and the first value of each run of the model. wrapped: calls of
    `DataParallel`.
    """

    parameters = ("model", "batch", "targets", "devices")

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """Model, batch, targets and devices."""
        devices = [torch.device("cuda", gpu) for gpu in data["gpus"]]
        pair = torch.tensor(data["batch"]), torch.tensor(data["targets"])
        return Noting(data, devices[0]), *pair, devices

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call, and of the backward pass from its result."""
        model = inputs[0]
        home = sys.modules["torch.nn.parallel.data_parallel"]
        with mock.patch.object(home, "scatter_kwargs", wraps=home.scatter_kwargs) as scatter:
            seen = called(answer, [model], *inputs)
        loss, device = seen.result, None
        if isinstance(loss, torch.Tensor):
            device = str(loss.device)
            if loss.requires_grad and loss.numel() == 1:
                with suppress(RuntimeError):  # an answer may have called it already
                    loss.backward()
        gradients = {name: parameter.grad for name, parameter in model.named_parameters()}
        return {
            "wrapped": scatter.call_count,
            "ran": seen.runs[0],
            "result": number(loss),
            "device": device,
            "gradients": {n: None if g is None else g.tolist() for n, g in gradients.items()},
        }


observer = ByHand()
