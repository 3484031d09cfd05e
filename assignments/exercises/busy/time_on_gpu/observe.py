"""Observe `time_on_gpu` with a simulated GPU, whose clock no machine can hurry or delay."""

from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe


class Machine:
    """A program and a GPU side by side, in ms. Each call of `work` has times of its own.

    calls: of `work`. was_read: whether `clock` was called.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._now: int = data["begun"]
        self._idle: int = data["begun"] + data["busy"]  # the GPU has work from somebody before
        self._launches, self._kernels = data["launches"], data["kernels"]
        self.calls, self.was_read = 0, False

    def work(self) -> None:
        """Launch a kernel, which begins when the GPU has done all earlier work."""
        number = self.calls % len(self._launches)
        self.calls += 1
        self._now += self._launches[number]
        self._idle = max(self._idle, self._now) + self._kernels[number]

    def synchronize(self) -> None:
        """Wait until the GPU is idle."""
        self._now = max(self._now, self._idle)

    def clock(self) -> float:
        """The time of the program, in seconds."""
        self.was_read = True
        return self._now / 1000


class TimeOnGpu(Observer):
    """Facts: `seconds`, or else `form`; `clock`, whether it was read; `calls` of work."""

    gpus = 0

    def prepare(self, data: Mapping[str, Any]) -> tuple[int, Machine]:
        """The number of timings, and the machine of the case."""
        return data["repeats"], Machine(data)

    def observe(self, answer: Callable[..., Any], inputs: tuple[int, Machine]) -> Facts:
        """The facts of one call."""
        repeats, machine = inputs
        seen = describe(answer(machine.work, repeats, machine.clock, machine.synchronize))
        is_number = seen["type"] in ("int", "float")
        result = {"seconds": round(seen["value"], 9)} if is_number else {"form": seen}
        return {**result, "clock": machine.was_read, "calls": machine.calls}
