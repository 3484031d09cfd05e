"""Observe `step_in_parts`: forward, backward, exchange and step in order, and the weights."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.checking.observers import linear, weights
from exercise_kit.contract import Facts, Observer
from exercise_kit.stand_ins import standing_in


class _Watched(nn.Module):
    """A linear model that notes the first values of the samples that it runs on, their tags, and
    whether DDP ran it."""

    def __init__(self, data: Mapping[str, Any], log: list[Any]) -> None:
        super().__init__()
        self.linear = linear(data["weight"], data["bias"])
        self._log = log
        self._through_ddp = False

    def forward(self, x: Tensor) -> Tensor:
        self._log.append(["forward", x[:, 0].tolist(), self._through_ddp])
        out = self.linear(x)
        if out.requires_grad:
            out.register_hook(lambda gradient: self._log.append(["backward"]))
        return out


class _Wrapper(DistributedDataParallel):
    """DDP that lets the model inside know when it is called through the wrapper."""

    def forward(self, x: Tensor) -> Tensor:
        self.module._through_ddp = True
        try:
            return super().forward(x)
        finally:
            self.module._through_ddp = False


@contextmanager
def _one_rank_of_two(answer: Callable[..., Any]) -> Iterator[None]:
    """A process group of one, if the notebook has none; asked for its size, it says two."""
    opened, excepthook = not dist.is_initialized(), sys.excepthook
    if opened:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        with standing_in({"torch.distributed.get_world_size": lambda group=None: 2}, answer):
            yield
    finally:
        if opened:
            dist.destroy_process_group()
            sys.excepthook = excepthook  # torch puts its own around it for each group


class StepInParts(Observer):
    """Facts: for each step the log and the weights afterwards; whether the inputs are unchanged."""

    parameters = ("model", "optimizer", "batch", "targets", "parts")
    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        with _one_rank_of_two(answer):
            return self._observe(answer, inputs)

    def _observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        log: list[Any] = []
        inner = _Watched(inputs, log)
        model = _Wrapper(inner)
        other = inputs["other"]  # all of the other rank's gradients

        def exchange(state: None, bucket: dist.GradBucket) -> torch.futures.Future[Tensor]:
            mine = bucket.buffer()
            log.append(["exchange"])
            finished: torch.futures.Future[Tensor] = torch.futures.Future()
            finished.set_result((mine + other) / 2)
            return finished

        model.register_comm_hook(None, exchange)
        optimizer = torch.optim.SGD(model.parameters(), lr=inputs["lr"])
        optimizer.register_step_post_hook(lambda *_: log.append(["step"]))
        if inputs["stale"]:
            for parameter in model.parameters():
                parameter.grad = torch.full_like(parameter, inputs["stale"])
        steps, kept = [], True
        for batch, targets in inputs["batches"]:
            log.clear()
            x, y = torch.tensor(batch), torch.tensor(targets)
            answer(model, optimizer, x, y, inputs["parts"])
            steps.append({"log": log[:200], "weights": weights(inner)})
            kept &= x.tolist() == batch and y.tolist() == targets
        return {"steps": steps, "inputs_kept": kept}
