"""Observe `fix_retry`: its result, and the batches that it tries with little memory."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import build
from exercise_kit import Facts
from exercise_kit.facts import name_of
from exercise_kit.observers import OneCall, attempt

from ..collection import garbage_kept

_NUMBERS = 2**20
"""Numbers of the hidden layer for each row: 4 MiB."""


class Hidden(nn.Module):
    """A model that needs twice 4 MiB for each row of a batch; a graph keeps half of it.

    A row with a number of 10 or more needs another 4 MiB.

    _tried: the rows of each call. _budget: the MiB that the process may allocate. _fails: whether
    it has a fault of its own.
    """

    def __init__(self, described: Mapping[str, Any]) -> None:
        super().__init__()
        gpu = described["device"]
        torch.cuda.empty_cache()
        self.weight = nn.Parameter(torch.full((_NUMBERS,), 2.0**-10, device=gpu))
        # The weight has 4 MiB of a segment of 20 MiB; this takes the rest.
        self._rest = torch.empty(16 * 2**20, dtype=torch.uint8, device=gpu)
        self._budget, self._fails = described["budget"], described["fails"]
        self._tried: list[int] = []

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """The square of each number in a batch of the shape (rows, 1)."""
        self._tried.append(len(batch))
        if self._fails:
            raise RuntimeError("The model has a fault.")
        hidden = batch * self.weight
        more = torch.empty(int((batch >= 10).sum()), _NUMBERS, device=batch.device)
        squares = hidden.square()
        del more
        return squares.sum(dim=1)


class Retry(OneCall):
    """Facts: those of `OneCall`; `tried`, the rows of each call of the model; `graph`, whether the
    result has one; and `raised`, the type of an expected error or None.
    """

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        model, *_ = inputs
        facts = super().observe(answer, inputs)
        seen = {"tried": model._tried, "raised": self._raised, "graph": self._graph}
        changed = {} if model.weight.requires_grad else {"changed": ["model"]}
        return {**facts, **seen, **changed}

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result, while the process may allocate only the model's budget."""
        model, rows, _ = inputs
        torch.cuda.empty_cache()
        total = torch.cuda.get_device_properties(rows.device).total_memory
        allowed = torch.cuda.memory_reserved(rows.device) + model._budget * 2**20
        torch.cuda.set_per_process_memory_fraction(allowed / total, rows.device)

        def expected(error: BaseException) -> bool:
            return model._fails or isinstance(error, torch.OutOfMemoryError)

        rest = _rest_of(rows.device)
        try:
            with garbage_kept():
                result, error = attempt(lambda: answer(*inputs), expected)
                self._raised = error and name_of(type(error))
                del error  # and with it, the tensors of the answer's frames
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0, rows.device)
            del rest
        self._graph = isinstance(result, torch.Tensor) and result.requires_grad
        return result


def _rest_of(gpu: torch.device) -> list[torch.Tensor]:
    """Tensors in each free block of PyTorch's large segments: of a notebook, or an earlier case.

    In such a block, a batch would fit that is larger than the budget.
    """
    blocks = [
        block
        for segment in torch.cuda.memory_snapshot()
        if segment["device"] == gpu.index and segment["segment_type"] == "large"
        for block in segment["blocks"]
        if block["state"] == "inactive"
    ]
    return [torch.empty(block["size"], dtype=torch.uint8, device=gpu) for block in blocks]


observer = Retry(make={"model": Hidden, "rows": build})
