"""Observe `noise`: the tensors of three calls, and the state that the calls changed."""

import contextlib
import inspect
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy
import torch

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe


class Noise(Observer):
    """Facts: `calls`, the results of three calls, the last with another seed, and the second as in
    another run of the program; `changed`, the devices and libraries whose default generator the
    first call changed; `current`, the current device after it; `devices`, as they are afterwards.
    """

    parameters = ("seed", "count", "devices")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of three calls."""
        devices = [torch.device(name) for name in inputs["devices"]]
        seed, other, count = inputs["seed"], inputs["other"], inputs["count"]
        calls = []
        with torch.cuda.device(inputs["current"]):
            for number, (ambient, given) in enumerate(
                zip(inputs["ambient"], (seed, seed, other), strict=True)
            ):
                # Every call finds the generators elsewhere in their sequences.
                torch.manual_seed(ambient)
                for draw in range(number):
                    torch.randn(draw + 1)
                before, others = _states(), _other_states()
                with _other_hashes(answer) if number == 1 else contextlib.nullcontext():
                    calls.append(describe(answer(given, count, devices)))
                if number == 0:
                    after, current = _states(), torch.cuda.current_device()
                    changed = [name for name in before if not before[name].equal(after[name])]
                    drawn = _other_states()
                    changed += [name for name in others if others[name] != drawn[name]]
        return {
            "calls": calls,
            "changed": changed,
            "current": current,
            "devices": [str(device) for device in devices],
        }


def _states() -> dict[str, torch.Tensor]:
    """The state of the default generator of each device."""
    gpus = range(torch.cuda.device_count())
    return {"cpu": torch.get_rng_state()} | {f"cuda:{i}": torch.cuda.get_rng_state(i) for i in gpus}


def _other_states() -> dict[str, str]:
    return {"numpy": repr(numpy.random.get_state()), "random": repr(random.getstate())}


@contextlib.contextmanager
def _other_hashes(answer: Callable[..., Any]) -> Iterator[None]:
    """A block in which `hash` gives the answer's cell other numbers, as every new process does."""
    names: dict[str, Any] = getattr(inspect.unwrap(answer), "__globals__", {})
    if "hash" in names:  # a function of the answer's own
        yield
        return
    names["hash"] = lambda value: hash(value) ^ 0x5EED if _has_text(value) else hash(value)
    try:
        yield
    finally:
        names.pop("hash", None)


def _has_text(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_has_text, value))
    return isinstance(value, str | bytes)
