"""Observe `resolve`: the device, or whether it is refused with a `ValueError`."""

from collections.abc import Callable
from typing import Any

from exercise_kit.contract import Facts
from exercise_kit.observers import OneCall
from exercise_kit.text import clip


class Resolve(OneCall):
    """Facts: those of OneCall, or `refused`, the message of a ValueError."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        try:
            return super().observe(answer, inputs)
        except Exception as error:
            inner = error.__cause__ or error  # the check wraps what leaves an answer
            if not isinstance(inner, ValueError):
                raise
            return {"refused": clip(str(inner))}


observer = Resolve("name", "current", "count")
