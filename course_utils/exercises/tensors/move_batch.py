"""Observe `tensors.move_batch`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.tensors.material import build, tensors_in


class MoveBatch(Observer):
    """Facts: the result, the input afterwards, and which tensors are the very same objects."""

    name = "tensors.move_batch"
    parameters = ("batch", "device")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        batch = build(data["batch"])
        before = list(tensors_in(batch))
        result = answer(batch, torch.device(data["device"]))
        same = [old is new for old, new in zip(before, tensors_in(result), strict=False)]
        return {"result": describe(result), "after": describe(batch), "same": same}
