"""Observe `fix_spread`: the tensors, and whether another GPU is current after the call."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.observers import OneCall


class MendSpread(OneCall):
    """Facts: `changed`; `values`, `dtypes` and `devices` of the tensors; and `current`.

    form: a result that is no list of tensors. current: the index of the current GPU after the call.
    """

    gpus = None

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs of the case, and GPU 1, which is current during the call."""
        return range(max(2, data["gpus"]))

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call, made while GPU 1 is the current one."""
        with torch.cuda.device(1):  # not the one that an answer would put back by habit
            facts = super().observe(answer, inputs)
            current = torch.cuda.current_device()
        result = facts["result"]
        items = result["items"] if result["type"] in ("list", "tuple") else [result]
        if items == [result] or any(item["type"] != "Tensor" for item in items):
            return {"changed": facts["changed"], "form": result}
        return {
            "changed": facts["changed"],
            "values": [item["values"] for item in items],
            "dtypes": [item["dtype"] for item in items],
            "devices": ", ".join(item["device"] for item in items),
            "current": current,
        }
