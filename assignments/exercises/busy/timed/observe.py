"""Observe `timed`: its result for work of a known length, and whether it asks events for it."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.definitions import cell_of
from exercise_kit.observers import OneCall

_CYCLES = 20_000_000  # of the GPU's clock: a unit, some 14 ms


class Work:
    """Work that queues kernels on its device, and counts its calls."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self.device, self.lengths = torch.device(described["device"]), described
        self.calls = 0
        with torch.cuda.device(self.device):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            torch.cuda._sleep(_CYCLES)
            end.record()
            end.synchronize()
            self.unit = begin.elapsed_time(end)
        self._queue(described["before"])

    def __call__(self) -> None:
        """Queue the work of one call."""
        self.calls += 1
        self._queue(self.lengths["later" if self.calls > 1 else "first"])

    def _queue(self, units: int) -> None:
        with torch.cuda.device(self.device):
            for _ in range(units):
                torch.cuda._sleep(_CYCLES)


class Timed(OneCall):
    """Facts: `units`, the result as a multiple of a unit, or its `form`; the `calls`; and whether
    the answer's text asks `events` for the time."""

    gpus = None

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        result, work = super().observe(answer, inputs)["result"], inputs[0]
        torch.cuda.synchronize(work.device)
        is_number = result["type"] in ("int", "float") and math.isfinite(result["value"])
        if not is_number:
            return {"calls": work.calls, "form": result}
        units = float(round(result["value"] / work.unit))
        return {"calls": work.calls, "events": "elapsed_time" in cell_of(answer), "units": units}


observer = Timed(make={"work": Work, "device": torch.device})
