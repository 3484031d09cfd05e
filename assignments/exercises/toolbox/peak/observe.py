"""Observe `peak`: its result for a step that allocates and frees memory."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.observers import OneCall

_MIB = 2**20


class Step:
    """A step that allocates blocks on its device and frees them again, and counts its calls."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self.device, self.changes = described["device"], described["now"]
        self.kept: list[torch.Tensor] = []
        self.calls = 0
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(self.device)  # so only `earlier` is from before
        self._play(described["earlier"])
        self.kept.clear()
        self.held = self._block(described["held"])

    def __call__(self) -> None:
        """Allocate and free the blocks of this step."""
        self.calls += 1
        self._play(self.changes)

    def _play(self, changes: list[int]) -> None:
        for change in changes:
            if change > 0:
                self.kept.append(self._block(change))
            else:
                self.kept = [one for one in self.kept if one.numel() != -change * _MIB]

    def _block(self, mib: int) -> torch.Tensor:
        return torch.empty(mib * _MIB, dtype=torch.uint8, device=self.device)


class Peak(OneCall):
    """Facts: the result, and the number of `calls` of the step."""

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        facts = super().observe(answer, inputs)
        return {"result": facts["result"], "calls": inputs[0].calls}


observer = Peak(make={"step": Step, "device": torch.device})
