"""Observe `load`: its tensor, the other GPUs that it used, and which GPU is current after it."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.observers import DeviceCall
from exercise_kit import Facts


class Load(DeviceCall):
    """Facts: `changed`; `result`; `used`, the other GPUs that tensors were copied from; `current`.

    current: the current GPU after the call. `current` in the data of a case is the index of the
    current GPU during the call, by default 0.
    """

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs up to `card`."""
        return range(max(data["card"], data.get("current", 0)) + 1)

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        """The arguments; the index of the current GPU is kept for the call."""
        self._before: int = data.get("current", 0)
        return super().prepare(data)

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        with torch.cuda.device(self._before):
            facts = super().observe(answer, inputs)
            current = torch.cuda.current_device()
        sources = {source for source, _, _ in facts["copies"]} - {"cpu", f"cuda:{inputs[1]}"}
        return {
            "changed": facts["changed"],
            "result": facts["result"],
            "used": sorted(sources),
            "current": "as before" if current == self._before else f"GPU {current}",
        }


observer = Load()
