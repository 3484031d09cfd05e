"""Observe `physical_of`: the card, or the `ValueError` that is raised for a missing device."""

from collections.abc import Callable
from typing import Any

from exercise_kit.contract import Facts
from exercise_kit.observers import OneCall, attempt
from exercise_kit.text import clip


class PhysicalOf(OneCall):
    """Facts: those of OneCall, or `refused`, the message of a ValueError."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        observe = super().observe
        facts, refused = attempt(
            lambda: observe(answer, inputs), lambda error: isinstance(error, ValueError)
        )
        return facts if refused is None else {"refused": clip(str(refused))}


observer = PhysicalOf("value", "device", "n_physical")
