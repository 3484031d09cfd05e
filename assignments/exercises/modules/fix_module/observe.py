"""Observe `fix_module`: results and copies of a run, and one more batch after a move."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.experiments.copies import count_copies
from course_utils.experiments.waits import with_waits
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text
from exercise_kit.observers import settled

Batch = tuple[torch.Tensor, torch.Tensor]
"""Padded sequences, and the length of each."""


def _batch(described: Mapping[str, Any], device: str) -> Batch:
    """A padded batch and its lengths. Its padding is not 0, so that a step too many shows."""
    lengths = torch.tensor(described["lengths"], device=device)
    return torch.tensor(described["batch"], device=device), lengths


class MendModule(Observer):
    """Facts: `results`, `copies`, `read`, `checkpoint` and `parameters` (names).

    read: the number of single numbers that were fetched from a GPU.
    later_result, later_copies, later_read and later_waits, or later_raised: of one more batch after
    a further move. (A tensor made of Python's numbers on a GPU is a wait.)
    """

    def prepare(self, data: Mapping[str, Any]) -> tuple[list[Batch], int, torch.device, Batch]:
        """The batches, the width, the device of the run, and the batch after it."""
        batches = [_batch(one, data["start"]) for one in data["batches"]]
        then = _batch(data["later"], data["then"])
        return batches, data["width"], torch.device(data["device"]), then

    def observe(
        self,
        answer: Callable[..., Any],
        inputs: tuple[list[Batch], int, torch.device, Batch],
    ) -> Facts:
        """The facts of one call, and of one more batch."""
        batches, width, device, then = inputs
        with count_copies() as copies:
            back = settled(answer(batches, width, device))
        pair = isinstance(back, tuple | list) and len(back) == 2
        if not pair or not isinstance(back[0], tuple | list) or not isinstance(back[1], nn.Module):
            return {"form": describe(back)}
        results, model = back
        return {
            "results": [describe(result) for result in results],
            "copies": copies.total,
            "read": copies.numbers_read,
            # By the methods of torch's class: those of the answer's can tell and do other things.
            "checkpoint": sorted(map(str, nn.Module.state_dict(model))),
            "parameters": sorted(name for name, _ in nn.Module.named_parameters(model)),
            **_later(model, then),
        }


def _later(model: nn.Module, then: Batch) -> dict[str, Any]:
    try:
        nn.Module.to(model, then[0].device)
        with count_copies() as copies:
            result, waits = with_waits(model, *then)
    except Exception as error:  # of the model, which the engine cannot know
        return {"later_raised": raised_text(error)}
    return {
        "later_result": describe(result),
        "later_copies": copies.total,
        "later_read": copies.numbers_read,
        "later_waits": waits,
    }
