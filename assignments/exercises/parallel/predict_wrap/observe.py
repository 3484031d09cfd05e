"""Observe `predict_wrap`: called once; a shape may come as torch gives it."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class PredictWrap(Observer):
    """Facts: `result`, described, and `changed`, which numbers never are."""

    parameters = ("wraps", "gpus", "batch", "calls")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        said = answer(*(inputs[name] for name in self.parameters))
        if type(said) is dict:
            said = {k: list(v) if isinstance(v, torch.Size) else v for k, v in said.items()}
        return {"result": describe(said), "changed": []}


observer = PredictWrap()
