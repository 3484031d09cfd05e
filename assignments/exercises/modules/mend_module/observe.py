"""Observe `mend_module`: results and copies of a run, and one more batch after a move."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

from ..observing import raised_text

Batch = tuple[torch.Tensor, torch.Tensor]


def _batch(described: Mapping[str, Any], device: str) -> Batch:
    """A padded batch. The padding is no zero, so that a step too many shows."""
    lengths = torch.tensor(described["lengths"], device=device)
    return torch.tensor(described["batch"], device=device), lengths


class MendModule(Observer):
    """Facts: `results`, `copies`, `read`, `checkpoint` and `parameters` (names), and `later`.

    read: the number of single numbers that were fetched from a GPU.
    later: `result`, `copies` and `read`, or `raised`, of one more batch after a further move.
    """

    parameters = ("batches", "width", "device")

    def prepare(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        batches = [_batch(one, data["start"]) for one in data["batches"]]
        then = _batch(data["later"], data["then"])
        return batches, data["width"], torch.device(data["device"]), then

    def observe(self, answer: Callable[..., Any], inputs: tuple[Any, ...]) -> Facts:
        batches, width, device, then = inputs
        with count_copies() as copies:
            back = answer(batches, width, device)
        pair = isinstance(back, tuple | list) and len(back) == 2
        if not pair or not isinstance(back[0], tuple | list) or not isinstance(back[1], nn.Module):
            return {"form": describe(back)}
        results, model = back
        return {
            "results": [describe(result) for result in results],
            "copies": copies.total,
            "read": copies.numbers_read,
            "checkpoint": sorted(map(str, model.state_dict())),
            "parameters": sorted(name for name, _ in model.named_parameters()),
            "later": _later(model, then),
        }


def _later(model: nn.Module, then: Batch) -> dict[str, Any]:
    try:
        model.to(then[0].device)
        with count_copies() as copies:
            result = model(*then)
    except Exception as error:  # of the model, which the engine cannot know
        return {"raised": raised_text(error)}
    return {"result": describe(result), "copies": copies.total, "read": copies.numbers_read}


observer = MendModule()
