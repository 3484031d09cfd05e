"""Observe `run_twice`: the devices on which two runs of a step drew different numbers."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.facts import describe
from exercise_kit.observers import OneCall


class Step:
    """A step that draws random numbers on each of its devices, and counts its calls."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self._draws: dict[str, int] = described["draws"]
        self.seed: int = described["seed"]
        self.calls = 0

    def __call__(self) -> dict[str, list[float]]:
        """The numbers drawn, by device."""
        self.calls += 1
        return {
            device: torch.rand(count, device=device).tolist()
            for device, count in self._draws.items()
        }


class RunTwice(OneCall):
    """Facts: the number of `calls` of the step; `first`, the devices on which the first run drew
    other numbers than the step alone; `again`, those on which the second run drew others than the
    first, marked where they follow the seed itself. Or `form`, any other result, described."""

    needs_devices = True

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        (step,) = inputs
        torch.manual_seed(step.seed)
        for number, device in enumerate(("cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3")):
            for _ in range(number + 1):  # on from where the seed leads, each to another place
                torch.rand(1, device=device)
        cpu, gpus = torch.get_rng_state(), torch.cuda.get_rng_state_all()
        alone = step()
        torch.manual_seed(step.seed)
        seeded = step()
        torch.set_rng_state(cpu)
        torch.cuda.set_rng_state_all(gpus)
        step.calls = 0
        result = self.call(answer, inputs)
        runs = list(result) if isinstance(result, tuple | list) else []
        if len(runs) != 2 or not all(isinstance(run, dict) for run in runs):
            return {"form": describe(result)}
        first, again = runs
        return {
            "calls": step.calls,
            "first": [device for device in alone if first.get(device) != alone[device]],
            "again": [
                f"{device}, restarted from the seed"
                if again.get(device) == seeded[device]
                else device
                for device in alone
                if again.get(device) != first.get(device)
            ],
        }


observer = RunTwice(make=Step)
