"""Observe `fix_flags`: the results, and what the call changed or copied."""

from collections.abc import Callable
from typing import Any

import torch

from course_utils.checking.observers import DeviceCall, build
from exercise_kit import Facts


class MendFlags(DeviceCall):
    """Facts: `changed`; the `keys` and `results` of the dict, or the `form` of something else.

    current: whether the current GPU, which is not `device`, is the same afterwards. again: whether
    "move" is a copy on the batch's own device. inward: the number of copies to GPUs. outward: the
    bytes that were copied to the CPU.
    """

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result, while a GPU other than `device` is the current one."""
        _, batch, device = inputs
        current = device.index % 3 + 1
        with torch.cuda.device(current):
            result = super().call(answer, inputs)
            self._kept = torch.cuda.current_device() == current
        moved = result.get("move") if isinstance(result, dict) else None
        self._again = (
            isinstance(moved, torch.Tensor)
            and moved.device == batch.device
            and moved.data_ptr() != batch.data_ptr()
        )
        return result

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        facts = super().observe(answer, inputs)
        result = facts["result"]
        if result["type"] != "dict":
            return {"changed": facts["changed"], "form": result}
        keys = [str(key.get("value")) for key in result["keys"]]
        return {
            "changed": facts["changed"],
            "keys": sorted(keys),
            "results": dict(zip(keys, result["items"], strict=True)),
            "current": self._kept,
            "again": self._again,
            "inward": sum(n for _, target, n in facts["copies"] if target != "cpu"),
            "outward": sum(size for _, target, size in facts["bytes"] if target == "cpu"),
        }


observer = MendFlags(make={"batch": build, "device": torch.device})
