"""Observe `move_batch`: what comes back, and which tensors are the very same objects."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import build, tensors_in


class MoveBatch(Observer):
    """Facts: `result`, `after` (the input afterwards) and `same` (tensor by tensor)."""

    parameters = ("batch", "device")

    def prepare(self, data: Mapping[str, Any]) -> tuple[Any, torch.device]:
        return build(data["batch"]), torch.device(data["device"])

    def observe(self, answer: Callable[..., Any], inputs: tuple[Any, torch.device]) -> Facts:
        batch, device = inputs
        before = list(tensors_in(batch))
        result = answer(batch, device)
        same = [old is new for old, new in zip(before, tensors_in(result), strict=False)]
        return {"result": describe(result), "after": describe(batch), "same": same}


observer = MoveBatch()
