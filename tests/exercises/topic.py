"""Shared helpers for the tests of each topic's oracles."""

from dataclasses import dataclass
from typing import Any

from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case
from exercise_kit.corpus import load_answer
from exercise_kit.reference import reference


@dataclass(frozen=True)
class Topic:
    """The exercises of one topic, by their short names."""

    name: str
    seeds: int = 10

    def judge(self, short: str) -> Any:
        """The module judge.py of an exercise."""
        return exercise(f"{self.name}.{short}").module("judge")

    def cases(self, short: str, seeds: int | None = None) -> list[Case]:
        """The cases of an exercise: the public ones, and those of several draws.

        If the exercise's own answer defines the right results, the cases have its facts.
        """
        found = exercise(f"{self.name}.{short}")
        draws = range(self.seeds if seeds is None else seeds)
        drawn = [case for seed in draws for _, case in found.hidden_cases(str(seed))]
        return [*found.public_cases, *drawn]

    def reference(self, short: str) -> Any:
        """The function of an exercise's own solution."""
        source = reference(exercise(f"{self.name}.{short}").path)
        return load_answer(source, short, f"<{short}>")
