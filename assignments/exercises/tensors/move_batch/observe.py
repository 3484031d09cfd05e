"""Observe `move_batch`: its call on devices, and the classes of the namedtuples it returns."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from course_utils.checking.observers import DeviceCall, build
from exercise_kit import Facts


class MoveBatch(DeviceCall):
    """Facts: those of `DeviceCall`, and `foreign`, names of namedtuple classes not in the batch."""

    def __init__(self, *parameters: str) -> None:
        super().__init__(*parameters, make={"batch": build, "device": torch.device})

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        self._foreign: list[str] = []
        return {**super().observe(answer, inputs), "foreign": self._foreign}

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result; notes namedtuple classes that the batch did not have."""
        known = set(namedtuples_in(inputs))
        result = super().call(answer, inputs)
        self._foreign = [kind.__name__ for kind in namedtuples_in(result) if kind not in known]
        return result


def namedtuples_in(value: Any, depth: int = 0) -> Iterator[type[tuple[Any, ...]]]:
    """The classes of the namedtuples in nested containers."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        yield type(value)
    if isinstance(value, dict | list | tuple) and depth < 12:
        for item in list(value.values() if isinstance(value, dict) else value):
            yield from namedtuples_in(item, depth + 1)
