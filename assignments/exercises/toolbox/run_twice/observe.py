"""Observe `run_twice`: what two runs of a step drew, and on which devices it was not the same."""

import torch

from exercise_kit.facts import describe
from exercise_kit.observers import OneCall


class Step:
    """Draws some numbers on each of some devices, and counts how often it is called."""

    def __init__(self, described):
        self._draws, self.calls = described["draws"], 0
        self.seed = described["seed"]

    def __call__(self):
        self.calls += 1
        return {
            device: torch.rand(count, device=device).tolist()
            for device, count in self._draws.items()
        }


class RunTwice(OneCall):
    """Facts: `calls` of the step; the devices on which the `first` run drew other numbers than the
    step alone, and the second one, `again`, others than the first, with a word where these are the
    first of the seed. The `form` of a result that is not two results of the step."""

    needs_devices = True

    def observe(self, answer, inputs):
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
                f"{device}, from the seed on" if again.get(device) == seeded[device] else device
                for device in alone
                if again.get(device) != first.get(device)
            ],
        }


observer = RunTwice(make=Step)
