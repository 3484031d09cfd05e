"""A small exercise for testing the machinery: double a number. Device-free."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import (
    Case,
    Facts,
    Finding,
    FindingKind,
    Judge,
    Observer,
    Raise,
)
from course_utils.checking.facts import brief, describe

SQUARED = FindingKind("squared", "the number was squared", "`x * x` is a square.", "Use `2 * x`.")
OTHER = FindingKind("other-result", "that is another number", "It must be twice `x`.", "Try x=3.")
TEXT = FindingKind("text", "a text came in the way", "A text cannot be doubled.", "Use `int`.")


class Double(Observer):
    name = "toy.double"
    parameters = ("x",)
    needs_devices = False
    seconds = 0.3

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"result": describe(answer(data["x"]))}


class DoubleJudge(Judge):
    name = "toy.double"
    findings = (SQUARED, OTHER, TEXT)
    hints = ("Think.", "Twice a number is the number and itself.", "Three times x is `x + x + x`.")

    def cases(self, rng: random.Random) -> Sequence[Case]:
        hidden = [rng.randrange(10_000, 99_999) for _ in range(3)]
        return [
            Case("three", "small numbers", {"x": 3}),
            Case("zero", "zero", {"x": 0}),
            *(Case(f"hidden {n}", "large numbers", {"x": x}, True) for n, x in enumerate(hidden)),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        x, result = case.data["x"], facts["result"]
        if result == {"type": "int", "value": 2 * x}:
            return None
        kind = SQUARED if result.get("value") == x * x else OTHER
        return kind.found(brief(result), str(2 * x))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        return TEXT.found(raised.type, "a number") if raised.type == "TypeError" else None
