"""Observe `where_new`: the devices that it returns, as strings."""

from collections.abc import Callable
from typing import Any

from exercise_kit import Facts
from exercise_kit.observers import OneCall

from ..described import named


class WhereNew(OneCall):
    """Facts: those of OneCall, with every device in the result as a string."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        facts = super().observe(answer, inputs)
        return {**facts, "result": named(facts["result"])}
