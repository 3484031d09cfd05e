"""Observe `time_on_gpu` with a simulated GPU, whose clock no machine can hurry or delay."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class _Machine:
    """A program and a GPU side by side, in ms. Each call of `work` has times of its own.

    calls: how often each of its three functions was called.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._now: int = data["begun"]
        self._idle: int = data["begun"] + data["busy"]  # the GPU has work from somebody before
        self._launches, self._kernels = data["launches"], data["kernels"]
        self.calls = {"work": 0, "clock": 0, "synchronize": 0}

    def work(self) -> None:
        number = self.calls["work"] % len(self._launches)
        self.calls["work"] += 1
        self._now += self._launches[number]
        self._idle = max(self._idle, self._now) + self._kernels[number]

    def synchronize(self) -> None:
        self.calls["synchronize"] += 1
        self._now = max(self._now, self._idle)

    def clock(self) -> float:
        self.calls["clock"] += 1
        return self._now / 1000


class TimeOnGpu(Observer):
    """Facts: `result`, `changed` (nothing), and `calls`, how often each function was called."""

    parameters = ("work", "repeats", "clock", "synchronize")
    needs_devices = False

    def prepare(self, data: Mapping[str, Any]) -> tuple[int, _Machine]:
        return data["repeats"], _Machine(data)

    def observe(self, answer: Callable[..., Any], inputs: tuple[int, _Machine]) -> Facts:
        repeats, machine = inputs
        result = answer(machine.work, repeats, machine.clock, machine.synchronize)
        return {"result": describe(result), "changed": [], "calls": machine.calls}


observer = TimeOnGpu()
