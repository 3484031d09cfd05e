"""Observe `parts`: the exchanges that DDP makes, and the weights after the step."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from course_utils.checking.observers import linear, weights
from exercise_kit import Facts, Observer
from exercise_kit.stand_ins import standing_in


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


class Parts(Observer):
    """Facts: `runs`, the samples in each call of the model; whether all calls were `wrapped`;
    `exchanges`, and whether one was `last`, before the step; `held`, the most parts between their
    forward and their backward; `steps`; `weights`.

    The gradients of the other rank are all `other`.
    """

    parameters = ("model", "optimizer", "batches")
    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        with _one_rank_of_two(answer):
            return self._observe(answer, inputs)

    def _observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        log: list[Any] = []
        inner = linear(inputs["weight"], inputs["bias"])

        def ran(layer: nn.Module, args: Any, out: torch.Tensor) -> None:
            log.append(len(out))
            held.append(held[-1] + 1)
            if out.requires_grad:
                out.register_hook(lambda grad: held.append(held[-1] - 1))

        held = [0]
        inner.register_forward_hook(ran)
        model = nn.parallel.DistributedDataParallel(inner)

        def exchange(state: None, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
            log.append("exchange")
            finished: torch.futures.Future[torch.Tensor] = torch.futures.Future()
            finished.set_result((bucket.buffer() + inputs["other"]) / 2)
            return finished

        model.register_forward_pre_hook(lambda *_: log.append("wrapper"))
        model.register_comm_hook(None, exchange)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.125)
        optimizer.register_step_post_hook(lambda *_: log.append("step"))
        if inputs["stale"]:
            for parameter in model.parameters():
                parameter.grad = torch.full_like(parameter, inputs["stale"])
        answer(model, optimizer, [tuple(map(torch.tensor, pair)) for pair in inputs["batches"]])
        runs = [each for each in log if isinstance(each, int)]
        last = [each for each in log if each != "step"][-1:]
        return {
            "runs": runs[:100],
            "wrapped": log.count("wrapper") == len(runs),
            "exchanges": log.count("exchange"),
            "last": last == ["exchange"],
            "held": max(held),
            "steps": log.count("step"),
            "weights": weights(inner),
        }


observer = Parts()
