"""Observe `mean_loss`: its result, and how often the program waited for a GPU."""

import math
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from typing import Any
from unittest import mock

import torch

import virtual_cuda
from course_utils.checking.observers import build
from course_utils.experiments.waits import with_waits
from exercise_kit import Facts
from exercise_kit.observers import OneCall


class Saved:
    """A tensor that a graph keeps for `backward`; `alive` and `all` count such tensors."""

    def __init__(self, tensor: torch.Tensor, counts: dict[str, int]) -> None:
        self.tensor, self.counts = tensor, counts
        counts["all"] += 1
        counts["alive"] += 1
        counts["most"] = max(counts["most"], counts["alive"])

    def __del__(self) -> None:
        self.counts["alive"] -= 1


class CallThatWaits(OneCall):
    """Facts: those of `OneCall`, and `waits`, the warnings of `set_sync_debug_mode("warn")`.

    synchronized: the number of calls of `synchronize`, of which it does not always warn.
    early: whether numbers were read before their copy was there, which virtual GPUs know.
    graphs: the number of batches whose graphs were in memory at the same time.
    """

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        self._waits, self._synchronized, self._early = 0, 0, False
        counts, weight = {"all": 0, "alive": 0, "most": 0}, inputs[1]
        learned = weight.requires_grad
        saving = torch.autograd.graph.saved_tensors_hooks
        with saving(lambda tensor: Saved(tensor, counts), lambda saved: saved.tensor):
            facts = super().observe(answer, inputs)
        graphs = math.ceil(counts["most"] * len(inputs[0]) / max(1, counts["all"]))
        seen = {"early": self._early, "synchronized": self._synchronized, "waits": self._waits}
        changed = weight.requires_grad != learned or weight.grad is not None
        return {**facts, **seen, "graphs": graphs, **({"changed": ["weight"]} if changed else {})}

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result; counts waits and calls of `synchronize`."""
        traced = virtual_cuda.trace() if virtual_cuda.is_enabled() else nullcontext()
        with traced as trace, ExitStack() as counting:
            for owner in (torch.cuda, torch.accelerator, torch.cuda.Stream, torch.cuda.Event):
                counted = self._counted(owner.synchronize)
                counting.enter_context(mock.patch.object(owner, "synchronize", counted))
            result, self._waits = with_waits(answer, *inputs)
        self._early = bool(trace and trace.hazards)
        return result

    def _counted(self, synchronize: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self._synchronized += 1
            return synchronize(*args, **kwargs)

        return counted


def made(value: Any) -> Any:
    """The list of tensors of a list of descriptions, or the tensor of a description.

    The tensor requires gradients if the description has the key `learned`.
    """
    if isinstance(value, list):
        return [build(each) for each in value]
    return build(value).requires_grad_("learned" in value)


observer = CallThatWaits(make=made)
