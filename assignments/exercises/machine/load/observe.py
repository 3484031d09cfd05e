"""Observe `load`: its tensor, the other GPUs that it used, and which GPU is current after it."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.observers import DeviceCall
from exercise_kit import Facts


class Load(DeviceCall):
    """Facts: `changed`; `result`; `used`, the other GPUs that tensors were copied from; `current`.

    current: the index of the current GPU after the call.
    """

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs up to `card`."""
        return range(data["card"] + 1)

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call, made while GPU 0 is the current one."""
        with torch.cuda.device(0):
            facts = super().observe(answer, inputs)
            current = torch.cuda.current_device()
        sources = {source for source, _, _ in facts["copies"]} - {"cpu", f"cuda:{inputs[1]}"}
        return {
            "changed": facts["changed"],
            "result": facts["result"],
            "used": sorted(sources),
            "current": current,
        }


observer = Load()
