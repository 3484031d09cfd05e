"""Observe `noise`: the tensors of several calls, and what the calls left changed."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class Noise(Observer):
    """Facts: `calls`, what three calls returned, the last with another seed; `changed`, the devices
    whose default generator the first call changed; `current`, the current device after it;
    `devices`, as they are after the calls.
    """

    parameters = ("seed", "count", "devices")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        devices = [torch.device(name) for name in inputs["devices"]]
        seed, other, count = inputs["seed"], inputs["other"], inputs["count"]
        calls = []
        with _kept():
            torch.cuda.set_device(inputs["current"])
            for number, (ambient, given) in enumerate(
                zip(inputs["ambient"], (seed, seed, other), strict=True)
            ):
                # Every call finds the generators elsewhere in their sequences.
                torch.manual_seed(ambient)
                for draw in range(number):
                    torch.randn(draw + 1)
                before = _states()
                calls.append(describe(answer(given, count, devices)))
                if number == 0:
                    after, current = _states(), torch.cuda.current_device()
                    changed = [name for name in before if not before[name].equal(after[name])]
        return {
            "calls": calls,
            "changed": changed,
            "current": current,
            "devices": [str(device) for device in devices],
        }


def _states() -> dict[str, torch.Tensor]:
    """Where each default generator stands."""
    gpus = range(torch.cuda.device_count())
    return {"cpu": torch.get_rng_state()} | {f"cuda:{i}": torch.cuda.get_rng_state(i) for i in gpus}


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """The learner's own random numbers go on afterwards as if nothing had been drawn."""
    states, current = _states(), torch.cuda.current_device()
    try:
        yield
    finally:
        torch.cuda.set_device(current)
        torch.set_rng_state(states.pop("cpu"))
        for name, state in states.items():
            torch.cuda.set_rng_state(state, name)


observer = Noise()
